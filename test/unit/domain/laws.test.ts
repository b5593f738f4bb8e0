import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAMAGE_TYPES } from '../../../src/domain/damage.ts';
import { type Box, clampToPixels, iou, union } from '../../../src/domain/geometry.ts';
import {
  computeConditionScore,
  computePartCondition,
  toCondition,
} from '../../../src/domain/grading/condition.ts';
import { gradeDamage } from '../../../src/domain/grading/grade.ts';
import { toSeverity } from '../../../src/domain/grading/severity.ts';
import { roundHalfAway, toMajor, toMinor } from '../../../src/domain/money.ts';
import { PART_NAMES } from '../../../src/domain/parts.ts';

const score = fc.double({ min: 0, max: 10, noNaN: true });
const box: fc.Arbitrary<Box> = fc.record({
  x: fc.double({ min: -500, max: 5000, noNaN: true }),
  y: fc.double({ min: -500, max: 5000, noNaN: true }),
  width: fc.double({ min: 0, max: 5000, noNaN: true }),
  height: fc.double({ min: 0, max: 5000, noNaN: true }),
});

describe('grading', () => {
  test('adding a damage never raises the condition score', () => {
    fc.assert(
      fc.property(fc.array(score, { maxLength: 30 }), score, (scores, more) => {
        expect(computeConditionScore([...scores, more])).toBeLessThanOrEqual(computeConditionScore(scores));
      }),
    );
  });

  test('a more severe damage never raises it, and the order does not matter', () => {
    fc.assert(
      fc.property(
        fc.array(score, { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 5, noNaN: true }),
        (scores, add) => {
          const worse = scores.map((value, i) => (i === 0 ? Math.min(10, value + add) : value));
          expect(computeConditionScore(worse)).toBeLessThanOrEqual(computeConditionScore(scores));
          expect(computeConditionScore([...scores].reverse())).toBe(computeConditionScore(scores));
        },
      ),
    );
  });

  test.each([
    [[], 10],
    [[5], 6],
    [[5, 5, 5], 4.6],
    [[7, 6, 5, 4, 4, 3], 2.4],
    [[10, 10, 10, 9, 9, 9, 9, 8], 0],
  ])('points %j give %d', (points, score) => {
    expect(computeConditionScore(points)).toBe(score);
  });

  test('severity never falls as a damage grows', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DAMAGE_TYPES),
        fc.constantFrom(...PART_NAMES),
        fc.double({ min: 0, max: 300, noNaN: true }),
        fc.double({ min: 0, max: 300, noNaN: true }),
        fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        (type, part, a, b, partShare) => {
          const [small, large] = a < b ? [a, b] : [b, a];
          const of = (longSideCm: number) => gradeDamage({ type, part, longSideCm, partShare }).score;
          expect(of(large)).toBeGreaterThanOrEqual(of(small));
          expect(of(large)).toBeLessThanOrEqual(10);
        },
      ),
    );
  });

  test.each([
    [0, 'minor'],
    [2.4, 'minor'],
    [2.5, 'moderate'],
    [5, 'severe'],
    [7.4, 'severe'],
    [7.5, 'critical'],
    [10, 'critical'],
  ] as const)('a score of %d is %s', (value, tier) => {
    expect(toSeverity(value)).toBe(tier);
  });

  test.each([
    [10, 'excellent'],
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
});

describe('geometry', () => {
  test('a clamped box lies inside the image in whole pixels and holds at least one', () => {
    const side = fc.integer({ min: 1, max: 6000 });
    fc.assert(
      fc.property(box, side, side, (any, width, height) => {
        const inside = clampToPixels(any, { width, height });
        expect(Object.values(inside).every(Number.isInteger)).toBe(true);
        expect(Math.min(inside.x, inside.y, inside.width - 1, inside.height - 1)).toBeGreaterThanOrEqual(0);
        expect(inside.x + inside.width).toBeLessThanOrEqual(width);
        expect(inside.y + inside.height).toBeLessThanOrEqual(height);
      }),
    );
  });

  test('overlap is symmetric, within 0 and 1, and whole for a box with itself', () => {
    fc.assert(
      fc.property(box, box, (a, b) => {
        expect(iou(a, b)).toBeCloseTo(iou(b, a), 9);
        expect(iou(a, b)).toBeGreaterThanOrEqual(0);
        expect(iou(a, b)).toBeLessThanOrEqual(1 + 1e-9);
        if (a.width > 1e-3 && a.height > 1e-3) expect(iou(a, a)).toBeCloseTo(1, 6);
        expect(union(a, b).x).toBeLessThanOrEqual(a.x);
      }),
    );
  });

  test('two boxes of 10 x 10 that share 5 x 10 overlap by a third', () => {
    expect(iou({ x: 0, y: 0, width: 10, height: 10 }, { x: 5, y: 0, width: 10, height: 10 })).toBeCloseTo(
      1 / 3,
    );
  });
});

describe('minor units', () => {
  test.each([
    [1.005, 'USD', 101],
    [2.675, 'EUR', 268],
    [0.5, 'JPY', 1],
    [1234.4, 'JPY', 1234],
    [1234.49, 'JPY', 1234],
    [-1234.49, 'JPY', -1234],
    [-1.005, 'USD', -101],
  ] as const)('%d %s is %d minor units', (amount, currency, minor) => {
    expect(toMinor(amount, currency)).toBe(minor);
  });

  test('minor units survive the way to the wire and back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e11 }),
        fc.constantFrom('USD', 'JPY', 'CNY'),
        (minor, currency) => {
          expect(toMinor(toMajor(minor, currency), currency)).toBe(minor);
        },
      ),
    );
    expect(Object.is(roundHalfAway(-0.2), 0)).toBe(true);
  });
});
