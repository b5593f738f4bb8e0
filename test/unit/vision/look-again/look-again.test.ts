import { describe, expect, it, test } from 'vitest';
import type { DetectorLabel, PartMap } from '../../../../src/domain/sight/detection.ts';
import { cutAround, mirrored, ZOOMS } from '../../../../src/vision/look-again/cuts.ts';
import { EVIDENCE, evidenceOf, seenAt } from '../../../../src/vision/look-again/evidence.ts';
import { judge } from '../../../../src/vision/look-again/judge.ts';
import { lookAgain, worthAnotherLook } from '../../../../src/vision/look-again/look-again.ts';
import { parseJudge } from '../../../../src/vision/look-again/read-judge.ts';

const RASTER = { width: 1000, height: 500 };
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
  labelNumber: 0,
  confidence,
  box: { x, y: 200, width: 100, height: 100 },
});

describe('cutAround', () => {
  const box = { x: 450, y: 200, width: 100, height: 100 };
  test.each([
    [
      'as many times the box as asked for, of the shape of the photo',
      box,
      2.5,
      { x: 250, y: 125, width: 500, height: 250 },
    ],
    [
      'at least a share of the photo',
      { x: 495, y: 245, width: 10, height: 10 },
      1.6,
      { x: 425, y: 213, width: 150, height: 75 },
    ],
    ['moved inward at the edge', { ...box, x: 0, y: 400 }, 2.5, { x: 0, y: 250, width: 500, height: 250 }],
    [
      'the whole photo at most',
      { x: 100, y: 100, width: 600, height: 300 },
      4,
      { x: 0, y: 0, width: 1000, height: 500 },
    ],
  ])('%s', (_, at, times, cut) => {
    const { x, y, width, height } = cutAround(at, RASTER, { times, leastShare: 0.15 });
    for (const [found, wanted] of [
      [x, cut.x],
      [y, cut.y],
      [width, cut.width],
      [height, cut.height],
    ] as const)
      expect(Math.abs(found - wanted)).toBeLessThanOrEqual(1);
  });
});

it('mirrors pixels row by row', () => {
  const rgb = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect([...mirrored(rgb, 2)]).toEqual([4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9]);
});

describe('worthAnotherLook', () => {
  test.each([
    ['best first', [candidate(300, 0.2), candidate(600, 0.9)], [600, 300]],
    ['not what is hardly likely', [candidate(300, 0.05)], []],
    ['of several in one place the best', [candidate(300, 0.2), candidate(305, 0.4, 'dent')], [305]],
    ['not what lies where it cannot be', [candidate(300, 0.5, 'glass_damage')], []],
    [
      'six at most',
      Array.from({ length: 14 }, (_, i) => ({
        ...candidate(0),
        box: { x: 260 + 50 * i, y: 200, width: 40, height: 40 },
      })),
      6,
    ],
  ])('%s', (_, candidates, wanted) => {
    const chosen = worthAnotherLook(candidates, PARTS, RASTER);
    if (typeof wanted === 'number') expect(chosen).toHaveLength(wanted);
    else expect(chosen.map(({ box }) => box.x)).toEqual(wanted);
  });
});

describe('the second look', () => {
  it('takes the best score at the place, straight and mirrored', async () => {
    const seen: number[] = [];
    const evidence = await lookAgain(candidate(500), PARTS, RASTER, async (cut) => {
      seen.push(cut.width);
      const place = {
        x: (500 - cut.x) / cut.width,
        y: (200 - cut.y) / cut.height,
        width: 100 / cut.width,
        height: 100 / cut.height,
      };
      const opposite = { ...place, x: 1 - place.x - place.width };
      return {
        straight: [{ label: 0, box: place, score: 0.8 }],
        turned: [{ label: 1, box: opposite, score: 0.4 }],
      };
    });
    expect(seen).toEqual(ZOOMS.map(({ times }) => Math.max(150, times * 200)));
    const named = Object.fromEntries(EVIDENCE.map((name, at) => [name, evidence[at]]));
    const odds = (p: number) => Math.log((p + 0.01) / (1.01 - p));
    expect(named.own_near).toBeCloseTo(odds(0.4));
    expect(named.any_mean).toBeCloseTo(odds(0.6));
    expect(named).toMatchObject({
      is_scratch: 1,
      is_dent: 0,
      on_body: 1,
      on_background: 0,
      vehicle_share: 0.75,
    });
  });

  it('takes the straight look alone where the network mirrors by itself', async () => {
    const evidence = await lookAgain(candidate(500), PARTS, RASTER, async () => ({
      straight: [{ label: 0, box: { x: 0, y: 0, width: 1, height: 1 }, score: 0.8 }],
      turned: undefined,
    }));
    expect(evidence).toHaveLength(EVIDENCE.length);
  });

  test.each([
    ['nothing there', [], { own: 0, any: 0 }],
    ['another class there', [{ label: 3, score: 0.7 }], { own: 0, any: 0.7 }],
    [
      'both there',
      [
        { label: 3, score: 0.7 },
        { label: 0, score: 0.2 },
      ],
      { own: 0.2, any: 0.7 },
    ],
  ])('counts what overlaps: %s', (_, boxes, wanted) => {
    const place = { x: 0.2, y: 0.2, width: 0.2, height: 0.2 };
    const elsewhere = { label: 0, score: 0.9, box: { ...place, x: 0.6 } };
    expect(seenAt(place, 0, [...boxes.map((one) => ({ ...one, box: place })), elsewhere])).toEqual(wanted);
  });

  it('has finite numbers for the surest and the least sure', () => {
    for (const p of [0, 1]) {
      const again = { own: p, any: p };
      const evidence = evidenceOf(candidate(500, p), [again, again, again], PARTS, RASTER);
      expect(evidence).toHaveLength(EVIDENCE.length);
      expect(evidence.every(Number.isFinite)).toBe(true);
    }
  });
});

describe('the weights', () => {
  const file = (change: object = {}) => ({
    schema_version: 1,
    intercept: -1,
    terms: EVIDENCE.map((name) => ({ name, mean: 0, deviation: 2, weight: name === 'any_mean' ? 4 : 0 })),
    ...change,
  });

  it('are read in the order of the evidence and give a probability', () => {
    const weights = parseJudge(JSON.stringify(file()), 's.json');
    const evidence = EVIDENCE.map((name) => (name === 'any_mean' ? 1.5 : 9));
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
