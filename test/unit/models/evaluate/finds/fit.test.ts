import { describe, expect, it, test } from 'vitest';
import { fitByFolds, judgeByFolds } from '../../../../../models/evaluate/finds/fit-judge.ts';
import { fitFirst, fitLimits } from '../../../../../models/evaluate/finds/fit-limits.ts';
import type { LabelledDamage } from '../../../../../models/evaluate/finds/labelled-photos.ts';
import { fitLogistic } from '../../../../../models/evaluate/finds/logistic.ts';
import {
  createCertainLevel,
  createListedLevel,
  findLimit,
  findPreciseLimit,
  findVehiclesLimit,
  reportFinds,
} from '../../../../../models/evaluate/finds/measure-finds.ts';
import { judge } from '../../../../../src/vision/judge/judge.ts';
import { box, damage, photo, seen, understand } from './labelled-finds.ts';

describe('limits and curve', () => {
  const clean = [
    seen(photo([]), [0, 0.4]),
    seen(photo([]), [0, 0.6], [50, 0.2]),
    seen(photo([])),
    seen(photo([]), [0, 0.1]),
  ];
  test.each([
    [0, 0.601],
    [0.74, 0.101],
    [0.75, 0.001],
  ])('at most %d of the clean photos alarm from %d on', (share, limit) =>
    expect(findLimit(share, clean, understand, createCertainLevel)).toBeCloseTo(limit, 9),
  );

  test.each([
    [0, 0.601],
    [1, 0.201],
    [2, 0.001],
  ])(
    'at most %d finds of a walk-around, one place in two photos being one, are listed from %d on',
    (most, limit) => {
      const walk = [
        seen(photo([], { vehicle: 'f A' }), [0, 0.5], [50, 0.2]),
        seen(photo([], { vehicle: 'f A' }), [0, 0.6]),
      ];
      const listed = (from: number) => createListedLevel(from, 0.9);
      expect(findVehiclesLimit(most, [walk], understand, listed)).toBeCloseTo(limit, 9);
    },
  );

  test.each([
    [1, 0.61],
    [0.9, 0.51],
    [0.4, 0.01],
  ])('findings are right in %d of cases from %d on, however few there are above', (precision, limit) => {
    const times = (count: number, at: number, ...damages: LabelledDamage[]) =>
      Array.from({ length: count }, () => seen(photo(damages), [0, at]));
    const wrong = (count: number, at: number) => times(count, at, damage(300));
    const right = times(precision === 1 ? 10 : 9, 0.7, damage(0));
    const photos = [...right, ...wrong(1, 0.6), ...wrong(3, 0.5), ...wrong(5, 0.3)];
    expect(findPreciseLimit(precision, photos, understand, createCertainLevel)).toBeCloseTo(limit, 9);
    const few = [...wrong(1, 0.9), ...times(20, 0.9)];
    expect(findPreciseLimit(precision, few, understand, createCertainLevel)).toBe(0.01);
  });

  it('reports both levels, the curve and the vehicles', () => {
    const walk = photo([damage(0, { vehicleDamage: 'd1' })], { vehicle: 'f A' });
    const report = reportFinds(
      [...clean, seen(walk, [0, 0.5], [300, 0.3])],
      { certain: 0.45, toCheck: 0.25 },
      understand,
    );
    const vehicle = { vehicle: 'f A', photos: 1, damages: 1, found: 1 };
    expect(report).toMatchObject({
      certain: { limit: 0.45, found: 1, precision: 1, cleanAlarms: 0.25 },
      toCheck: { precision: 0.5, cleanAlarms: 0.5 },
      curve: [0, 0, 0, 0, 0, 0.25, 0.25, 0.5].map((cleanAlarms) => ({ cleanAlarms })),
      vehicles: [{ certain: { ...vehicle, wrong: 0 }, toCheck: { ...vehicle, wrong: 1 } }],
    });
  });
});

describe('fitting', () => {
  it('settles where no weight can be moved to fit better', () => {
    const rows = Array.from({ length: 60 }, (_, n) => [Math.sin(n), Math.cos(3 * n) * 40]);
    const right = rows.map(([x = 0, y = 0], n) => x + y / 40 + Math.sin(5 * n) > 0.3);
    const penalty = 0.5;
    const { intercept, weights, means, deviations } = fitLogistic(rows, right, penalty);
    expect(Math.min(...weights)).toBeGreaterThan(0.5);
    const scale = (value: number, at: number) => (value - (means[at] ?? 0)) / (deviations[at] ?? 1);
    const inputs = rows.map((row) => row.map(scale));
    const errors = inputs.map((row, n) => {
      const z = row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), intercept);
      return 1 / (1 + Math.exp(-z)) - Number(right[n]);
    });
    const slopes = weights.map((weight, at) =>
      inputs.reduce((sum, row, n) => sum + (row[at] ?? 0) * (errors[n] ?? 0), penalty * weight),
    );
    for (const slope of [...slopes, errors.reduce((a, b) => a + b, 0)]) expect(slope).toBeCloseTo(0, 5);
  });

  const candidate = (at: number, features: number, label: 'scratch' | 'rust' = 'scratch') => ({
    label,
    box: box(at),
    score: 0.5,
    confidence: 0.5,
    features: [features],
  });
  /** Photos with a right and a wrong candidate each, every second one clean. */
  const photos = Array.from({ length: 20 }, (_, n) => ({
    ...seen(photo(n % 2 ? [] : [damage(0)], { group: `g${n}`, vehicle: n % 2 ? 'f A' : undefined })),
    detections: n % 2 ? [candidate(300, -2 + Math.cos(n))] : [candidate(0, 2 + Math.sin(n))],
  }));
  const sane = (sighting: { detections: readonly { label: string }[] }, ...rest: [never, never]) =>
    understand({ detections: sighting.detections.filter(({ label }) => label !== 'rust') } as never, ...rest);

  const fitOn = (weighed: typeof photos, said = sane, isClassified = true) => {
    const first = fitFirst([photos], said as never);
    return fitLimits({ considered: [photos], first, weighed: [weighed], isClassified }, said as never);
  };
  const plain = fitOn(photos);

  it('learns nothing from candidates that an inspection drops', () => {
    const misled = photos.map((one) => ({
      ...one,
      detections: [...one.detections, ...Array.from({ length: 5 }, () => candidate(500, 3, 'rust'))],
    }));
    expect(fitOn(misled)).toEqual(plain);
    expect(fitOn(misled, understand as never)).not.toEqual(plain);
    const firstOn = (taught: typeof photos) => fitFirst([taught], sane as never).overall;
    expect(firstOn(misled)).toEqual(firstOn(photos));
  });

  it('leaves the last word to the first judge where there is no classifier', () => {
    const { weights, limits } = fitOn(photos, sane, false);
    expect(weights.second).toBeUndefined();
    expect(limits.default.certain).toBeGreaterThan(0.5);
    expect(plain.weights.second).toBeDefined();
  });

  it('holds the budget of an undamaged walk-around, which four photos are and three not', () => {
    const limitsOn = (count: number) => {
      let walked = 0;
      const loud = photos.map((one, n) => {
        const isWalk = n % 2 === 1 && walked++ < count;
        const vehicle = isWalk ? 'f B' : undefined;
        const extra = n === 1 || n === 3 ? [candidate(600 * n, 4)] : [];
        return { ...one, photo: { ...one.photo, vehicle }, detections: [...one.detections, ...extra] };
      });
      return fitOn(loud).limits;
    };
    const [four, three] = [limitsOn(4), limitsOn(3)];
    expect(four.default.toCheck).toBeGreaterThan(three.default.toCheck);
    expect(four.default.toCheck).toBeGreaterThan(four.high.toCheck);
    // Without a walk-around the budget of the clean photos still holds.
    expect(three.default.toCheck).toBeGreaterThan(0.01);
  });

  it('judges each group by weights that never saw it, and learns what is right', () => {
    const photos = Array.from({ length: 20 }, (_, n) => ({
      photo: photo([damage(0)], { group: `g${n}` }),
      detections: [candidate(0, 2 + Math.sin(n)), candidate(300, -2 + Math.cos(n))],
    }));
    const judgedBy = (taught: typeof photos) => judgeByFolds(photos, fitByFolds(taught));
    const judged = judgedBy(photos);
    for (const { detections } of judged)
      expect(detections[0]?.confidence).toBeGreaterThan(detections[1]?.confidence ?? 1);
    const own = judgedBy(
      photos.map((one, n) => (n === 0 ? { ...one, photo: photo([damage(300)], { group: 'g0' }) } : one)),
    );
    expect(own[0]?.detections.map(({ confidence }) => confidence)).toEqual(
      judged[0]?.detections.map(({ confidence }) => confidence),
    );
    expect(judge(fitByFolds(photos).overall, [2])).toBeGreaterThan(0.5);
  });
});
