import { describe, expect, test, vi } from 'vitest';
import type { Detection } from '../../../../src/domain/sight/detection.ts';
import { inspect } from '../../../../src/engine/inspect/inspect.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';
import {
  dent,
  EMPTY,
  inspectPhotos,
  LEFT_SIDE,
  makeFakeDeps,
  makeRequest,
  OPTIONS,
  SIDE,
} from '../../../helpers/results/fake-inspection.ts';

describe('the finds of an inspection', () => {
  test('a dent seen in two photos is one damage with two pieces of evidence', async () => {
    const photos = { a: { detections: [dent(420)] }, b: { detections: [dent(430, 0.9)] } };
    const { data } = await inspectPhotos(photos, LEFT_SIDE);
    const { damages: [damage, ...others] = [], parts_affected: parts } = data.results ?? {};
    const coordinates = { x: 430, y: 220, width: 60, height: 60, image_width: 1200, image_height: 600 };
    const location = { part: 'front_door_left', side: 'left', coordinates };
    const named = { damage_id: 'dmg_front_door_left_001', number: 1, type: 'dent' };
    expect(damage).toMatchObject({ ...named, location, confidence: 0.9, image_url: 'b' });
    expect(others).toEqual([]);
    expect(damage?.evidence.map((one) => one.image_url)).toEqual(['b', 'a']);
    const method = expect.stringMatching(/^scale from the parts in the photo, above all the [a-z ]+$/);
    expect(damage?.measurements).toMatchObject({ unit: 'cm', method, depth_is_estimate: true });
    const rules = damage?.explain.map(({ rule }) => rule);
    expect(rules).toEqual(expect.arrayContaining(['locate.mask_overlap', 'severity.dent']));
    expect(parts).toMatchObject([{ part: 'front_door_left', damage_count: 1 }]);
    expect(data.missing_views).toEqual(['front', 'rear', 'right']);
  });

  test('has another id for a vehicle that is priced otherwise', async () => {
    const idOf = async (vehicle: object) =>
      (await inspectPhotos({ a: {} }, {}, { vehicle })).data.inspection_id;
    const ids = await Promise.all([{}, { paint: 'solid' }, { body: 'van' }, { year: 2020 }].map(idOf));
    expect(new Set(ids).size).toBe(ids.length);
    expect(await idOf({ plate: 'A 1' })).toBe(ids[0]);
  });

  test('says how long it took, in hundredths of a second', async () => {
    const times = [0, 1236];
    const now = () => new Date(times.shift() ?? 1236);
    const { data } = await inspect(makeRequest(['a']), makeFakeDeps({ a: {} }, { now }));
    expect(data.processing_time).toBe(1.24);
  });

  test.each([
    [{ certain: 0.6, toCheck: 0.4 }, 0.6, 0.4],
    [{ certain: 0.2 }, 0.2, 0.2],
    [{ toCheck: 0.7 }, 0.5, 0.5],
  ])('own limits %j apply as %d and %d, and are in the settings', async (ownLimits, certain, toCheck) => {
    const detections = [dent(420, toCheck), dent(640, toCheck - 0.01)];
    const { data } = await inspectPhotos({ a: { detections } }, {}, { options: { ...OPTIONS, ownLimits } });
    const asked = { sensitivity: 'default', min_confidence: null, detailed: true };
    expect(data.settings).toEqual({ ...asked, certain_from: certain, to_check_from: toCheck });
    expect([...(data.results?.damages ?? []), ...(data.results?.to_check ?? [])]).toHaveLength(1);
  });

  test('what is not certain is listed to check, and what is less than that counted', async () => {
    const nearby: Detection = { ...dent(0, 0.3), box: { x: 20, y: 10, width: 40, height: 40 } };
    const detections = [dent(420), dent(425, 0.4), dent(640, 0.4), dent(240, 0.45), dent(760, 0.25), nearby];
    const { data } = await inspectPhotos({ a: { detections } }, LEFT_SIDE);
    expect(data.results?.damages.map((damage) => damage.confidence)).toEqual([0.8]);
    expect(data.results?.to_check.map(({ damage_id, number }) => [damage_id, number])).toEqual([
      ['chk_rear_door_left_001', 2],
      ['chk_front_fender_left_001', 3],
    ]);
    const dropped = { not_on_vehicle: 0, implausible: 0, below_confidence: 1 };
    expect(data.results?.dropped_detections).toEqual(dropped);
    const { damage_summary: sums, repair_cost: cost, if_all_confirmed: all } = data.results ?? {};
    const rows = data.results?.repair_lines ?? [];
    expect(rows.map(({ kind, damage_ids: ids, image_urls: urls }) => [kind, ids, urls])).toEqual([
      ['part', [data.results?.damages[0]?.damage_id], ['a']],
      ['access', [], []],
      ['small_parts', [], []],
    ]);
    expect([sums?.total_damages, cost?.items, all?.items]).toEqual([1, 1, 3]);
    expect(all?.max).toBeGreaterThan(cost?.max ?? 0);
  });

  test.each([
    [0.9, [], []],
    [0.2, [0.8], [0.4, 0.35]],
    [0.6, [0.8], []],
  ])('a least confidence of %d lists what reaches it and nothing else', async (least, certain, possible) => {
    const detections = [dent(420), dent(640, 0.4), dent(220, 0.35)];
    const options = { ...OPTIONS, minConfidence: least };
    const { results } = (await inspectPhotos({ a: { detections } }, LEFT_SIDE, { options })).data;
    expect(results?.damages.map((one) => one.confidence)).toEqual(certain);
    expect(results?.to_check.map((one) => one.confidence)).toEqual(possible);
  });

  test('the order of the photos does not change what is found', async () => {
    const a = { detections: [dent(420)] };
    const b = { detections: [dent(430, 0.9), dent(640, 0.7)] };
    const c = { detections: [dent(650, 0.6)] };
    const summarize = async (photos: Parameters<typeof inspectPhotos>[0]) =>
      (await inspectPhotos(photos, LEFT_SIDE)).data.results?.damages.map(
        ({ damage_id, confidence, severity_score, estimated_repair }) =>
          [damage_id, confidence, severity_score, estimated_repair] as const,
      );
    expect(await summarize({ c, b, a })).toEqual(await summarize({ a, b, c }));
  });

  const spot = (label: Detection['label'], x: number, y: number, width = 20, height = width): Detection => ({
    ...dent(0, 0.9),
    label,
    box: { x, y, width, height },
  });

  test.each([
    [spot('dent', 310, 210, 80), undefined],
    [spot('dent', 210, 210, 160), expect.stringMatching(/^part uncertain/)],
  ])('a close-up that shows too little says that its part is uncertain: %o', async (found, detail) => {
    const parts = partGrid('............', '............', '..WHHH......', ...Array(3).fill('............'));
    const { results } = (await inspectPhotos({ a: { parts, detections: [found] } })).data;
    expect(results?.damages.map((one) => one.detail)).toEqual([detail]);
  });

  test('the most severe comes first, by the severity that is listed', async () => {
    const detections = [spot('lamp_damage', 110, 210), spot('glass_damage', 420, 110)];
    const { results } = (await inspectPhotos({ a: { detections } }, LEFT_SIDE)).data;
    expect(
      results?.damages.map(({ number, location, severity }) => [number, location.part, severity]),
    ).toEqual([
      [1, 'side_window_fl', 'severe'],
      [2, 'headlight_left', 'moderate'],
    ]);
  });

  test('hidden risks follow grave damage and stay out of the totals', async () => {
    const crash = spot('panel_damage', 20, 200, 330, 190);
    const { results } = (await inspectPhotos({ a: { detections: [crash] } }, LEFT_SIDE)).data;
    expect(results?.hidden_damage_risks?.map((risk) => risk.component)).toContain('radiator_support');
    expect(results?.damage_summary.total_damages).toBe(1);
  });
});

describe('facts read in the photos', () => {
  test('stand by the photo and in the vehicle, and the make of the VIN prices it', async () => {
    const vin = { fact: 'vin' as const, value: 'WP0ZZZ99ZTS392124' };
    const read = [{ ...vin, box: [10.4, 20, 200, 40], confidence: 0.912 }];
    const { data } = await inspectPhotos({ a: { read }, b: {} }, LEFT_SIDE);
    const presented = { ...vin, box: [10, 20, 200, 40], confidence: 0.91 };
    expect(data.images.map((photo) => photo.read)).toEqual([[presented], undefined]);
    expect(data.vehicle).toMatchObject({ vin: vin.value, make: 'Porsche', read: ['vin', 'make'] });
    expect(data.results?.repair_cost.vehicle_class).toBe('luxury');
  });

  test('without text models are missing, and the result says so', async () => {
    const deps = makeFakeDeps({ a: {} });
    const vision = { ...deps.vision, readFacts: async () => null };
    const { data } = await inspect(makeRequest(['a'], LEFT_SIDE), { ...deps, vision });
    expect(data.warnings.map(({ code }) => code)).toEqual(['coverage', 'text_unread']);
    expect(data.warnings.map(({ message }) => message).join()).not.toContain('reinstall');
    expect(data.vehicle).toBeUndefined();
  });

  const AT_TEN = '2026-01-01T10:00:00';
  test.each([
    ['printed into the photos ends a series', {}, ['a', 'b']],
    ['of the EXIF data goes before the printed one', { takenAt: AT_TEN }, []],
  ])('a time %s', async (_, exif, groups) => {
    const a = { parts: { ...SIDE, embedding: [1, 0] }, printedAt: AT_TEN, ...exif };
    const b = { parts: { ...SIDE, embedding: [0, 1] }, printedAt: '2026-01-01T10:16:00', ...exif };
    const { data } = await inspectPhotos({ a, b });
    expect(data.vehicle_groups.map(({ image_urls: urls }) => urls.join())).toEqual(groups);
  });

  test.each([
    ['a stated view', SIDE, LEFT_SIDE, false],
    ['a view that its parts show', SIDE, {}, false],
    ['a photo without a vehicle', EMPTY, {}, true],
    ['the dashboard', SIDE, { angle: 'dashboard' as const }, true],
  ])('%s: VIN and odometer are looked for or not', async (_, parts, input, isPage) => {
    const { vision, ...deps } = makeFakeDeps({ a: { parts } });
    const readFacts = vi.fn(vision.readFacts);
    await inspect(makeRequest(['a'], input), { ...deps, vision: { ...vision, readFacts } });
    expect(readFacts.mock.calls.map(([, , readsLines]) => readsLines)).toEqual([isPage]);
  });

  test.each([
    [['a'], {}, {}, 0],
    [['a', 'b'], {}, {}, 2],
    [['a', 'b'], { oneVehicle: true }, {}, 0],
    [['a'], {}, { seen: new Map() }, 1],
  ])('a printed time is read where photos may be grouped: %j %j %j', async (names, more, hooks, reads) => {
    const { vision, ...deps } = makeFakeDeps({ a: {}, b: {} });
    const readPrintedTime = vi.fn(vision.readPrintedTime);
    const options = { ...OPTIONS, ...more };
    await inspect(
      { ...makeRequest(names), options },
      { ...deps, vision: { ...vision, readPrintedTime } },
      hooks,
    );
    expect(readPrintedTime).toHaveBeenCalledTimes(reads);
  });
});
