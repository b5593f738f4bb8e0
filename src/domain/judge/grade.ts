import { type Curve, interpolate, roundTo } from '../../lib/numbers.ts';
import type { DamageSubtype, DamageType, RuleTrace } from '../damage.ts';
import { clamp } from '../geometry.ts';
import { isLamp, type PartName } from '../parts.ts';

interface GradeInput {
  readonly type: DamageType;
  readonly subtype?: DamageSubtype | undefined;
  readonly part: PartName;
  /** Longest extent, centimeters; null if the photo has no scale. */
  readonly longSideCm: number | null;
  /** Extent assuming a typical close-up, centimeters; used for grading without a scale. */
  readonly assumedSizeCm?: number;
  /** Share of the part's visible area covered by the damage, 0 to 1; null if the part's extent is unknown. */
  readonly partShare: number | null;
}

/**
 * Severity score (0 to 10) by longest extent, piecewise linear. Anchors: scratches to 2.5 cm and dents to 1.5 cm are
 * fair wear by the BVRLA lease standard (score about 1), 5–6 inches is PAVE/NAAA "medium" (about 2.5, the moderate
 * tier). Beyond that the curves are assumed to match the tiers' meanings (severe = the panel is repaired with filler or
 * replaced).
 */
const SCORE_BY_SIZE = {
  scratch: [
    [0, 0.6],
    [2.5, 1],
    [14, 2.2],
    [30, 3],
    [80, 4.6],
    [200, 5.4],
  ],
  dent: [
    [0, 0.8],
    [1.5, 1],
    [6, 2.3],
    [14, 3.3],
    [35, 5],
    [80, 6.2],
    [200, 7],
  ],
  rust: [
    [0, 1.8],
    [2, 2.3],
    [10, 3.6],
    [30, 5.2],
    [100, 7],
  ],
  crack: [
    [0, 1.8],
    [3, 2.5],
    [15, 4],
    [40, 5.4],
    [120, 6.8],
  ],
  paint_damage: [
    [0, 0.6],
    [1, 0.9],
    [6, 2],
    [25, 3.2],
    [100, 5],
  ],
  glass_damage: [
    [0, 1.6],
    [2.5, 2.3],
    [10, 3.4],
    [25, 5],
    [120, 6.5],
  ],
  panel_damage: [
    [0, 2.8],
    [15, 3.6],
    [40, 5],
    [90, 6.4],
    [200, 8],
  ],
} as const satisfies Record<DamageType, Curve>;

/** A lamp is broken or intact: even a small crack lets water in, so the curve starts high. Assumed. */
const LAMP_SCORE_BY_SIZE: Curve = [
  [0, 3],
  [8, 4],
  [20, 5],
  [60, 5.8],
];

/** Grades a damage from 0 to 10 and returns the rule applied; the score never falls as the damage grows. */
export function gradeDamage(input: GradeInput): { score: number; explain: readonly RuleTrace[] } {
  const onLamp = isLamp(input.part);
  const gradedCm = input.longSideCm ?? input.assumedSizeCm ?? 0;
  const sizeScore = interpolate(onLamp ? LAMP_SCORE_BY_SIZE : SCORE_BY_SIZE[input.type], gradedCm);
  const shareScore = input.partShare === null ? 0 : computeShareScore(input.type, input.partShare);
  const missingPartScore = input.subtype === 'missing_part' ? 5 : 0;
  const score = roundTo(Math.min(10, Math.max(sizeScore, shareScore, missingPartScore)), 1);
  return {
    score,
    explain: [
      {
        rule: onLamp ? 'severity.lamp' : `severity.${input.type}`,
        inputs: {
          long_side_cm: input.longSideCm === null ? null : roundTo(input.longSideCm, 1),
          ...(input.longSideCm === null ? { assumed_close_up_cm: roundTo(gradedCm, 1) } : {}),
          part_share: input.partShare === null ? null : roundTo(input.partShare, 2),
          score,
        },
      },
    ],
  };
}

/** Minimum score of a damage that covers a whole panel. Assumed. */
const WHOLE_PANEL_SCORE = {
  scratch: 4,
  dent: 6,
  rust: 6.5,
  crack: 6,
  paint_damage: 4,
  glass_damage: 5.5,
  panel_damage: 7.6,
} as const satisfies Record<DamageType, number>;

/** Returns the minimum score by share of a panel, because a damage covering most of it is serious at any panel size. */
function computeShareScore(type: DamageType, share: number): number {
  return WHOLE_PANEL_SCORE[type] * clamp(share, 0, 1) ** 0.6;
}
