import { describe, expect, test } from 'vitest';
import type { Detection, PartMap } from '../../../../src/domain/sight/detection.ts';
import { type InspectDeps, inspect } from '../../../../src/engine/inspect/inspect.ts';
import { pricerOf, tablesWith } from '../../../../src/engine/pricer.ts';
import type { InspectRequest, PhotoInput } from '../../../../src/engine/request.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { contentId } from '../../../../src/lib/ids.ts';
import { inOrder } from '../../../../src/lib/in-order.ts';
import { partGrid } from '../../../helpers/part-grid.ts';

const SIDE = partGrid(
  '............',
  '...WDDEEQ...',
  'LHFFDDEEQQA.',
  'BFFFDDEEQQR.',
  'BOOKKKKKOOR.',
  '............',
);
const EMPTY = partGrid('....', '....');
const SIZE = { width: 1200, height: 600 };
const tables = await tablesWith(undefined);

interface FakePhoto {
  readonly detections?: readonly Detection[];
  readonly parts?: PartMap;
  readonly sha256?: string;
  readonly hash?: bigint;
  readonly reject?: string;
}

const LIMITS = { certain: 0.5, toCheck: 0.35 };

function deps(photos: Readonly<Record<string, FakePhoto>>, over: Partial<InspectDeps> = {}): InspectDeps {
  const names = Object.keys(photos);
  return {
    reader: {
      read: async (source) => {
        const name = source.kind === 'file' ? source.path : source.name;
        const photo = photos[name] ?? {};
        if (photo.reject) {
          return {
            ok: false,
            rejection: { code: photo.reject, message: `${name}: bad`, found: 'x', needed: 'y' },
          };
        }
        return {
          ok: true,
          photo: {
            facts: { format: 'jpeg', bytes: 1, sha256: photo.sha256 ?? name, size: SIZE },
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
      see: async ({ raster }) => {
        const photo = photos[names[raster.data[0] ?? 0] ?? ''] ?? {};
        const { detections = [], parts = SIDE } = photo;
        return { detections, parts };
      },
      findParts: async () => SIDE,
      close: async () => undefined,
    },
    pricer: pricerOf(tables, 'US_MIDWEST', 'USD'),
    concurrency: 2,
    softwareVersion: '0',
    now: () => new Date('2026-01-01T00:00:00Z'),
    inspectionId: (digest) => contentId('vis', digest),
    requestId: () => 'req_1',
    ...over,
  };
}

function request(names: readonly string[], over: Partial<PhotoInput> = {}): InspectRequest {
  return {
    vehicleId: 'veh_1',
    photos: names.map((name) => ({ source: { kind: 'file', path: name }, url: name, ...over })),
    options: {
      detailed: true,
      hiddenDamage: true,
      region: 'US_MIDWEST',
      currency: 'USD',
      sensitivity: 'default',
      minConfidence: null,
    },
  };
}

const dent = (x: number, confidence = 0.8): Detection => ({
  label: 'dent',
  box: { x, y: 220, width: 60, height: 60 },
  confidence,
});

describe('an inspection', () => {
  test('a dent seen in two photos is one damage with two pieces of evidence', async () => {
    const { data } = await inspect(
      request(['a', 'b'], { angle: 'left_side' }),
      deps({ a: { detections: [dent(420)] }, b: { detections: [dent(430, 0.9)] } }),
    );
    const damages = data.results?.damages ?? [];
    expect(damages).toHaveLength(1);
    expect(damages[0]).toMatchObject({
      damage_id: 'dmg_front_door_left_001',
      number: 1,
      type: 'dent',
      location: {
        part: 'front_door_left',
        side: 'left',
        coordinates: { x: 430, y: 220, width: 60, height: 60, image_width: 1200, image_height: 600 },
      },
      confidence: 0.9,
      image_url: 'b',
    });
    expect(damages[0]?.evidence.map((one) => one.image_url)).toEqual(['b', 'a']);
    expect(damages[0]?.measurements).toMatchObject({ unit: 'cm', depth_is_estimate: true });
    expect(damages[0]?.explain.map((trace) => trace.rule)).toEqual(
      expect.arrayContaining(['locate.mask_overlap', 'severity.dent']),
    );
    expect(data.results?.parts_affected).toEqual([
      { part: 'front_door_left', condition: expect.any(String), damage_count: 1 },
    ]);
    expect(data.missing_views).toEqual(['front', 'rear', 'right']);
  });

  test('what is not certain is listed to check, and what is less than that counted', async () => {
    const beside: Detection = { ...dent(0, 0.3), box: { x: 20, y: 10, width: 40, height: 40 } };
    const photo = { detections: [dent(420), dent(425, 0.4), dent(640, 0.4), dent(760, 0.25), beside] };
    const asked = request(['a'], { angle: 'left_side' });
    const { data } = await inspect(asked, deps({ a: photo }));
    expect(data.results?.damages.map((damage) => damage.confidence)).toEqual([0.8]);
    expect(data.results?.to_check).toMatchObject([
      { damage_id: expect.stringMatching(/^chk_rear_door_left_001$/), number: 2, confidence: 0.4 },
    ]);
    expect(data.results?.dropped_detections).toEqual({
      not_on_vehicle: 0,
      implausible: 0,
      below_confidence: 1,
    });
    const { damage_summary: sums, repair_cost: cost, if_all_confirmed: all } = data.results ?? {};
    expect(sums?.total_damages).toBe(1);
    expect(cost?.items).toBe(1);
    expect(all?.items).toBe(2);
    expect(all?.max).toBeGreaterThan(cost?.max ?? 0);
  });

  test.each([
    [0.9, [], []],
    [0.2, [0.8], [0.4, 0.25]],
    [0.6, [0.8], []],
  ])('a least confidence of %d lists what reaches it and nothing else', async (least, certain, possible) => {
    const photo = { detections: [dent(420), dent(640, 0.4), dent(760, 0.25)] };
    const asked = request(['a'], { angle: 'left_side' });
    const strict = { ...asked, options: { ...asked.options, minConfidence: least } };
    const { results } = (await inspect(strict, deps({ a: photo }))).data;
    expect(results?.damages.map((one) => one.confidence)).toEqual(certain);
    expect(results?.to_check.map((one) => one.confidence)).toEqual(possible);
  });

  test('the order of the photos does not change what is found', async () => {
    const photos = {
      a: { detections: [dent(420)] },
      b: { detections: [dent(430, 0.9), dent(640, 0.7)] },
      c: { detections: [dent(650, 0.6)] },
    };
    const summary = async (names: string[]) => {
      const { data } = await inspect(request(names, { angle: 'left_side' }), deps(photos));
      return data.results?.damages.map(({ damage_id, confidence, severity_score, estimated_repair }) => ({
        damage_id,
        confidence,
        severity_score,
        estimated_repair,
      }));
    };
    expect(await summary(['c', 'b', 'a'])).toEqual(await summary(['a', 'b', 'c']));
  });

  test('the same file twice counts once and is said', async () => {
    const twin = { detections: [dent(420)], sha256: 'same', hash: 1n };
    const { data } = await inspect(request(['a', 'b'], { angle: 'left_side' }), deps({ a: twin, b: twin }));
    expect(data.results?.damages[0]?.evidence).toHaveLength(1);
    expect(data.images[1]?.issues).toEqual([
      expect.objectContaining({ code: 'duplicate', message: expect.stringContaining('a') }),
    ]);
  });

  test('photos with nothing of a vehicle, of the inside, and rejected ones are each accounted for', async () => {
    const photos: InspectRequest = {
      ...request(['yard', 'seat', 'bad', 'car']),
      photos: [
        { source: { kind: 'file', path: 'yard' }, url: 'yard' },
        { source: { kind: 'file', path: 'seat' }, url: 'seat', angle: 'interior' },
        { source: { kind: 'file', path: 'bad' }, url: 'bad' },
        { source: { kind: 'file', path: 'car' }, url: 'car', angle: 'left_side' },
      ],
    };
    const shown = {
      yard: { parts: EMPTY, detections: [dent(10)] },
      seat: {},
      bad: { reject: 'IMAGE_UNREADABLE' },
      car: {},
    };
    const { data, meta } = await inspect(photos, deps(shown));
    expect(data.rejected_images).toEqual([
      { url: 'bad', code: 'IMAGE_UNREADABLE', message: 'bad: bad', found: 'x', needed: 'y' },
    ]);
    expect(data.results?.damages).toEqual([]);
    expect(data.results?.dropped_detections.not_on_vehicle).toBe(1);
    expect(data.results?.not_assessed.map((item) => item.code)).toEqual([
      'no_vehicle',
      'interior_photo',
      ...Array(3).fill('view_missing'),
      'not_visible',
    ]);
    expect(meta.images_processed).toBe(3);
    expect(data.warnings.map((warning) => warning.code)).toEqual(['coverage']);
  });

  test('no photo with a vehicle is a failed inspection without a grade', async () => {
    const { data } = await inspect(request(['a']), deps({ a: { parts: EMPTY, detections: [dent(10)] } }));
    expect(data).toMatchObject({ status: 'failed', results: null, failure: { code: 'NO_VEHICLE' } });
    expect(data.images).toHaveLength(1);
  });

  test('one side alone is never excellent, and what is missing is asked for', async () => {
    const { results } = (await inspect(request(['a'], { angle: 'left_side' }), deps({ a: {} }))).data;
    expect(results).toMatchObject({
      overall_condition: 'good',
      condition_score: 8.9,
      grade_basis: { capped: true, sides_missing: ['front', 'rear', 'right'] },
    });
    expect(results?.grade_basis.message).toMatch(/no damage found on the parts seen \(\d+ of 23\)/);
    expect(results?.next_photos.map((next) => next.area)).toContain('right_side');
  });

  test('none left is a failed inspection, not an empty one', async () => {
    const { data } = await inspect(request(['bad']), deps({ bad: { reject: 'IMAGE_UNREADABLE' } }));
    expect(data).toMatchObject({ status: 'failed', results: null, failure: { code: 'NO_USABLE_PHOTOS' } });
  });

  test('a stop finishes what is running and marks the rest', async () => {
    const stop = new AbortController();
    const names = Array.from({ length: 9 }, (_, i) => `p${i}`);
    const { data } = await inspect(
      request(names),
      deps(Object.fromEntries(names.map((name) => [name, {}]))),
      {
        signal: stop.signal,
        onEvent: (event) => event.kind === 'photo_done' && event.done === 3 && stop.abort(),
      },
    );
    expect(data.partial).toBe(true);
    expect(data.images.length).toBeGreaterThanOrEqual(3);
    expect(data.images.length).toBeLessThan(9);
  });

  test('a close-up that shows too little says that its part is uncertain', async () => {
    const closeUp = partGrid(
      '............',
      '............',
      '...HHH......',
      '............',
      '............',
      '............',
    );
    const at = (x: number, width: number): Detection => ({
      label: 'dent',
      box: { x, y: 210, width, height: width },
      confidence: 0.9,
    });
    const details = async (detection: Detection) =>
      (
        await inspect(request(['a']), deps({ a: { parts: closeUp, detections: [detection] } }))
      ).data.results?.damages.map(({ detail }) => detail);
    expect(await details(at(310, 80))).toEqual([undefined]);
    expect(await details(at(210, 160))).toEqual([expect.stringMatching(/^part uncertain/)]);
  });

  test('a model that fails stops the inspection with its own words', async () => {
    const failing = deps({ a: {} });
    const broken = {
      ...failing,
      vision: { ...failing.vision, see: () => Promise.reject(new VehiError('engine', 'X', 'no model')) },
    };
    await expect(inspect(request(['a', 'b']), broken)).rejects.toThrow('no model');
  });

  test('hidden risks follow grave damage and stay out of the totals', async () => {
    const crash: Detection = {
      label: 'panel_damage',
      box: { x: 20, y: 200, width: 330, height: 190 },
      confidence: 0.9,
    };
    const { data } = await inspect(
      request(['a'], { angle: 'left_side' }),
      deps({ a: { detections: [crash] } }),
    );
    expect(data.results?.hidden_damage_risks?.map((risk) => risk.component)).toContain('radiator_support');
    expect(data.results?.damage_summary.total_damages).toBe(1);
  });
});

describe('inOrder', () => {
  test('keeps the order, never runs more at once than allowed', async () => {
    let running = 0;
    let most = 0;
    const results = await inOrder([30, 5, 20, 1, 10], 2, undefined, async (ms) => {
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, ms));
      running--;
      return ms * 2;
    });
    expect(results).toEqual([60, 10, 40, 2, 20]);
    expect(most).toBe(2);
  });

  test('a failure waits for what is running, then is thrown', async () => {
    let finished = 0;
    const work = async (n: number) => {
      if (n === 1) throw new Error('one');
      await new Promise((done) => setTimeout(done, 5));
      finished++;
    };
    await expect(inOrder([0, 1, 2, 3], 2, undefined, work)).rejects.toThrow('one');
    expect(finished).toBe(1);
  });
});

test('ids come from the content alone', () => {
  expect(contentId('vis', ['a', 'b'])).toMatch(/^vis_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(contentId('vis', ['a', 'b'])).toBe(contentId('vis', ['a', 'b']));
  expect(contentId('vis', ['a', 'b'])).not.toBe(contentId('vis', ['ab', '']));
});

test('of photos seen before only what depends on the angle is worked out again', async () => {
  let looks = 0;
  let reads = 0;
  const photos = { a: { detections: [dent(420)] }, b: {} };
  const plain = deps(photos);
  const counted = deps(photos, {
    reader: {
      read: (source) => {
        reads++;
        return plain.reader.read(source);
      },
    },
    vision: {
      ...plain.vision,
      see: (photo) => {
        looks++;
        return plain.vision.see(photo);
      },
    },
  });
  const seen = new Map();
  const first = request(['a', 'b']);
  await inspect(first, counted, { seen });
  expect([reads, looks]).toEqual([2, 2]);
  const [a, b] = first.photos as [PhotoInput, PhotoInput];
  const named = { ...first, photos: [{ ...a, angle: 'right_side', angleSource: 'request' } as const, b] };
  const again = await inspect(named, counted, { seen });
  expect([reads, looks]).toEqual([2, 2]);
  const { data } = await inspect(named, deps(photos));
  expect(again.data).toEqual(data);
  const interior = { ...first, photos: [{ ...a, angle: 'interior' } as const, b] };
  expect((await inspect(interior, counted, { seen })).data.images[0]?.analysed).toBe(false);
  expect([reads, looks]).toEqual([2, 2]);
});
