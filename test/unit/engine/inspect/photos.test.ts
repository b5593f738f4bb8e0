import { describe, expect, test } from 'vitest';
import type { Angle } from '../../../../src/domain/photo.ts';
import type { Sighting } from '../../../../src/domain/sight/sighting.ts';
import { type InspectDeps, inspect } from '../../../../src/engine/inspect/inspect.ts';
import { listNotAssessed } from '../../../../src/engine/inspect/not-assessed.ts';
import type { InspectRequest, PhotoInput } from '../../../../src/engine/request.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { dent, EMPTY, makeFakeDeps, makeRequest } from '../../../helpers/results/fake-inspection.ts';

/** Photos with a dent, of which the models say more. */
function seeing(more: Partial<Sighting>): InspectDeps {
  const deps = makeFakeDeps({ a: { detections: [dent(10)] }, b: {} });
  const detect: typeof deps.vision.detect = async (photo) => ({
    ...(await deps.vision.detect(photo)),
    ...more,
  });
  return { ...deps, vision: { ...deps.vision, detect } };
}

describe('the photos of an inspection', () => {
  test('the same file twice counts once and is said', async () => {
    const twin = { detections: [dent(420)], sha256: 'same', hash: 1n };
    const { data } = await inspect(
      makeRequest(['a', 'b'], { angle: 'left_side' }),
      makeFakeDeps({ a: twin, b: twin }),
    );
    expect(data.results?.damages[0]?.evidence).toHaveLength(1);
    expect(data.images[1]?.issues).toEqual([
      expect.objectContaining({ code: 'duplicate', message: expect.stringContaining('a') }),
    ]);
  });

  test('photos with nothing of a vehicle, of the inside, and rejected ones are each accounted for', async () => {
    const photos: InspectRequest = {
      ...makeRequest(['yard', 'seat', 'bad', 'car']),
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
    const { data, meta } = await inspect(photos, makeFakeDeps(shown));
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

  test('a file name never turns a photo of a vehicle off, and names the view where the parts tell none', async () => {
    const hinted = (url: string, angle: Angle): PhotoInput => ({
      source: { kind: 'file', path: url },
      url,
      angle,
      angleSource: 'file_name',
    });
    const request = {
      ...makeRequest([]),
      photos: [
        hinted('seat', 'interior'),
        hinted('cabin', 'interior'),
        hinted('rear', 'rear'),
        { ...hinted('dashboard', 'dashboard'), type: 'exterior' as const },
      ],
    };
    const shown = {
      seat: { detections: [dent(420)] },
      cabin: { parts: EMPTY },
      rear: {},
      dashboard: { parts: EMPTY },
    };
    const { data } = await inspect(request, makeFakeDeps(shown));
    expect(data.results?.damages).toHaveLength(1);
    expect(data.images.map(({ angle, angle_source, analyzed }) => [angle, angle_source, analyzed])).toEqual([
      ['left_side', 'parts_seen', true],
      ['interior', 'file_name', false],
      ['left_side', 'parts_seen', true],
      [null, 'unknown', true],
    ]);
  });

  test('names sides that the photos show too little of, once', () => {
    const sides = [
      { side: 'front', status: 'seen' },
      { side: 'rear', status: 'not_seen' },
      { side: 'left', status: 'too_small' },
    ] as const;
    expect(listNotAssessed([], ['rear'], { sides }).map(({ what, code }) => `${what}: ${code}`)).toEqual([
      'rear: view_missing',
      'left: view_incomplete',
      'mechanical: not_visible',
    ]);
  });

  test('no photo with a vehicle is a failed inspection without a grade', async () => {
    const { data } = await inspect(
      makeRequest(['a']),
      makeFakeDeps({ a: { parts: EMPTY, detections: [dent(10)] } }),
    );
    expect(data).toMatchObject({ status: 'failed', results: null, failure: { code: 'NO_VEHICLE' } });
    expect(data.images).toHaveLength(1);
  });

  test('a photo in which the second opinion sees no vehicle covers none, whatever its part map says', async () => {
    const { data } = await inspect(makeRequest(['a']), seeing({ presence: { score: 0.1, limit: 0.7 } }));
    expect(data.failure?.code).toBe('NO_VEHICLE');
    expect(data.images[0]).toMatchObject({ analyzed: true, vehicle_share: 0 });
  });

  test('a photo that lies on its side says so and has no findings', async () => {
    const rotation = { gain: 1.5, limit: 1.3 };
    const { data } = await inspect(makeRequest(['a']), seeing({ rotation }));
    expect(data.failure).toMatchObject({
      code: 'NO_VEHICLE',
      message: expect.stringContaining('turn them upright'),
    });
    const [turned, dashboard] = makeRequest(['a', 'b']).photos as [PhotoInput, PhotoInput];
    const photos = [turned, { ...dashboard, angle: 'dashboard' } as const];
    const both = await inspect({ ...makeRequest([]), photos }, seeing({ rotation }));
    expect(both.data.failure).toEqual(data.failure);
    expect(data.images[0]?.issues).toMatchObject([{ code: 'turned', value: 1.5, limit: 1.3 }]);
    const none = await inspect(
      makeRequest(['a']),
      seeing({ rotation, presence: { score: 0.1, limit: 0.5 } }),
    );
    expect(none.data.images[0]?.issues).toMatchObject([{ code: 'no_vehicle', value: 0.1 }]);
  });

  test('one side alone is never excellent, and what is missing is asked for', async () => {
    const { results } = (await inspect(makeRequest(['a'], { angle: 'left_side' }), makeFakeDeps({ a: {} })))
      .data;
    expect(results).toMatchObject({
      overall_condition: 'good',
      condition_score: 8.9,
      grade_basis: { capped: true, sides_missing: ['front', 'rear', 'right'] },
    });
    expect(results?.grade_basis.message).toMatch(/no damage found on the parts seen \(\d+ of 23\)/);
    expect(results?.next_photos.map((next) => next.area)).toContain('right_side');
  });

  test('none left is a failed inspection, not an empty one', async () => {
    const { data } = await inspect(
      makeRequest(['bad']),
      makeFakeDeps({ bad: { reject: 'IMAGE_UNREADABLE' } }),
    );
    expect(data).toMatchObject({ status: 'failed', results: null, failure: { code: 'NO_USABLE_PHOTOS' } });
  });

  test('where every photo has to be usable, none is begun after one that is not', async () => {
    const names = Array.from({ length: 9 }, (_, i) => `p${i}`);
    const bad = Object.fromEntries(names.map((name) => [name, { reject: 'IMAGE_UNREADABLE' as const }]));
    const count = async (allOrNothing: boolean) =>
      (await inspect({ ...makeRequest(names), allOrNothing }, makeFakeDeps(bad))).data.rejected_images.length;
    expect(await count(false)).toBe(9);
    expect(await count(true)).toBeLessThan(9);
  });

  test('a stop finishes what is running and marks the rest', async () => {
    const stop = new AbortController();
    const names = Array.from({ length: 9 }, (_, i) => `p${i}`);
    const { data } = await inspect(
      makeRequest(names),
      makeFakeDeps(Object.fromEntries(names.map((name) => [name, {}]))),
      {
        signal: stop.signal,
        onEvent: (event) => event.kind === 'photo_done' && event.done === 3 && stop.abort(),
      },
    );
    expect(data.partial).toBe(true);
    expect(data.images.length).toBeGreaterThanOrEqual(3);
    expect(data.images.length).toBeLessThan(9);
  });

  test('a model that fails stops the inspection with its own words', async () => {
    const failing = makeFakeDeps({ a: {} });
    const broken = {
      ...failing,
      vision: { ...failing.vision, detect: () => Promise.reject(new VehiError('engine', 'X', 'no model')) },
    };
    await expect(inspect(makeRequest(['a', 'b']), broken)).rejects.toThrow('no model');
  });
});

test('of photos seen before only what depends on the angle is computed again', async () => {
  let looks = 0;
  let reads = 0;
  const photos = { a: { detections: [dent(420)] }, b: {} };
  const plain = makeFakeDeps(photos);
  const counted = makeFakeDeps(photos, {
    reader: {
      read: (source) => {
        reads++;
        return plain.reader.read(source);
      },
    },
    vision: {
      ...plain.vision,
      detect: (photo) => {
        looks++;
        return plain.vision.detect(photo);
      },
    },
  });
  const seen = new Map();
  const first = makeRequest(['a', 'b']);
  await inspect(first, counted, { seen });
  expect([reads, looks]).toEqual([2, 2]);
  const [a, b] = first.photos as [PhotoInput, PhotoInput];
  const named = { ...first, photos: [{ ...a, angle: 'right_side', angleSource: 'request' } as const, b] };
  const again = await inspect(named, counted, { seen });
  expect([reads, looks]).toEqual([2, 2]);
  const { data } = await inspect(named, makeFakeDeps(photos));
  expect(again.data).toEqual(data);
  const interior = { ...first, photos: [{ ...a, angle: 'interior' } as const, b] };
  expect((await inspect(interior, counted, { seen })).data.images[0]?.analyzed).toBe(false);
  expect([reads, looks]).toEqual([2, 2]);
});
