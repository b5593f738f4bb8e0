import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAMAGE_TYPES, SEVERITIES } from '../../../../src/domain/damage.ts';
import {
  computeConditionScore,
  computePartCondition,
  toCondition,
} from '../../../../src/domain/grading/condition.ts';
import { gradeDamage } from '../../../../src/domain/grading/grade.ts';
import {
  HIGHEST_SCORE,
  LOWEST_SCORE,
  MIDDLE_SCORE,
  toSeverity,
} from '../../../../src/domain/grading/severity.ts';
import { PART_NAMES } from '../../../../src/domain/parts.ts';

const dent = { type: 'dent', part: 'hood' } as const;

const pane = { type: 'glass_damage', part: 'windshield', longSideCm: 5, partShare: null } as const;
const MEASURED = { ...dent, longSideCm: 12.34, partShare: 0.126 };
const MISSING = {
  type: 'panel_damage',
  subtype: 'missing_part',
  part: 'hood',
  longSideCm: 1,
  partShare: 0,
} as const;
const ASSUMED = { ...dent, longSideCm: null, assumedSizeCm: 20.06, partShare: null };
test.each([
  ['a measured size', MEASURED, { long_side_cm: 12.3, part_share: 0.13 }],
  ['an assumed one', ASSUMED, { long_side_cm: null, assumed_close_up_cm: 20.1, part_share: null }],
  ['a missing part', MISSING, { long_side_cm: 1, part_share: 0, subtype: 'missing_part' }],
  ['no share', pane, { long_side_cm: 5, part_share: null }],
])('says by what it graded: %s', (_, input, inputs) => {
  const { score, explain } = gradeDamage(input);
  expect(explain).toEqual([{ rule: `severity.${input.type}`, inputs: { ...inputs, score } }]);
});

const score = fc.double({ min: 0, max: 10, noNaN: true });
test('a damage more, or a more severe one, never raises the score, and the order does not matter', () => {
  const scores = fc.array(score, { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(scores, score, fc.double({ min: 0, max: 5, noNaN: true }), (some, more, add) => {
      const now = computeConditionScore(some);
      const worse = some.map((value, i) => (i === 0 ? Math.min(10, value + add) : value));
      expect(computeConditionScore([...some, more])).toBeLessThanOrEqual(now);
      expect(computeConditionScore(worse)).toBeLessThanOrEqual(now);
      expect(computeConditionScore(some.toReversed())).toBe(now);
    }),
  );
});

test.each([
  [[], 10],
  [[7, 6, 5, 4, 4, 3], 2.4],
  [[10, 10, 10, 9, 9, 9, 9, 8], 0],
])('points %j give %d', (points, score) => {
  expect(computeConditionScore(points)).toBe(score);
});

test('severity never falls as a damage grows', () => {
  const cm = fc.double({ min: 0, max: 300, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...DAMAGE_TYPES),
      fc.constantFrom(...PART_NAMES),
      fc.tuple(cm, cm),
      fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      (type, part, sizes, partShare) => {
        const [small, large] = [Math.min(...sizes), Math.max(...sizes)];
        const of = (longSideCm: number) => gradeDamage({ type, part, longSideCm, partShare }).score;
        expect(of(large)).toBeGreaterThanOrEqual(of(small));
        expect(of(large)).toBeLessThanOrEqual(10);
      },
    ),
  );
});

test.each([
  [2.4, 'minor'],
  [2.5, 'moderate'],
  [5, 'severe'],
  [7.5, 'critical'],
] as const)('a score of %d is %s', (value, tier) => {
  expect(toSeverity(value)).toBe(tier);
});

test.each(SEVERITIES)('the scores of %s lie in its tier', (tier) => {
  const scores = [LOWEST_SCORE, MIDDLE_SCORE, HIGHEST_SCORE].map((scoreOf) => scoreOf[tier]);
  expect(scores.map(toSeverity)).toEqual(Array(3).fill(tier));
  expect(scores).toEqual(scores.toSorted((a, b) => a - b));
});

test.each([
  [9, 'excellent'],
  [8.9, 'good'],
  [7, 'good'],
  [6.9, 'fair'],
  [5, 'fair'],
  [4.9, 'poor'],
  [2.5, 'poor'],
  [2.4, 'critical'],
] as const)('a condition score of %d is %s', (value, word) => {
  expect(toCondition(value)).toBe(word);
});

test.each([
  [['minor'], 'good'],
  [['minor', 'minor', 'minor'], 'fair'],
  [['minor', 'moderate'], 'fair'],
  [['severe', 'minor', 'minor', 'minor'], 'poor'],
  [['critical'], 'critical'],
] as const)('a part with %j is %s', (severities, word) => {
  expect(computePartCondition(severities)).toBe(word);
});
