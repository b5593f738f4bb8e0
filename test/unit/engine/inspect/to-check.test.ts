// @module-tag slow: a law over random finds
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCondition } from '../../../../src/domain/grading/condition.ts';
import { createResults } from '../../../../src/engine/inspect/results.ts';
import { exampleGrounds, toCheckOf } from '../../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const { data } = exampleInspection({ damages: 12 });
const damages = data.results?.damages ?? [];

test('a find to check changes no sum, never raises the grade, and is as decided as a certain one', () => {
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
        condition_score: score,
        overall_condition: word,
        ...same
      } = createResults(certain, toCheck, context);
      const {
        if_all_confirmed: before,
        to_check: none,
        grade_basis: basis,
        confidence: _,
        condition_score: certainScore,
        overall_condition: certainWord,
        ...expected
      } = without;
      expect(same).toEqual(expected);
      const {
        to_check: open,
        if_all_confirmed: worst,
        if_none_confirmed: best,
        capped,
        message,
        ...grounds
      } = grade_basis;
      expect(Number(capped)).toBeLessThanOrEqual(Number(basis.capped));
      expect(best ?? { condition: certainWord, score: certainScore }).toEqual({
        condition: certainWord,
        score: certainScore,
      });
      expect(score).toBeLessThanOrEqual(certainScore);
      expect(word).toBe(toCondition(score));
      expect(basis).toMatchObject(grounds);
      expect(open).toBe(toCheck.length);
      expect(worst === undefined).toBe(toCheck.length === 0);
      expect(worst?.score ?? 0).toBeLessThanOrEqual(score);
      expect(/no damage found/.test(message)).toBe(certain.length + toCheck.length === 0);
      const asDamages = possible.map((damage, i) => ({ ...damage, confidence: toCheck[i]?.confidence ?? 0 }));
      expect(confidence).toBe(createResults([...certain, ...asDamages], [], context).confidence);
      expect([to_check.length, none.length]).toEqual([toCheck.length, 0]);
      expect(all.items).toBe(certain.length + toCheck.length);
      expect(before).toEqual(without.repair_cost);
    }),
    { numRuns: 12 },
  );
}, 60_000);
