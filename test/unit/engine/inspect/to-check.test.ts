// @module-tag slow: a law over random finds
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCondition } from '../../../../src/domain/grading/condition.ts';
import { createResults } from '../../../../src/engine/inspect/results.ts';
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
      const [without, found] = [[], toCheck].map((places) => createResults(certain, places, context));
      if (!without || !found) throw new Error('two results');
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
