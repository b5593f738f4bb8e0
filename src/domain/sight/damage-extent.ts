import { roundTo } from '../../lib/numbers.ts';
import type { DamageType, Severity } from '../damage.ts';
import type { Box } from '../geometry.ts';
import { computeSize, type Scale } from './measure.ts';

/** Typical depths, because a single photo shows none: by tier (scratch), or as a share of the diameter (dent). */
const SCRATCH_DEPTH_CM = {
  minor: 0.01,
  moderate: 0.02,
  severe: 0.05,
  critical: 0.1,
} as const satisfies Record<Severity, number>;
const DENT_DEPTH_SHARE = 0.06;
const MIN_DENT_DEPTH_CM = 0.1;

/** Size of a damage, from the scale of its photo. */
export interface DamageExtent {
  readonly longSideCm: number;
  readonly shortSideCm: number;
  /** Typical depth for the type, not measured; null for types without one. */
  readonly depthCm: number | null;
  readonly uncertaintyCm: number;
  /** Object of known length from which the scale was derived. */
  readonly reference: string;
}

/** Measures a damage; `box` is clipped to the vehicle part, pixels of the upright photo. */
export function measureExtent(type: DamageType, severity: Severity, box: Box, scale: Scale): DamageExtent {
  const { longSideCm, shortSideCm } = computeSize(box, scale);
  return {
    longSideCm,
    shortSideCm,
    depthCm: estimateDepthCm(type, severity, longSideCm),
    uncertaintyCm: roundTo(longSideCm * scale.relativeError, 1),
    reference: scale.reference,
  };
}

function estimateDepthCm(type: DamageType, severity: Severity, longSideCm: number): number | null {
  if (type === 'scratch') return SCRATCH_DEPTH_CM[severity];
  if (type === 'dent') return roundTo(Math.max(MIN_DENT_DEPTH_CM, longSideCm * DENT_DEPTH_SHARE), 1);
  return null;
}
