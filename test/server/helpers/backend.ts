import type { Damage, InspectionEnvelope, Photo } from '../../../src/contract/inspection.ts';
import { ANGLES } from '../../../src/domain/photo.ts';
import { assembleEngine, type Engine } from '../../../src/engine/engine.ts';
import { createResults } from '../../../src/engine/inspect/results.ts';
import type { InspectHooks, InspectRequest, PhotoSource } from '../../../src/engine/request.ts';
import { loadTables, type Tables } from '../../../src/pricing/tables/load.ts';
import { NO_PICTURES } from '../../../src/report/pictures.ts';
import type { Backend } from '../../../src/server/backend.ts';
import { createAssessor } from '../../../src/server/backend.ts';
import { makeGate } from '../../helpers/gate.ts';
import { partGrid } from '../../helpers/photos/part-grid.ts';
import { exampleGrounds } from '../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

/** A text "photo" that the fake checker and engine read: `photo 1920x1080`, or a word that makes them reject it. */
export const photo = (text = 'photo 1920x1080') => Buffer.from(text);

/** The words of such a photo, which may be as long as a real one. */
export async function readText(source: PhotoSource): Promise<string> {
  if (source.kind === 'file') return '';
  const bytes = source.kind === 'bytes' ? source.bytes : await source.read();
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_000)).toString();
}

const BASE = exampleInspection({
  photos: 1,
  damages: 1,
  rich: false,
  photoSize: { width: 1920, height: 1080 },
});
const [PHOTO] = BASE.data.images as [Photo];
const DAMAGE = BASE.data.results?.damages[0] as Damage;

function damage(photos: InspectRequest['photos'], { detailed, currency }: InspectRequest['options']): Damage {
  const url = photos[0]?.url ?? '';
  const coordinates = { x: 10, y: 20, width: 100, height: 50, image_width: 1920, image_height: 1080 };
  const measured = { unit: 'cm', method: 'plate', uncertainty_cm: 1 } as const;
  return {
    ...DAMAGE,
    damage_id: 'dmg_front_bumper_001',
    type: 'scratch',
    severity: 'minor',
    confidence: 0.91,
    severity_score: 1.5,
    location: { part: 'front_bumper', side: 'front', coordinates },
    image_url: url,
    estimated_repair: {
      min: 100,
      max: 200,
      estimated: 150,
      repair_type: 'cosmetic',
      currency: currency ?? 'USD',
    },
    ...(detailed && { measurements: { length: 10, width: 0.5, depth: 0.1, ...measured } }),
    evidence: [{ image_index: 0, image_url: url, coordinates, confidence: 0.91 }],
    explain: [{ rule: 'severity.scratch', inputs: { length_cm: 10 } }],
  };
}

const priced = new Map<string, ReturnType<typeof createResults>>();

/** An inspection of this vehicle has photos that were not searched for number plates. */
export const UNSEARCHED = 'veh_unsearched';

/** Results of the one damage, whose price the address of its photo does not change; thousands of inspections ask for it. */
function priceOnce(options: InspectRequest['options']) {
  const key = `${options.detailed} ${options.currency}`;
  const results = priced.get(key) ?? createResults([damage([], options)], [], exampleGrounds([]));
  priced.set(key, results);
  return results;
}

const CUT_OFF = { found: 'half a photo', needed: 'a whole photo' };

/** The fake engine's answer for a request and the words of its photos. */
function inspectionOf(request: InspectRequest, texts: readonly string[]): InspectionEnvelope {
  const bytes = (index: number) => texts[index] ?? '';
  const rejected = request.photos.flatMap(({ url }, index) =>
    bytes(index).includes('cut-off')
      ? [{ url, code: 'IMAGE_UNREADABLE', message: `${url}: cut off`, ...CUT_OFF }]
      : [],
  );
  const usable = request.photos.filter(({ url }) => rejected.every((one) => one.url !== url));
  const order = request.order ?? [];
  const failed = usable.length === 0;
  const failure = { code: 'NO_USABLE_PHOTOS', message: 'None of the photos can be used.' };
  const { options, ignored } = request;
  return {
    ...BASE,
    data: {
      ...BASE.data,
      inspection_id: request.id ?? 'vis_engine',
      vehicle_id: request.vehicleId,
      ...(failed && { status: 'failed', failure }),
      created_at: request.createdAt ?? '2020-01-01T00:00:00.000Z',
      completed_at: '2020-01-01T00:00:01.000Z',
      results: failed
        ? null
        : {
            ...priceOnce(options),
            damages: [damage(usable, options)],
            ...(options.hiddenDamage && {
              hidden_damage_risks: [{ component: 'engine', probability: 0.1, basis: 'test' }],
            }),
          },
      images: usable.map(({ url, angle, type }, index) => ({
        ...PHOTO,
        index,
        url,
        angle: angle ?? null,
        type: type ?? 'exterior',
        bytes: 15,
        ...(request.vehicleId === UNSEARCHED ? {} : { plates: [] }),
      })),
      models: BASE.data.models.slice(0, 1),
      rejected_images: [...(request.rejected ?? []), ...rejected].sort(
        (a, b) => order.indexOf(a.url) - order.indexOf(b.url),
      ),
    },
    meta: {
      ...BASE.meta,
      request_id: request.requestId ?? 'req_engine',
      images_processed: usable.length,
      ai_model_version: 'test-1',
      region: options.region,
      currency: options.currency ?? 'USD',
      ...(ignored && { warnings: ignored }),
    },
  };
}

/** What a test sees of a fake engine and says to it. */
const makeFakeEngine = () => ({
  /** Requests seen so far. */
  seen: [] as InspectRequest[],
  /** Analyses wait while this is set. */
  hold: undefined as Promise<void> | undefined,
  /** Holds analyses up until `release`, which it returns, is called. */
  holdUp(): () => void {
    const { open, passed } = makeGate();
    this.hold = passed;
    this.release = () => {
      this.hold = undefined;
      open();
    };
    return this.release;
  },
  release: () => {},
  /** What the next analyses throw. */
  failWith: undefined as unknown,
});

/** A fake engine with known answers, and the real assessor. */
export function makeFakeBackend(): Backend & { fake: ReturnType<typeof makeFakeEngine> } {
  const tables = loadTables();
  const pricing = pricingEngine(tables);
  const fake = makeFakeEngine();
  return {
    fake,
    modelVersion: 'test-1',
    models: 'ready',
    async warmUp() {},
    engine: {
      async inspect(request: InspectRequest, _hooks?: InspectHooks) {
        const texts: string[] = [];
        for (const { source } of request.photos) texts.push(await readText(source));
        fake.seen.push({
          ...request,
          photos: request.photos.map((one, i) => ({
            ...one,
            source: { kind: 'bytes', bytes: Buffer.from(texts[i] ?? ''), name: one.url },
          })),
        });
        await fake.hold;
        if (fake.failWith !== undefined) throw fake.failWith;
        return inspectionOf(request, texts);
      },
      segmentParts: async () => partGrid('.HHHHHH.', 'HHHHHHHH', 'HHHHHHHH', 'BBBBBBBB'),
      viewOf: async (source) => {
        const text = await readText(source);
        return ANGLES.find((angle) => text.endsWith(angle)) ?? null;
      },
      placeBox: pricing.placeBox,
      review: pricing.review,
    },
    assessor: createAssessor(pricing, tables),
    photos: {
      async check(bytes, name) {
        const text = await readText({ kind: 'bytes', bytes, name: '' });
        const reject = (code: string, found: string) => ({
          code,
          found,
          needed: 'another',
          message: `${name}: found ${found}`,
        });
        if (!text.startsWith('photo')) return reject('UNSUPPORTED_IMAGE_FORMAT', 'no photo');
        const size = /(\d+)x(\d+)/.exec(text);
        if (!size) return reject('IMAGE_UNREADABLE', 'no size');
        const sides = [Number(size[1]), Number(size[2])].sort((a, b) => b - a);
        if ((sides[0] ?? 0) < 1280 || (sides[1] ?? 0) < 720) return reject('IMAGE_QUALITY_TOO_LOW', size[0]);
        return undefined;
      },
    },
    artifacts: {
      async draw(inspection, photos, { listRegions }, keep) {
        const seen = new Set(inspection.results?.damages.map((d) => d.evidence[0]?.image_index));
        for (const { index } of photos) {
          const views = listRegions && {
            view: Buffer.from(`view ${index}`),
            thumbnail: Buffer.from(`thumbnail ${index}`),
            closeUps: listRegions(index).map(({ x, y, width, height }) =>
              Buffer.from(`close-up ${index} ${x},${y} ${width}x${height}`),
            ),
          };
          await keep({ index, annotated: seen.has(index) ? Buffer.from('jpeg') : undefined, views });
        }
        return NO_PICTURES;
      },
      async renderInspectionPdf() {
        return Buffer.from('%PDF-inspection');
      },
      async renderReview(format, inspection, _views, { redact }) {
        const words = `${(redact ?? true) ? ' redacted' : ''}${'review' in inspection ? ' reviewed' : ''}`;
        if (format === 'html') return `<!doctype html>${inspection.data.vehicle_id}${words}`;
        return Buffer.from(`%PDF-inspection${words}`);
      },
      async renderAssessmentPdf() {
        return Buffer.from('%PDF-assessment');
      },
      async renderThumbnail(bytes) {
        return Buffer.from(`small ${Buffer.from(bytes)}`);
      },
    },
  };
}

/** An engine that prices and compares; it has no photos to read and no models. */
function pricingEngine(tables: Tables): Engine {
  return assembleEngine({
    openInspectors: () => Promise.reject(new Error('this engine only prices')),
    tables,
    defaults: { region: 'US_MIDWEST', currency: 'USD' },
    concurrency: 1,
    softwareVersion: '0.0.0',
    now: () => new Date(),
  });
}
