import { loadTablesWith } from '../../../src/config/regions-file.ts';
import type { Detection, PartMap } from '../../../src/domain/sight/detection.ts';
import { measurePartMap } from '../../../src/domain/sight/part-map.ts';
import type { Sighting } from '../../../src/domain/sight/sighting.ts';
import type { FactRead } from '../../../src/domain/vehicle/read-facts.ts';
import { type InspectDeps, inspect } from '../../../src/engine/inspect/inspect.ts';
import { createScheduler } from '../../../src/engine/inspect/schedule.ts';
import { createPricer } from '../../../src/engine/pricer.ts';
import type { InspectOptions, InspectRequest, PhotoInput } from '../../../src/engine/request.ts';
import { partGrid } from '../photos/part-grid.ts';

const CAR = ['............', '...WDDEEQ...', 'LHFFDDEEQQA.', 'BFFFDDEEQQR.', 'BOOKKKKKOOR.', '............'];
/** A car from its left, as the parts model would map it; the same from far away. */
export const SIDE = partGrid(...CAR);
export const FAR_SIDE = partGrid(...CAR.map((row) => row.padEnd(48, '.')), ...Array(18).fill('.'.repeat(48)));
/** A photo without a vehicle. */
export const EMPTY = partGrid('....', '....');
const SIZE = { width: 1200, height: 600 };
const tables = await loadTablesWith(undefined);

/** What the models say of a photo, and how the reader judges it. */
export interface FakePhoto {
  readonly detections?: readonly Detection[];
  readonly parts?: PartMap;
  readonly sha256?: string;
  readonly hash?: bigint;
  readonly read?: readonly FactRead[];
  readonly reject?: string;
  /** The time in its EXIF data, and the one printed into it. */
  readonly takenAt?: string;
  readonly printedAt?: string;
  /** What the models see besides detections and parts. */
  readonly sighting?: Partial<Sighting>;
  /** What the request says of the photo. */
  readonly input?: Partial<PhotoInput>;
}

const LIMITS = { certain: 0.5, toCheck: 0.35 };

/** What an inspection of these photos works with; no model runs. */
export function makeFakeDeps(
  photos: Readonly<Record<string, FakePhoto>>,
  over: Partial<InspectDeps> = {},
): InspectDeps {
  const names = Object.keys(photos);
  return {
    reader: {
      read: async (source) => {
        const name = source.kind === 'file' ? source.path : source.name;
        const photo = photos[name] ?? {};
        const rejection = { code: photo.reject ?? '', message: `${name}: bad`, found: 'x', needed: 'y' };
        if (photo.reject) return { ok: false, rejection };
        return {
          ok: true,
          photo: {
            facts: {
              format: 'jpeg',
              bytes: 1,
              sha256: photo.sha256 ?? name,
              size: SIZE,
              takenAt: photo.takenAt,
            },
            raster: { data: new Uint8Array([names.indexOf(name)]), width: 1, height: 1 },
            issues: [],
            perceptualHash: photo.hash ?? BigInt(2 ** (5 * names.indexOf(name) + 5)) * 0b11111n,
          },
        };
      },
    },
    vision: {
      models: [{ id: 'damage', name: 'fake', version: '1', precision: 'fp32', sha256: 'm' }],
      limits: { low: LIMITS, default: LIMITS, high: { certain: 0.4, toCheck: 0.2 } },
      detect: async ({ raster }) => {
        const photo = photos[names[raster.data[0] ?? 0] ?? ''] ?? {};
        const { detections = [], parts = SIDE, sighting } = photo;
        return { detections, parts, measured: measurePartMap(parts), ...sighting };
      },
      findPlates: async () => null,
      readFacts: async ({ raster }) => photos[names[raster.data[0] ?? 0] ?? '']?.read ?? [],
      readPrintedTime: async ({ raster }) => photos[names[raster.data[0] ?? 0] ?? '']?.printedAt,
      findParts: async () => SIDE,
      findPoints: () => Promise.reject(new Error('an inspection needs no keypoints')),
      classifyAt: async () => null,
      close: async () => undefined,
    },
    pricerFor: (read) => createPricer(tables, 'US_MIDWEST', 'USD', read),
    concurrency: 2,
    schedule: createScheduler(2),
    softwareVersion: '0',
    now: () => new Date('2026-01-01T00:00:00Z'),
    ...over,
  };
}

export const OPTIONS: InspectOptions = {
  detailed: true,
  hiddenDamage: true,
  region: 'US_MIDWEST',
  currency: 'USD',
  sensitivity: 'default',
  minConfidence: null,
};

/** An inspection of the photos named. */
export function makeRequest(names: readonly string[], over: Partial<PhotoInput> = {}): InspectRequest {
  return {
    vehicleId: 'veh_1',
    requestId: 'req_1',
    photos: names.map((name) => ({ source: { kind: 'file', path: name }, url: name, ...over })),
    options: OPTIONS,
  };
}

export const LEFT_SIDE = { angle: 'left_side' } as const;

/** Inspects photos in the order given; `said` is what the request says of each, `more` what else it says. */
export function inspectPhotos(
  photos: Readonly<Record<string, FakePhoto>>,
  said: Partial<PhotoInput> = {},
  more: Partial<InspectRequest> = {},
) {
  const request = makeRequest(Object.keys(photos), said);
  const inputs = request.photos.map((one) => ({ ...one, ...photos[one.url]?.input }));
  return inspect({ ...request, photos: inputs, ...more }, makeFakeDeps(photos));
}

/** A dent 60 pixels wide at `x`. */
export const dent = (x: number, confidence = 0.8): Detection => ({
  label: 'dent',
  box: { x, y: 220, width: 60, height: 60 },
  confidence,
  score: confidence,
});
