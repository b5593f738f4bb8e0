import { area, type Box, computeShareOfSmaller, iou } from '../../../src/domain/geometry.ts';
import type { LabelledDamage } from './labelled-photos.ts';

/** Minimum IoU of a matching finding and label, whatever their types. */
const LEAST_IOU = 0.1;
/** Fraction of the smaller box inside the larger that also counts as a match. */
const LEAST_INSIDE = 0.5;
/** A box this many times as large as all touched damage does not localize it. */
const TOO_LARGE = 10;

/** Returns true if two boxes of a photo match. */
export function touches(a: Box, b: Box): boolean {
  return iou(a, b) >= LEAST_IOU || computeShareOfSmaller(a, b) >= LEAST_INSIDE;
}

/**
 * Verdict on a finding: `right` if it touches a sure damage, `too_large` if its area is more than ten times that of the
 * damage it touches, `unsure` if it only touches doubtful damage, else `wrong`.
 */
type FindVerdict = 'right' | 'too_large' | 'unsure' | 'wrong';

export interface JudgedFind {
  readonly verdict: FindVerdict;
  /** Sure damages that it touches; empty unless it is right. */
  readonly touched: readonly LabelledDamage[];
}

/** Compares a finding with the labels of its photo. */
export function judgeFind(box: Box, damages: readonly LabelledDamage[]): JudgedFind {
  const near = damages.filter((damage) => touches(box, damage.box));
  const touched = near.filter(({ sure }) => sure);
  if (touched.length === 0) return { verdict: near.length > 0 ? 'unsure' : 'wrong', touched };
  const labelled = near.reduce((sum, damage) => sum + area(damage.box), 0);
  return area(box) > TOO_LARGE * labelled
    ? { verdict: 'too_large', touched: [] }
    : { verdict: 'right', touched };
}
