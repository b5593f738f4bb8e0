import { describe, expect, test, vi } from 'vitest';
import type { Angle } from '../../../../src/domain/photo.ts';
import { inspect } from '../../../../src/engine/inspect/inspect.ts';
import { listNotAssessed } from '../../../../src/engine/inspect/photo-coverage.ts';
import type { PhotoInput } from '../../../../src/engine/request.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import {
  dent,
  EMPTY,
  inspectPhotos,
  LEFT_SIDE,
  makeFakeDeps,
  makeRequest,
} from '../../../helpers/results/fake-inspection.ts';

describe('the photos of an inspection', () => {
  test('the same file twice counts once and is said', async () => {
    const twin = { detections: [dent(420)], sha256: 'same', hash: 1n };
    const { data } = await inspectPhotos({ a: twin, b: twin }, LEFT_SIDE);
    expect(data.results?.damages[0]?.evidence).toHaveLength(1);
    const message = 'the same file as a; its findings count once';
    expect(data.images[1]?.issues).toMatchObject([{ code: 'duplicate', message }]);
  });

  test('photos with nothing of a vehicle, of the inside, and rejected ones are each accounted for', async () => {
    const { data, meta } = await inspectPhotos({
      yard: { parts: EMPTY, detections: [dent(10)] },
      seat: { input: { angle: 'interior' } },
      bad: { reject: 'IMAGE_UNREADABLE' },
      car: { input: LEFT_SIDE },
    });
    const bad = { url: 'bad', code: 'IMAGE_UNREADABLE', message: 'bad: bad', found: 'x', needed: 'y' };
    expect(data.rejected_images).toEqual([bad]);
    expect(data.results?.damages).toEqual([]);
    expect(data.results?.dropped_detections.not_on_vehicle).toBe(1);
    const codes = ['no_vehicle', 'interior_photo', ...Array(3).fill('view_missing'), 'not_visible'];
    expect(data.results?.not_assessed.map((item) => item.code)).toEqual(codes);
    expect(meta.images_processed).toBe(3);
    expect(data.warnings.map((warning) => warning.code)).toEqual(['coverage']);
  });

  test('a file name never turns a photo of a vehicle off, and names the view where the parts tell none', async () => {
    const hinted = (angle: Angle, more: Partial<PhotoInput> = {}) => ({
      input: { angle, angleSource: 'file_name' as const, ...more },
    });
    const { data } = await inspectPhotos({
      seat: { detections: [dent(420)], ...hinted('interior') },
      cabin: { parts: EMPTY, ...hinted('interior') },
      rear: hinted('rear'),
      dashboard: { parts: EMPTY, ...hinted('dashboard', { type: 'exterior' }) },
    });
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
    const listed = listNotAssessed([], ['rear'], { sides }).map(({ what, code }) => `${what} ${code}`);
    expect(listed).toEqual(['rear view_missing', 'left view_incomplete', 'mechanical not_visible']);
  });

  test.each([
    ['without a vehicle', { parts: EMPTY, detections: [dent(10)] }, 'NO_VEHICLE', 1],
    ['that are rejected', { reject: 'IMAGE_UNREADABLE' }, 'NO_USABLE_PHOTOS', 0],
  ])('photos %s are a failed inspection without a grade', async (_, photo, code, listed) => {
    const { data } = await inspectPhotos({ a: photo });
    expect(data).toMatchObject({ status: 'failed', results: null, failure: { code } });
    expect(data.images).toHaveLength(listed);
  });

  test('a photo in which the second opinion sees no vehicle covers none, whatever its part map says', async () => {
    const presence = { score: 0.1, limit: 0.7 };
    const { data } = await inspectPhotos({ a: { detections: [dent(10)], sighting: { presence } } });
    expect(data.failure?.code).toBe('NO_VEHICLE');
    expect(data.images[0]).toMatchObject({ analyzed: true, vehicle_share: 0 });
  });

  test('a photo that lies on its side says so and has no findings', async () => {
    const rotation = { gain: 1.5, limit: 1.3 };
    const turned = { detections: [dent(10)], sighting: { rotation } };
    const { data } = await inspectPhotos({ a: turned });
    const message = expect.stringContaining('turn them upright');
    expect(data.failure).toMatchObject({ code: 'NO_VEHICLE', message });
    expect(data.images[0]?.issues).toMatchObject([{ code: 'turned', value: 1.5, limit: 1.3 }]);
    const both = await inspectPhotos({ a: turned, b: { input: { angle: 'dashboard' } } });
    expect(both.data.failure).toEqual(data.failure);
    const presence = { score: 0.1, limit: 0.5 };
    const none = await inspectPhotos({ a: { ...turned, sighting: { rotation, presence } } });
    expect(none.data.images[0]?.issues).toMatchObject([{ code: 'no_vehicle', value: 0.1 }]);
  });

  test('one side alone is never excellent, and what is missing is asked for', async () => {
    const { results } = (await inspectPhotos({ a: {} }, LEFT_SIDE)).data;
    const grade_basis = { capped: true, sides_missing: ['front', 'rear', 'right'] };
    expect(results).toMatchObject({ overall_condition: 'good', condition_score: 8.9, grade_basis });
    expect(results?.grade_basis.message).toMatch(/no damage found on the parts seen \(\d+ of 23\)/);
    expect(results?.next_photos.map((next) => next.area)).toContain('right_side');
  });

  const NAMES = Array.from({ length: 9 }, (_, i) => `p${i}`);

  test('where every photo has to be usable, none is begun after one that is not', async () => {
    const bad = Object.fromEntries(NAMES.map((name) => [name, { reject: 'IMAGE_UNREADABLE' }]));
    const count = async (allOrNothing: boolean) =>
      (await inspectPhotos(bad, {}, { allOrNothing })).data.rejected_images.length;
    expect(await count(false)).toBe(9);
    expect(await count(true)).toBeLessThan(9);
  });

  test('a stop finishes what is running and marks the rest', async () => {
    const stop = new AbortController();
    const photos = Object.fromEntries(NAMES.map((name) => [name, {}]));
    const { data } = await inspect(makeRequest(NAMES), makeFakeDeps(photos), {
      signal: stop.signal,
      onEvent: (event) => event.kind === 'photo_done' && event.done === 3 && stop.abort(),
    });
    expect(data.partial).toBe(true);
    expect(data.images.length).toBeGreaterThanOrEqual(3);
    expect(data.images.length).toBeLessThan(9);
  });

  test('a model that fails stops the inspection with its own words', async () => {
    const { vision, ...deps } = makeFakeDeps({ a: {} });
    const detect = () => Promise.reject(new VehiError('engine', 'X', 'no model'));
    const inspecting = inspect(makeRequest(['a', 'b']), { ...deps, vision: { ...vision, detect } });
    await expect(inspecting).rejects.toThrow('no model');
  });
});

test('of photos seen before only what depends on the angle is computed again', async () => {
  const photos = { a: { detections: [dent(420)] }, b: {} };
  const plain = makeFakeDeps(photos);
  const [read, detect] = [vi.fn(plain.reader.read), vi.fn(plain.vision.detect)];
  const counted = { ...plain, reader: { read }, vision: { ...plain.vision, detect } };
  const seen = new Map();
  const first = makeRequest(['a', 'b']);
  await inspect(first, counted, { seen });
  const [a, b] = first.photos as [PhotoInput, PhotoInput];
  const named = { ...first, photos: [{ ...a, angle: 'right_side', angleSource: 'request' } as const, b] };
  const again = await inspect(named, counted, { seen });
  expect(again.data).toEqual((await inspect(named, makeFakeDeps(photos))).data);
  const interior = { ...first, photos: [{ ...a, angle: 'interior' } as const, b] };
  expect((await inspect(interior, counted, { seen })).data.images[0]?.analyzed).toBe(false);
  expect([read.mock.calls.length, detect.mock.calls.length]).toEqual([2, 2]);
});
