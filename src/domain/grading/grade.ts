import { interpolate, roundTo } from '../../lib/numbers.ts';
import type { DamageSubtype, DamageType, RuleTrace } from '../damage.ts';
import { clamp } from '../geometry.ts';
import { isLamp, type PartName } from '../parts.ts';
import file from './severity.json' with { type: 'json' };

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

/** Severity score (0 to 10) by longest extent in centimeters, piecewise linear; `lamp` is damage of any type on a lamp. */
const SCORE_BY_SIZE = file.score_by_size_cm as Record<DamageType | 'lamp', [number, number][]>;

/** Grades a damage from 0 to 10 and returns the rule applied; the score never falls as the damage grows. */
export function gradeDamage(input: GradeInput): { score: number; explain: readonly RuleTrace[] } {
  const onLamp = isLamp(input.part);
  const gradedCm = input.longSideCm ?? input.assumedSizeCm ?? 0;
  const sizeScore = interpolate(SCORE_BY_SIZE[onLamp ? 'lamp' : input.type], gradedCm);
  const shareScore = input.partShare === null ? 0 : computeShareScore(input.type, input.partShare);
  const missingPartScore = input.subtype === 'missing_part' ? file.missing_part_score : 0;
  const score = roundTo(Math.min(10, Math.max(sizeScore, shareScore, missingPartScore)), 1);
  const inputs = {
    long_side_cm: input.longSideCm === null ? null : roundTo(input.longSideCm, 1),
    ...(input.longSideCm === null ? { assumed_close_up_cm: roundTo(gradedCm, 1) } : {}),
    part_share: input.partShare === null ? null : roundTo(input.partShare, 2),
    ...(missingPartScore > Math.max(sizeScore, shareScore) ? { subtype: 'missing_part' } : {}),
    score,
  };
  return { score, explain: [{ rule: onLamp ? 'severity.lamp' : `severity.${input.type}`, inputs }] };
}

/** Returns the minimum score by share of a panel, because a damage covering most of it is serious at any panel size. */
function computeShareScore(type: DamageType, share: number): number {
  return file.whole_panel_score[type] * clamp(share, 0, 1) ** file.share_exponent;
}
