// @module-tag slow: a law over random finds
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InspectionResults } from '../../../../src/contract/inspection.ts';
import { toCondition } from '../../../../src/domain/grading/condition.ts';
import { computeCoverage } from '../../../../src/domain/grading/vehicle-coverage.ts';
import { createGrounds } from '../../../../src/engine/inspect/grounds.ts';
import { createResults } from '../../../../src/engine/inspect/results.ts';
import { addVehicles } from '../../../../src/engine/inspect/vehicle-results.ts';
import { pick } from '../../../../src/lib/objects.ts';
import { exampleGrounds, toCheckOf } from '../../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const { data } = exampleInspection({ damages: 6 });
const damages = data.results?.damages ?? [];
/** What places to check may change. */
const FIELDS = ['if_all_confirmed', 'to_check', 'grade_basis', 'confidence'] as const;
const MAY_CHANGE = [...FIELDS, 'condition_score', 'overall_condition'] as const;

test('a find to check changes no sum, never raises the grade, and is as decided as a certain one', () => {
  fc.assert(
    fc.property(fc.subarray(damages), fc.subarray(damages), (certain, possible) => {
      const context = exampleGrounds(data.images);
      const toCheck = possible.map((damage, i) => toCheckOf(damage, certain.length + i + 1));
      const without = createResults(certain, [], context);
      const found = createResults(certain, toCheck, context);
      expect({ ...found, ...pick(without, MAY_CHANGE) }).toEqual(without);
      const { condition_score: score, grade_basis, confidence } = found;
      const { to_check: open, if_all_confirmed: worst, if_none_confirmed: best, ...basis } = grade_basis;
      const { capped, message, ...grounds } = basis;
      expect(without.grade_basis).toMatchObject(grounds);
      expect(Number(capped)).toBeLessThanOrEqual(Number(without.grade_basis.capped));
      const certainGrade = { condition: without.overall_condition, score: without.condition_score };
      expect(best ?? certainGrade).toEqual(certainGrade);
      expect(score).toBeLessThanOrEqual(certainGrade.score);
      expect(found.overall_condition).toBe(toCondition(score));
      expect(open).toBe(toCheck.length);
      expect(worst === undefined).toBe(toCheck.length === 0);
      expect(worst?.score ?? 0).toBeLessThanOrEqual(score);
      expect(/no damage found/.test(message)).toBe(certain.length + toCheck.length === 0);
      const asDamages = possible.map((damage, i) => ({ ...damage, confidence: toCheck[i]?.confidence ?? 0 }));
      expect(confidence).toBe(createResults([...certain, ...asDamages], [], context).confidence);
      expect([found.to_check, without.to_check]).toEqual([toCheck, []]);
      expect(found.if_all_confirmed.items).toBe(certain.length + toCheck.length);
      expect(without.if_all_confirmed).toEqual(without.repair_cost);
    }),
    { numRuns: 12 },
  );
}, 60_000);

test.each([
  [undefined, 'trunk_lid', 'the trunk lid / tailgate, 0.6 m: '],
  ['part', 'quarter_panel_right', 'the right quarter panel, 0.6 m: '],
  ['side', 'quarter_panel_right', 'the quarter panel of no. 1, 0.6 m: '],
] as const)('with %s open, the close-up of %s is asked for by what is known', (uncertain, part, words) => {
  const { data } = exampleInspection({ damages: 1 });
  const [damage = expect.fail()] = data.results?.damages ?? [];
  const location = { ...damage.location, part, ...(uncertain && { uncertain }) };
  const place = toCheckOf({ ...damage, location }, 1);
  const { nextPhotos } = createGrounds(computeCoverage([]), [place], data.images);
  const asked = nextPhotos.find((one) => one.code === 'place_to_check');
  expect(asked).toMatchObject({ parts: [part], message: expect.stringContaining(words) });
});

const read = (damages: number, toCheck = 0): InspectionResults =>
  exampleInspection({ damages, photos: 4, toCheck }).data.results ?? expect.fail();

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

  test('the whole has sums of jobs', () => {
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
    const graded = (score: number, none: number, all: number) => {
      const [if_none_confirmed, if_all_confirmed] = [none, all].map((one) => ({
        condition: 'fair',
        score: one,
      }));
      const grade_basis = { ...damaged.grade_basis, if_none_confirmed, if_all_confirmed };
      return { ...damaged, condition_score: score, grade_basis } as InspectionResults;
    };
    const whole = join(graded(2, 2.5, 1), [graded(6, 6.5, 3), graded(5, 7, 4)]);
    const { if_none_confirmed: none, if_all_confirmed: all } = whole.grade_basis;
    expect([whole.condition_score, none?.score, all?.score]).toEqual([5, 6.5, 3]);
  });
});
