import { area, type Box, computeShareOfSmaller, iou } from '../../../src/domain/geometry.ts';
import type { LabelledDamage } from './labelled-photos.ts';

/** A find and a label that overlap by this much are about one thing, whatever either calls it. */
const LEAST_IOU = 0.1;
/** So they are where this share of the smaller lies in the larger. */
const LEAST_INSIDE = 0.5;
/** A box so many times as large as all the damage it touches does not say where the damage is. */
const TOO_LARGE = 10;

/** Returns whether two boxes of one photo are about one thing. */
export function touches(a: Box, b: Box): boolean {
  return iou(a, b) >= LEAST_IOU || computeShareOfSmaller(a, b) >= LEAST_INSIDE;
}

/**
 * What a find is: `right` where it touches a sure damage, `too_large` where it does but has more than ten times the
 * area of what it touches, `unsure` where it touches only what the labeller doubted, `wrong` elsewhere.
 */
type FindVerdict = 'right' | 'too_large' | 'unsure' | 'wrong';

export interface JudgedFind {
  readonly verdict: FindVerdict;
  /** The sure damages that it touches, empty unless it is right. */
  readonly touched: readonly LabelledDamage[];
}

/** Holds a find against the labels of its photo. */
export function judgeFind(box: Box, damages: readonly LabelledDamage[]): JudgedFind {
  const near = damages.filter((damage) => touches(box, damage.box));
  const touched = near.filter(({ sure }) => sure);
  if (touched.length === 0) return { verdict: near.length > 0 ? 'unsure' : 'wrong', touched };
  const labelled = near.reduce((sum, damage) => sum + area(damage.box), 0);
  return area(box) > TOO_LARGE * labelled
    ? { verdict: 'too_large', touched: [] }
    : { verdict: 'right', touched };
}
