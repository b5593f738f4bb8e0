import { describe, expect, it } from 'vitest';
import { binByConfidence, computeCalibrationError } from '../../../../models/evaluate/calibration-error.ts';
import { type JudgedPhoto, scoreDamage } from '../../../../models/evaluate/damage-score.ts';

const labels = ['dent', 'rust'];
const both = new Set(labels);
const box = (x: number) => ({ x, y: 0, width: 10, height: 10 });
const truth = (label: string, x: number) => ({ label, box: box(x), crowd: false });
const found = (label: string, x: number, confidence: number) => ({
  label,
  box: box(x),
  score: confidence,
  confidence,
});

describe('scoreDamage', () => {
  const photos: JudgedPhoto[] = [
    {
      labelled: both,
      truths: [truth('dent', 0), truth('dent', 50)],
      findings: [found('dent', 0, 0.9), found('rust', 50, 0.6)],
    },
    {
      labelled: new Set(['dent']),
      truths: [truth('dent', 0)],
      findings: [found('dent', 0, 0.4), found('rust', 90, 0.99)],
    },
    { labelled: both, truths: [], findings: [found('dent', 0, 0.7)] },
  ];
  const clean: JudgedPhoto[] = [
    { labelled: both, truths: [], findings: [] },
    { labelled: both, truths: [], findings: [found('rust', 0, 0.8), found('rust', 50, 0.55)] },
  ];
  const score = scoreDamage(labels, photos, clean);

  it('counts from a half on, each class only where it is labeled', () => {
    expect(score.classes.dent).toMatchObject({ boxes: 3, findings: 2, precision: 0.5 });
    expect(score.classes.dent?.recall).toBeCloseTo(1 / 3);
    expect(score.classes.rust).toMatchObject({
      boxes: 0,
      findings: 1,
      precision: 0,
      recall: null,
      ap50: null,
    });
    expect(score.precision).toBeCloseTo(1 / 3);
    expect(score.recall).toBeCloseTo(1 / 3);
  });

  it('takes the mean over classes that have boxes', () => {
    // 0.9 hit, 0.7 miss, 0.4 hit: precision 1 up to recall 1/3, 2/3 up to 2/3
    expect(score.classes.dent?.ap50).toBeCloseTo((34 * 1 + 33 * (2 / 3)) / 101, 6);
    expect(score.meanAp50).toBe(score.classes.dent?.ap50);
  });

  it('counts false alarms on photos without damage', () => {
    expect(score.clean).toMatchObject({ photos: 3, alarmsPerPhoto: 1 });
    expect(score.clean.withAlarm).toBeCloseTo(2 / 3);
    expect(score.classes.rust?.cleanPhotosWithAlarm).toBeCloseTo(1 / 3);
  });

  it('counts which class was predicted for which', () => {
    expect(score.confusion).toEqual({ dent: { dent: 1, rust: 1, nothing: 1 }, nothing: { dent: 1 } });
  });

  it('judges confidence from a tenth on', () => {
    expect(score.calibration.findings).toBe(4);
  });
});

describe('computeCalibrationError', () => {
  it.each<[string, [number, boolean][], number | undefined]>([
    ['nothing said', [], undefined],
    ['sure and right', [[1, true]], 0],
    ['sure and wrong', [[1, false]], 1],
    [
      'half right at a half',
      [
        [0.5, true],
        [0.5, false],
      ],
      0,
    ],
    [
      'two bins, weighted',
      [
        [0.85, true],
        [0.85, false],
        [0.25, false],
      ],
      (2 * 0.35 + 0.25) / 3,
    ],
  ])('%s', (_, said, error) => {
    const predictions = said.map(([confidence, isCorrect]) => ({ confidence, isCorrect }));
    if (error === undefined) expect(computeCalibrationError(predictions)).toBeUndefined();
    else expect(computeCalibrationError(predictions)).toBeCloseTo(error, 10);
  });

  it('leaves out empty bins', () => {
    expect(binByConfidence([{ confidence: 0.31, isCorrect: true }])).toEqual([
      { from: 0.3, to: 0.4, count: 1, said: 0.31, right: 1 },
    ]);
  });
});
