import { describe, expect, it, test } from 'vitest';
import type { DetectorLabel, PartMap } from '../../../../src/domain/sight/detection.ts';
import { candidatesOf, isOutOfPlace } from '../../../../src/vision/judge/candidates.ts';
import { EVIDENCE, evidenceOf } from '../../../../src/vision/judge/evidence.ts';
import { judge } from '../../../../src/vision/judge/judge.ts';
import { parseJudge } from '../../../../src/vision/judge/read-judge.ts';

const RASTER = { width: 1000, height: 500 };
const WHOLE = { x: 0, y: 0, ...RASTER };
/** A hood under everything but the left quarter of the photo. */
const PARTS: PartMap = {
  labels: ['background', 'hood'],
  width: 4,
  height: 1,
  best: Uint8Array.from([0, 1, 1, 1]),
  certainty: Uint8Array.from([255, 255, 255, 255]),
};
const candidate = (x: number, confidence = 0.5, label: DetectorLabel = 'scratch') => ({
  label,
  confidence,
  score: confidence,
  box: { x, y: 200, width: 100, height: 100 },
});

describe('candidatesOf', () => {
  test.each([
    ['best first', [candidate(300, 0.2), candidate(600, 0.9)], [600, 300]],
    ['not what is hardly likely', [candidate(300, 0.005)], []],
    ['of several in one place the best', [candidate(300, 0.2), candidate(305, 0.4, 'dent')], [305]],
    [
      'twelve at most',
      Array.from({ length: 20 }, (_, i) => ({
        ...candidate(0),
        box: { x: 40 * i, y: 200, width: 40, height: 40 },
      })),
      12,
    ],
  ])('%s', (_, boxes, wanted) => {
    const chosen = candidatesOf(boxes);
    if (typeof wanted === 'number') expect(chosen).toHaveLength(wanted);
    else expect(chosen.map(({ box }) => box.x)).toEqual(wanted);
  });
});

test.each([
  ['a scratch on a hood', candidate(300), false],
  ['broken glass on a hood', candidate(300, 0.5, 'glass_damage'), true],
  [
    'a large box next to the vehicle',
    { ...candidate(0), box: { x: 0, y: 0, width: 250, height: 500 } },
    true,
  ],
])('%s is out of place: %s', (_, one, out) => {
  expect(isOutOfPlace(one, PARTS, RASTER)).toBe(out);
});

describe('the evidence', () => {
  const odds = (p: number) => Math.log((p + 0.01) / (1.01 - p));
  const one = candidate(500, 0.4);
  const seenAs = (label: number, score: number, box = one.box) => ({ label, score, box });
  const evidence = (
    whole: ReturnType<typeof seenAs>[],
    closer: ReturnType<typeof seenAs>[] = [],
    others = [one],
    region = { x: 450, y: 150, width: 300, height: 200 },
  ) => {
    const numbers = evidenceOf(one, others, {
      whole: { region: WHOLE, boxes: whole },
      closer: closer.length > 0 ? [{ region, boxes: closer }] : [],
      parts: PARTS,
      raster: RASTER,
    });
    expect(numbers).toHaveLength(EVIDENCE.length);
    return Object.fromEntries(EVIDENCE.map((name, at) => [name, numbers[at] as number]));
  };

  it('names what the candidate is and what lies under it', () => {
    expect(evidence([])).toMatchObject({
      is_scratch: 1,
      is_dent: 0,
      on_body: 1,
      on_background: 0,
      vehicle_share: 0.75,
    });
    expect(evidence([]).confidence).toBeCloseTo(odds(0.4));
  });

  it('takes the best score at the place, by class, by look, and of its own class', () => {
    const far = { ...one.box, x: 800 };
    const seen = evidence([seenAs(0, 0.4), seenAs(1, 0.6), seenAs(3, 0.9, far)], [seenAs(0, 0.7)]);
    expect(seen.like_scratch).toBeCloseTo(odds(0.7));
    expect(seen.like_dent).toBeCloseTo(odds(0.6));
    expect(seen.like_glass_damage).toBeCloseTo(odds(0));
    expect(seen.whole_any).toBeCloseTo(odds(0.6));
    expect(seen.whole_own).toBeCloseTo(odds(0.4));
    expect(seen.closer_any).toBeCloseTo(odds(0.7));
    expect(seen.closer_own).toBeCloseTo(odds(0.7));
    expect(seen.boxes_here).toBeCloseTo(Math.log(4));
  });

  it('counts faint boxes as none, and those inside or around apart', () => {
    const inner = { x: 520, y: 220, width: 30, height: 30 };
    const seen = evidence([seenAs(0, 0.05), seenAs(1, 0.8, inner)]);
    expect(seen.boxes_here).toBe(0);
    expect(seen.inside_or_around).toBeCloseTo(odds(0.8));
  });

  test.each([
    ['all of it', undefined, 1],
    ['a part of it', { x: 550, y: 150, width: 300, height: 200 }, 0],
  ])('says whether a closer look showed %s', (_, region, shown) => {
    expect(evidence([], [seenAs(0, 0.5)], [one], region).shown_closer).toBe(shown);
  });

  it('says what else the photo shows', () => {
    const seen = evidence([], [], [one, candidate(520, 0.9), candidate(800, 0.3), candidate(300, 0.05)]);
    expect(seen.others).toBeCloseTo(Math.log(3));
    expect(seen.surest_elsewhere).toBeCloseTo(odds(0.3));
  });

  it('has finite numbers for the surest and the least sure', () => {
    for (const p of [0, 1]) {
      const numbers = evidenceOf(candidate(500, p), [], {
        whole: { region: WHOLE, boxes: [seenAs(0, p)] },
        closer: [],
        parts: PARTS,
        raster: RASTER,
      });
      expect(numbers.every(Number.isFinite)).toBe(true);
    }
  });
});

describe('the weights', () => {
  const file = (change: object = {}) => ({
    schema_version: 1,
    intercept: -1,
    terms: EVIDENCE.map((name) => ({ name, mean: 0, deviation: 2, weight: name === 'whole_any' ? 4 : 0 })),
    ...change,
  });

  it('are read in the order of the evidence and give a probability', () => {
    const weights = parseJudge(JSON.stringify(file()), 's.json');
    const evidence = EVIDENCE.map((name) => (name === 'whole_any' ? 1.5 : 9));
    expect(judge(weights, evidence)).toBeCloseTo(1 / (1 + Math.exp(-2)));
  });

  test.each([
    ['another order', { terms: file().terms.toReversed() }, 'terms[0].name'],
    ['too few', { terms: file().terms.slice(1) }, 'terms'],
    ['no spread', { terms: file().terms.map((term) => ({ ...term, deviation: 0 })) }, 'terms[0].deviation'],
    ['no intercept', { intercept: null }, 'intercept'],
  ])('are refused with %s', (_, change, place) => {
    expect(() => parseJudge(JSON.stringify(file(change)), 's.json')).toThrow(place);
  });
});
