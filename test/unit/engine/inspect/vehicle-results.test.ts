import { describe, expect, test } from 'vitest';
import type { InspectionResults } from '../../../../src/contract/inspection.ts';
import { addVehicles } from '../../../../src/engine/inspect/vehicle-results.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const read = (damages: number, toCheck = 0): InspectionResults => {
  const { results } = exampleInspection({ damages, photos: 4, toCheck }).data;
  if (!results) throw new Error('an example has results');
  return results;
};

describe('several vehicles of one result', () => {
  const [clean, damaged] = [read(1), read(6, 2)];
  const photos = [
    { group: 1, images: [0, 1], color: 'red' },
    { group: 2, images: [2, 3], color: 'blue' },
  ];
  const join = (whole: InspectionResults, vehicles: readonly InspectionResults[]) =>
    addVehicles(
      whole,
      photos.flatMap((one, i) => (vehicles[i] ? [{ photos: one, results: vehicles[i] }] : [])),
    );
  const joined = join(damaged, [clean, damaged]);

  test('the whole has the worst grade and sums of jobs', () => {
    expect(joined.condition_score).toBe(Math.min(clean.condition_score, damaged.condition_score));
    for (const name of ['repair_cost', 'if_all_confirmed'] as const) {
      for (const end of ['min', 'estimated', 'max'] as const)
        expect(joined[name][end]).toBeCloseTo(clean[name][end] + damaged[name][end], 2);
      expect(joined[name].items).toBe(clean[name].items + damaged[name].items);
    }
    const lines = joined.repair_lines ?? [];
    expect(lines).toHaveLength((clean.repair_lines?.length ?? 0) + (damaged.repair_lines?.length ?? 0));
    expect(joined).not.toHaveProperty('expected_operations');
  });

  test('the whole is graded as the worst vehicle, also if none or all of its places are damage', () => {
    const graded = (score: number, none: number, all: number) => ({
      ...damaged,
      overall_condition: 'fair' as const,
      condition_score: score,
      grade_basis: {
        ...damaged.grade_basis,
        if_none_confirmed: { condition: 'good' as const, score: none },
        if_all_confirmed: { condition: 'poor' as const, score: all },
      },
    });
    const whole = join(graded(2, 2.5, 1), [graded(6, 6.5, 3), graded(5, 7, 4)]);
    const { if_none_confirmed: none, if_all_confirmed: all } = whole.grade_basis;
    expect([whole.condition_score, none?.score, all?.score]).toEqual([5, 6.5, 3]);
  });

  test('one vehicle stays as it is', () => {
    expect(join(damaged, [])).toBe(damaged);
  });
});
