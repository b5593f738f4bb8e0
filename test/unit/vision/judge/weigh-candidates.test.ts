import { describe, expect, it } from 'vitest';
import { DETECTOR_LABELS } from '../../../../src/domain/sight/detection.ts';
import { measurePartMap } from '../../../../src/domain/sight/part-map.ts';
import { weighCandidates } from '../../../../src/vision/judge/weigh-candidates.ts';

const PARTS = {
  labels: ['hood'] as const,
  width: 1,
  height: 1,
  bestLabels: Uint8Array.of(0),
  certainty: Uint8Array.of(255),
};
const RASTER = { width: 1000, height: 500 };
const SEEN = {
  whole: { region: { x: 0, y: 0, ...RASTER }, boxes: [] },
  closer: [],
  parts: PARTS,
  measured: measurePartMap(PARTS),
  raster: RASTER,
};
/** Believes the one feature there is: 0 is even, 3 is 0.95. */
const FIRST = { intercept: 0, terms: [{ mean: 0, deviation: 1, weight: 1 }] };

/** A candidate for which the detector's confidence and the first judge's features disagree as a test wants. */
function possible(at: number, confidence: number, features: number) {
  const box = { x: 10 * at, y: 200, width: 10, height: 40 };
  return { label: 'scratch' as const, box, score: confidence, confidence, features: [features] };
}

describe('weighCandidates', () => {
  const all = [possible(0, 0.9, -2.5), possible(1, 0.5, -2.4), possible(2, 0.1, 3)];

  it('drops what the first judge gives less than 0.08, whatever the detector holds of it', async () => {
    const kept = await weighCandidates(all, FIRST, SEEN, undefined);
    expect(kept.map(({ box, confidence }) => [box.x, confidence.toFixed(3)])).toEqual([
      [20, '0.953'],
      [10, '0.083'],
    ]);
  });

  it('asks the classifier about the others alone', async () => {
    const asked: number[] = [];
    const kinds = DETECTOR_LABELS.map((label) => Number(label === 'dent'));
    const kept = await weighCandidates(all, FIRST, SEEN, async (box) => {
      asked.push(box.x);
      return { damage: 0.5, kinds };
    });
    expect(asked).toEqual([20, 10]);
    expect(kept.map(({ label }) => label)).toEqual(['dent', 'dent']);
  });

  it('keeps the twenty that the first judge holds for likeliest, whatever the detector holds of them', async () => {
    const many = Array.from({ length: 23 }, (_, at) => possible(at, 1 - at / 30, at / 10));
    const kept = await weighCandidates(many, FIRST, SEEN, undefined);
    expect(kept.map(({ box }) => box.x)).toEqual(Array.from({ length: 20 }, (_, at) => 220 - 10 * at));
  });
});
