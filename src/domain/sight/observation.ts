import type { DamageSubtype, DamageType, PartUncertainty, RuleTrace } from '../damage.ts';
import type { Box } from '../geometry.ts';
import type { PartName } from '../parts.ts';
import type { DetectorLabel } from './detection.ts';

/** One damage in one photo, located, sized and graded. */
export interface Observation {
  /** Index among the usable photos. */
  readonly photo: number;
  /** Detector label. */
  readonly label: DetectorLabel;
  /** True if confident enough to be listed as damage by itself. */
  readonly isCertain: boolean;
  readonly type: DamageType;
  readonly subtype?: DamageSubtype | undefined;
  readonly part: PartName;
  /** Pixels of the upright photo. */
  readonly box: Box;
  /** 0 to 1, calibrated. */
  readonly confidence: number;
  /** Raw detector score, 0 to 1: how well the box fits. */
  readonly score: number;
  /** 0 to 10, one decimal. */
  readonly severityScore: number;
  /** Box center relative to the part's visible extent, 0 to 1 each; null if the part is truncated by the photo. */
  readonly position: { readonly x: number; readonly y: number } | null;
  /** Null if the photo has no scale. */
  readonly longSideCm: number | null;
  /** Null if the part is unambiguous. */
  readonly uncertainty?: PartUncertainty | null;
  readonly explain: readonly RuleTrace[];
}
