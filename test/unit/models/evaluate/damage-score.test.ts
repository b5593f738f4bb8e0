import { expect, it } from 'vitest';
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
    photo([truth('dent', 0), truth('dent', 50)], [found('dent', 0, 1), found('rust', 50, 0.6)]),
    photo([truth('dent', 0)], [found('dent', 0, 0.4), found('rust', 90, 0.99)], ['dent']),
    photo([], [found('dent', 0, 0.65)]),
  ];
  const clean = [photo([], []), photo([], [found('rust', 0, 0.8), found('rust', 50, 0.55)])];
  const third = expect.closeTo(1 / 3);
  // 1 hit, 0.65 miss, 0.4 hit: precision 1 up to recall 1/3, 2/3 up to 2/3.
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
    // Those of the labeled photos, from a confidence of a tenth; two lie in one bin.
    calibration: {
      findings: 4,
      error: expect.closeTo((0.6 + 0.6 + 0.65) / 4),
      bins: [
        { from: 0.4, to: 0.5, count: 1, said: 0.4, right: 1 },
        { from: 0.6, count: 2, said: 0.625, right: 0 },
        { from: 0.9, to: 1, count: 1, said: 1, right: 1 },
      ],
    },
  });
});
