import { describe, expect, it, test } from 'vitest';
import type { Box } from '../../../../src/domain/geometry.ts';
import { DETECTOR_LABELS, type DetectorLabel } from '../../../../src/domain/sight/detection.ts';
import { measurePartMap } from '../../../../src/domain/sight/part-map.ts';
import {
  computeFeatures,
  computeFirstFeatures,
  FEATURES,
  FIRST_FEATURES,
} from '../../../../src/vision/judge/features.ts';
import { judge, parseJudges } from '../../../../src/vision/judge/judge.ts';
import { listCandidates, weighCandidates } from '../../../../src/vision/judge/weigh-candidates.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';

const RASTER = { width: 1000, height: 500 };
const WHOLE = { x: 0, y: 0, ...RASTER };
/** A hood under everything but the left quarter of the photo. */
const PARTS = partGrid('.HHH');
/** What the detector found in such a photo: nothing. */
const SEEN = {
  whole: { region: WHOLE, boxes: [] },
  closer: [],
  parts: PARTS,
  measured: measurePartMap(PARTS),
  raster: RASTER,
};
const candidate = (x: number, confidence = 0.5, label: DetectorLabel = 'scratch') => ({
  label,
  confidence,
  score: confidence,
  box: { x, y: 200, width: 100, height: 100 },
});

describe('listCandidates', () => {
  const list = (boxes: readonly ReturnType<typeof candidate>[], parts = PARTS) =>
    listCandidates(boxes, { ...SEEN, parts });

  test.each([
    ['best first', [candidate(300, 0.2), candidate(600, 0.9)], [600, 300]],
    ['not what is hardly likely', [candidate(300, 0.005)], []],
    ['of several for one thing the best', [candidate(300, 0.2), candidate(305, 0.4, 'dent')], [305]],
  ])('%s', (_, boxes, wanted) => {
    expect(list(boxes).map(({ box }) => box.x)).toEqual(wanted);
  });

  it('not what cannot be, which hides nothing', () => {
    const [dent, broken] = [candidate(300, 0.9, 'dent'), candidate(305, 0.5, 'glass_damage')];
    expect(list([dent, broken]).map(({ box }) => box.x)).toEqual([300]);
    expect(list([dent, broken], partGrid('.WWW')).map(({ box }) => box.x)).toEqual([305]);
  });

  it('gives thirty-two at most, each with its features', () => {
    const box = { x: 0, y: 200, width: 20, height: 40 };
    const many = Array.from({ length: 40 }, (_, i) => ({ ...candidate(0), box: { ...box, x: 20 * i } }));
    expect(list(many).map(({ features }) => features.length)).toEqual(Array(32).fill(FIRST_FEATURES.length));
  });
});

describe('weighCandidates', () => {
  /** Believes the one feature there is: 0 is even, 3 is 0.95. */
  const first = { intercept: 0, terms: [{ mean: 0, deviation: 1, weight: 1 }] };
  /** A candidate of which the detector's confidence and the first judge's feature disagree as a test wants. */
  const possible = (at: number, confidence: number, feature: number) => ({
    ...candidate(10 * at, confidence),
    box: { x: 10 * at, y: 200, width: 10, height: 40 },
    features: [feature],
  });
  const all = [possible(0, 0.9, -2.5), possible(1, 0.5, -2.4), possible(2, 0.1, 3)];

  it('drops what the first judge gives less than 0.08, whatever the detector holds of it', async () => {
    const kept = await weighCandidates(all, first, SEEN, undefined);
    expect(kept.map(({ box, confidence }) => [box.x, confidence.toFixed(3)])).toEqual([
      [20, '0.953'],
      [10, '0.083'],
    ]);
  });

  it('asks the classifier about the others alone', async () => {
    const asked: number[] = [];
    const kinds = DETECTOR_LABELS.map((label) => Number(label === 'dent'));
    const kept = await weighCandidates(all, first, SEEN, async (box) => {
      asked.push(box.x);
      return { damage: 0.5, kinds };
    });
    expect(asked).toEqual([20, 10]);
    expect(kept.map(({ label }) => label)).toEqual(['dent', 'dent']);
  });

  it('keeps the twenty that the first judge holds for likeliest, whatever the detector holds of them', async () => {
    const many = Array.from({ length: 23 }, (_, at) => possible(at, 1 - at / 30, at / 10));
    const kept = await weighCandidates(many, first, SEEN, undefined);
    expect(kept.map(({ box }) => box.x)).toEqual(Array.from({ length: 20 }, (_, at) => 220 - 10 * at));
  });
});

describe('the features', () => {
  const near = (value: number) => expect.closeTo(value, 6);
  const odds = (p: number) => near(Math.log((p + 0.01) / (1.01 - p)));
  const one = candidate(500, 0.4);
  const inner = { ...candidate(520, 0.3), box: { x: 520, y: 220, width: 30, height: 30 } };
  const seenAs = (label: number, score: number, box = one.box) => ({ label, score, box });
  const region = { x: 450, y: 150, width: 300, height: 200 };
  const look = (at: Box) => [{ region: at, boxes: [seenAs(0, 0.7)] }];
  const byName = (names: readonly string[], values: readonly number[]) => {
    expect(values).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, at) => [name, values[at]]));
  };

  const others = [candidate(520, 0.9), candidate(800, 0.3), candidate(300, 0.05)];
  it.each([
    ['its size', [], [], { area: near(Math.log(0.02 + 1e-4)) }],
    ['the glass under it and the share of the vehicle', [], [], { on_glass: 0, vehicle_share: 0.75 }],
    [
      'the best score at the place, of any class and of its own',
      [seenAs(0, 0.4), seenAs(1, 0.6), seenAs(3, 0.9, candidate(800).box)],
      look(region),
      { whole_any: odds(0.6), whole_own: odds(0.4), boxes_here: near(Math.log(4)) },
    ],
    ['faint boxes as none', [seenAs(0, 0.05)], [], { boxes_here: 0 }],
    ['boxes inside or around', [seenAs(1, 0.8, inner.box)], [], { inside_or_around: odds(0.8) }],
    ['that a closer look showed all of it', [], look(region), { shown_closer: 1 }],
    ['that a closer look showed a part of it', [], look({ ...region, x: 550 }), { shown_closer: 0 }],
    ['what else the photo shows', [], [], { others: near(Math.log(3)) }],
  ])('state %s', (_, boxes, closer, wanted) => {
    const detections = { ...SEEN, whole: { region: WHOLE, boxes }, closer };
    expect(byName(FIRST_FEATURES, computeFirstFeatures(one, [one, ...others], detections))).toMatchObject(
      wanted,
    );
  });

  it('add what the classifier says of the candidate and of the others', () => {
    const all = [one, inner, candidate(800, 0.3)];
    const said = new Map(all.map((who, at) => [who, { damage: [0.7, 0.2, 0.9][at] ?? 0 }]));
    const own = Math.log(0.71 / 0.31);
    expect(byName(FEATURES, computeFeatures(one, all, SEEN, said))).toEqual({
      ...byName(FIRST_FEATURES, computeFirstFeatures(one, all, SEEN)),
      classified: near(own),
      classified_squared: near(own ** 2),
      surest_elsewhere: odds(0.3),
      classified_here: odds(0.2),
      classified_elsewhere: odds(0.9),
      classified_others: near(Math.log(2)),
    });
  });

  it.each([0, 1])('are finite numbers where all are as sure as %d', (p) => {
    const extreme = candidate(500, p);
    const seen = { ...SEEN, whole: { region: WHOLE, boxes: [seenAs(0, p)] } };
    const numbers = computeFeatures(extreme, [], seen, new Map([[extreme, { damage: p }]]));
    expect(numbers.every(Number.isFinite)).toBe(true);
  });
});

describe('the weights', () => {
  const weights = (names: readonly string[], change: object = {}) => ({
    intercept: -1,
    terms: names.map((name) => ({ name, mean: 0, deviation: 2, weight: name === 'whole_any' ? 4 : 0 })),
    ...change,
  });
  const parse = (change: object = {}, first: object = {}) => {
    const judges = { first: weights(FIRST_FEATURES, first), second: weights(FEATURES) };
    return parseJudges(JSON.stringify({ schema_version: 2, ...judges, ...change }), 's.json');
  };

  it('are read in the order of the features, those of the second judge if there are any, and give a probability', () => {
    const { first, second } = parse();
    expect(parse({ second: undefined }).second).toBeUndefined();
    const features = FEATURES.map((name) => (name === 'whole_any' ? 1.5 : 9));
    for (const one of [first, second])
      expect(one && judge(one, features)).toBeCloseTo(1 / (1 + Math.exp(-2)));
  });

  const { terms } = weights(FIRST_FEATURES);
  test.each([
    ['another order', {}, { terms: terms.toReversed() }, 'first.terms[0].name'],
    ['too few', {}, { terms: terms.slice(1) }, 'first.terms'],
    ['no spread', {}, { terms: terms.map((one) => ({ ...one, deviation: 0 })) }, 'first.terms[0].deviation'],
    ['no intercept', {}, { intercept: null }, 'first.intercept'],
    ['the first judge alone twice', { second: weights(FIRST_FEATURES) }, {}, 'second.terms'],
    ['no first judge', { first: undefined }, {}, 'first'],
    ['another version', { schema_version: 1 }, {}, 'schema_version'],
  ])('are refused with %s', (_, change, first, place) => {
    expect(() => parse(change, first)).toThrow(place);
  });
});
