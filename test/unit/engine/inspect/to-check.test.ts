import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createResults } from '../../../../src/engine/inspect/results.ts';
import { exampleGrounds, toCheckOf } from '../../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const { data } = exampleInspection({ damages: 12 });
const damages = data.results?.damages ?? [];

test('a find to check changes no sum and no grade, only what it costs if all are confirmed', () => {
  fc.assert(
    fc.property(fc.subarray(damages), fc.subarray(damages), (certain, possible) => {
      const context = exampleGrounds(data.images);
      const toCheck = possible.map((damage, i) => toCheckOf(damage, certain.length + i + 1));
      const without = createResults(certain, [], context);
      const {
        if_all_confirmed: all,
        to_check,
        grade_basis,
        confidence,
        ...same
      } = createResults(certain, toCheck, context);
      const {
        if_all_confirmed: before,
        to_check: none,
        grade_basis: basis,
        confidence: most,
        ...expected
      } = without;
      expect(same).toEqual(expected);
      const { to_check: open, if_all_confirmed: worst, message, ...grounds } = grade_basis;
      expect(basis).toMatchObject(grounds);
      expect(open).toBe(toCheck.length);
      expect(worst === undefined).toBe(toCheck.length === 0);
      expect(worst?.score ?? 0).toBeLessThanOrEqual(same.condition_score);
      expect(/no damage found/.test(message)).toBe(certain.length + toCheck.length === 0);
      expect(confidence < most).toBe(toCheck.length > 0);
      expect([to_check.length, none.length]).toEqual([toCheck.length, 0]);
      expect(all.items).toBe(certain.length + toCheck.length);
      expect(before).toEqual(without.repair_cost);
    }),
    { numRuns: 30 },
  );
}, 60_000);
