import { describe, expect, test } from 'vitest';
import type { InspectionResults } from '../../../../src/contract/inspection.ts';
import { addVehicles, selectFindings } from '../../../../src/engine/inspect/vehicle-results.ts';
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
  ] as const;
  const joined = addVehicles(damaged, [
    { photos: { ...photos[0], images: [...photos[0].images] }, results: clean },
    { photos: { ...photos[1], images: [...photos[1].images] }, results: damaged },
  ]);

  test('each keeps its own grade and price, with its findings by id', () => {
    expect(joined.vehicles?.map(({ group, images, color }) => ({ group, images, color }))).toEqual(photos);
    for (const [index, own] of [clean, damaged].entries()) {
      const vehicle = joined.vehicles?.[index];
      expect(vehicle).toMatchObject({
        condition_score: own.condition_score,
        repair_cost: own.repair_cost,
        damage_ids: own.damages.map(({ damage_id }) => damage_id),
        to_check_ids: own.to_check.map(({ damage_id }) => damage_id),
      });
      expect(vehicle).not.toHaveProperty('damages');
    }
  });

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

  test('one vehicle stays as it is', () => {
    expect(addVehicles(damaged, [])).toBe(damaged);
  });

  test('a finding belongs to the vehicle of its best photo, and to one only', () => {
    const own = photos.map(({ images }) => selectFindings(damaged.damages, { images: [...images] }));
    expect(
      own
        .flat()
        .map(({ number }) => number)
        .toSorted((a, b) => a - b),
    ).toEqual(damaged.damages.map(({ number }) => number));
  });
});
