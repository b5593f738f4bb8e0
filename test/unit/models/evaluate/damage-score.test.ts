import { describe, expect, it } from 'vitest';
import { binByConfidence, computeCalibrationError } from '../../../../models/evaluate/calibration-error.ts';
import { type JudgedPhoto, scoreDamage } from '../../../../models/evaluate/damage-score.ts';

const labels = ['dent', 'rust'];
const box = (x: number) => ({ x, y: 0, width: 10, height: 10 });
const truth = (label: string, x: number) => ({ label, box: box(x), crowd: false });
const found = (label: string, x: number, score: number) => ({
  label,
  box: box(x),
  score,
  confidence: score,
});

const photo = (
  truths: JudgedPhoto['truths'],
  findings: JudgedPhoto['findings'],
  labelled = labels,
): JudgedPhoto => ({ labelled: new Set(labelled), truths, findings });

it('scoreDamage counts confident findings, each class only where it is labeled', () => {
  const photos: JudgedPhoto[] = [
    photo([truth('dent', 0), truth('dent', 50)], [found('dent', 0, 0.9), found('rust', 50, 0.6)]),
    photo([truth('dent', 0)], [found('dent', 0, 0.4), found('rust', 90, 0.99)], ['dent']),
    photo([], [found('dent', 0, 0.7)]),
  ];
  const clean = [photo([], []), photo([], [found('rust', 0, 0.8), found('rust', 50, 0.55)])];
  const third = expect.closeTo(1 / 3);
  // 0.9 hit, 0.7 miss, 0.4 hit: precision 1 up to recall 1/3, 2/3 up to 2/3.
  const ap50 = expect.closeTo((34 * 1 + 33 * (2 / 3)) / 101, 6);
  expect(scoreDamage(labels, photos, clean)).toMatchObject({
    classes: {
      dent: { boxes: 3, findings: 2, precision: 0.5, recall: third, ap50 },
      rust: { boxes: 0, findings: 1, precision: 0, recall: null, ap50: null, cleanPhotosWithAlarm: third },
    },
    // Of the classes that have boxes.
    precision: third,
    recall: third,
    meanAp50: ap50,
    clean: { photos: 3, alarmsPerPhoto: 1, withAlarm: expect.closeTo(2 / 3) },
    confusion: { dent: { dent: 1, rust: 1, nothing: 1 }, nothing: { dent: 1 } },
    // From a confidence of a tenth.
    calibration: { findings: 4 },
  });
});

describe('computeCalibrationError', () => {
  const said = (confidence: number, ...isCorrect: boolean[]) =>
    isCorrect.map((one) => ({ confidence, isCorrect: one }));
  it.each([
    ['sure and right', said(1, true), 0],
    ['sure and wrong', said(1, false), 1],
    ['half right at a half', said(0.5, true, false), 0],
    ['two bins, weighted', [...said(0.85, true, false), ...said(0.25, false)], (2 * 0.35 + 0.25) / 3],
  ])('%s', (_, predictions, error) => {
    expect(computeCalibrationError(predictions)).toBeCloseTo(error, 10);
  });

  it('leaves out empty bins, and is undefined of nothing', () => {
    expect(computeCalibrationError([])).toBeUndefined();
    const bin = { from: 0.3, to: 0.4, count: 1, said: 0.31, right: 1 };
    expect(binByConfidence(said(0.31, true))).toEqual([bin]);
  });
});
