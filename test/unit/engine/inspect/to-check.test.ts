import fc from 'fast-check';
import { expect, test } from 'vitest';
import { presentResults } from '../../../../src/engine/inspect/present-results.ts';
import { exampleGrounds, toCheckOf } from '../../../helpers/example-grounds.ts';
import { exampleInspection } from '../../../helpers/example-inspection.ts';

const { data } = exampleInspection({ damages: 12 });
const damages = data.results?.damages ?? [];

test('a find to check changes no sum and no grade, only what it costs if all are confirmed', () => {
  fc.assert(
    fc.property(fc.subarray(damages), fc.subarray(damages), (certain, possible) => {
      const context = exampleGrounds(data.images);
      const toCheck = possible.map((damage, i) => toCheckOf(damage, certain.length + i + 1));
      const without = presentResults(certain, [], context);
      const {
        if_all_confirmed: all,
        to_check,
        grade_basis,
        ...same
      } = presentResults(certain, toCheck, context);
      const { if_all_confirmed: before, to_check: none, grade_basis: basis, ...expected } = without;
      expect(same).toEqual(expected);
      expect({ ...grade_basis, message: '' }).toEqual({ ...basis, message: '' });
      expect([to_check.length, none.length]).toEqual([toCheck.length, 0]);
      expect(all.items).toBe(certain.length + toCheck.length);
      expect(before).toEqual(without.repair_cost);
    }),
    { numRuns: 30 },
  );
}, 60_000);
