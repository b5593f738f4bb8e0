import { expect, test } from 'vitest';
import { DETECTOR_LABELS, type DetectorLabel } from '../../../../src/domain/sight/detection.ts';
import { chooseLabel } from '../../../../src/vision/judge/choose-label.ts';

type Said = Partial<Record<DetectorLabel, number>>;

test.each<[what: string, scores: Said, kinds: Said, wanted: DetectorLabel]>([
  ['what both say', { dent: 0.6, scratch: 0.2 }, { dent: 0.9, scratch: 0.1 }, 'dent'],
  ['the surer detector’s', { dent: 0.6, scratch: 0.2 }, { dent: 0.4, scratch: 0.6 }, 'dent'],
  ['the surer classifier’s', { rust: 0.5, scratch: 0.4 }, { rust: 0.02, scratch: 0.9 }, 'scratch'],
  ['one of which the classifier alone is sure', { rust: 0.05 }, { crack: 1 }, 'crack'],
  ['the detector’s, where the classifier knows none', { glass_damage: 0.3 }, {}, 'glass_damage'],
])('the class is %s', (_, scores, kinds, wanted) => {
  const inOrder = (said: Said) => DETECTOR_LABELS.map((label) => said[label] ?? 0);
  expect(chooseLabel(inOrder(scores), inOrder(kinds))).toBe(wanted);
});
