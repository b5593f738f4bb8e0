import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listNextPhotos } from '../../../../src/domain/grading/next-photos.ts';
import { computeOverallConfidence } from '../../../../src/domain/grading/overall-confidence.ts';
import { computeCoverage } from '../../../../src/domain/grading/vehicle-coverage.ts';
import { gradeVehicle } from '../../../../src/domain/grading/vehicle-grade.ts';
import { PART_NAMES, type PartName } from '../../../../src/domain/parts.ts';
import type { PartView } from '../../../../src/domain/sight/part-coverage.ts';

const view = fc
  .record({
    part: fc.constantFrom(...PART_NAMES),
    photo: fc.integer({ min: 0, max: 5 }),
    reason: fc.constantFrom(null, 'far', 'blur', 'mostly_hidden'),
    cmPerPixel: fc.double({ min: 0.05, max: 2, noNaN: true }),
  })
  .map(({ reason, ...rest }): PartView => {
    const status = reason === null ? 'seen' : reason === 'far' ? 'too_small' : 'not_seen';
    return { ...rest, reason, status, distanceM: 2 };
  });
const RANK = ['not_seen', 'too_small', 'seen'];

describe('coverage', () => {
  test('hiding photos never raises it, of no part, no side, no share and no confidence', () => {
    fc.assert(
      fc.property(fc.array(view, { maxLength: 60 }), fc.integer({ min: 0, max: 5 }), (views, hidden) => {
        const all = computeCoverage(views);
        const fewer = computeCoverage(views.filter((one) => one.photo !== hidden));
        expect(fewer.totalCount).toBe(all.totalCount);
        expect(fewer.seenCount).toBeLessThanOrEqual(all.seenCount);
        for (const of of ['parts', 'sides'] as const)
          for (const [i, { status }] of fewer[of].entries())
            expect(RANK.indexOf(status)).toBeLessThanOrEqual(RANK.indexOf(all[of][i]?.status ?? ''));
        expect(computeOverallConfidence([], fewer.seenCount / fewer.totalCount)).toBeLessThanOrEqual(
          computeOverallConfidence([], all.seenCount / all.totalCount),
        );
      }),
    );
  });

  test.each([
    [[], 0.85],
    [[0.3], 0.7],
    [[0.95, 0.95, 0.5], 0.8],
  ])('findings of %j are decided by %d', (confidences, decided) => {
    expect(computeOverallConfidence(confidences, 1)).toBe(decided);
  });

  test('nothing is excellent unless every side is seen', () => {
    const share = 0.9;
    const whole = gradeVehicle([], { share, missingSides: [] });
    expect(whole).toMatchObject({ score: 10, condition: 'excellent', isCapped: false });
    const partial = gradeVehicle([], { share, missingSides: ['left'] });
    expect(partial).toMatchObject({ score: 8.9, condition: 'good', isCapped: true });
    expect(gradeVehicle([9], { share, missingSides: ['left'] }).isCapped).toBe(false);
  });
});

describe('the next photos', () => {
  /** The coverage by photos that show these parts well, but for one that is too far away. */
  const cover = (shown: readonly PartName[], far?: PartName) => {
    const views = shown.map((part): PartView => {
      const seen = { part, photo: 0, status: 'seen', reason: null, cmPerPixel: 0.2, distanceM: 2 } as const;
      return part === far ? { ...seen, status: 'too_small', reason: 'far' } : seen;
    });
    return computeCoverage(views).parts;
  };

  test('a vehicle that nobody photographed is asked for from every side, the widest views first', () => {
    const asked = listNextPhotos(cover([]), [], new Set());
    const areas = asked.map((next) => next.area);
    expect(areas).toEqual(expect.arrayContaining(['left_side', 'right_side', 'front', 'rear', 'top']));
    expect(asked[0]?.parts.length).toBeGreaterThanOrEqual(5);
  });

  test('a part that was too far away is asked for from nearer, in the shade only where its photo has glare', () => {
    const ask = (glaring: PartName) =>
      listNextPhotos(cover(PART_NAMES, 'quarter_panel_left'), [], new Set([glaring]));
    expect(ask('hood').map(({ light }) => light)).toEqual(['any']);
    const place = { code: 'part', area: 'left_side', parts: ['quarter_panel_left'], damageId: null };
    expect(ask('quarter_panel_left')).toEqual([{ ...place, distanceM: 1.5, light: 'shade', reason: 'far' }]);
  });

  test.each([
    ['no photo shows any of it', [], 'not_seen'],
    ['a photo shows one of its parts well', ['quarter_panel_left'], 'mostly_hidden'],
  ] as const)('a side of which %s', (_, shown, reason) => {
    const asked = listNextPhotos(cover(shown), [], new Set());
    expect(asked.find(({ area }) => area === 'left_side')?.reason).toBe(reason);
  });

  test.each<[readonly PartName[], number]>([
    [[], 0],
    [[], 1],
    [[], 13],
    [['front_door_left', 'front_door_right', 'windshield', 'rear_window'], 5],
  ])('the roof that no photo shows is asked for next to %j and %i places to check', (others, count) => {
    const gaps: readonly PartName[] = ['roof', ...others];
    const seen = cover(PART_NAMES.filter((part) => !gaps.includes(part)));
    const places = seen.slice(0, count).map(({ part }) => ({ id: `chk_${part}_001`, part }));
    const asked = listNextPhotos(seen, places, new Set());
    expect(asked.length).toBe(Math.min(8, count + gaps.length));
    expect(asked.at(-1)).toMatchObject({ code: 'part', area: 'top', parts: ['roof'], reason: 'not_seen' });
  });

  test('a place to check is asked for once per part, as a close-up', () => {
    const places = ['chk_hood_001', 'chk_hood_002'].map((id) => ({ id, part: 'hood' as const }));
    const asked = listNextPhotos(cover(PART_NAMES), places, new Set());
    expect(asked.map(({ code, damageId }) => [code, damageId])).toEqual([['place_to_check', 'chk_hood_001']]);
  });
});
