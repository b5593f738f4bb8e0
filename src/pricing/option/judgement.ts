import type { OperationsTable } from '../tables/schema.ts';
import type { PricingDamage } from './damage.ts';

/**
 * Returns how much longer a damage takes than one of the reference length; where it is not measured, by the usual
 * length of its severity.
 */
function computeSizeFactor(
  { sizeCm, severity }: Pick<PricingDamage, 'sizeCm' | 'severity'>,
  table: OperationsTable,
): number {
  const { reference_cm, exponent, min, max, unmeasured_cm } = table.size_hours;
  return Math.min(max, Math.max(min, ((sizeCm ?? unmeasured_cm[severity]) / reference_cm) ** exponent));
}

/** Returns how much longer a damage of this score takes than a moderate one. */
export function computeSeverityFactor(score: number, table: OperationsTable): number {
  return table.severity_hours.at_zero + table.severity_hours.per_point * score;
}

/** Returns by which the repair hours of a part are multiplied for one damage. */
export function findRepairFactors(damage: PricingDamage, table: OperationsTable) {
  const row = table.type_factor.find((candidate) => candidate.type === damage.type);
  const deep = damage.severityScore >= table.deep_from_score.score;
  return {
    type: (deep ? row?.deep_factor : row?.factor) ?? 1,
    severity: computeSeverityFactor(damage.severityScore, table),
    size: computeSizeFactor(damage, table),
  };
}

/**
 * Returns the judgement time of the body work on one damage, whole tenths of an hour, at least 0.2 h: repair hours of
 * the part x type x severity x size. Published times exist for replacing, never for repairing.
 */
export function computeRepairTenths(
  damage: PricingDamage,
  repairHours: number,
  table: OperationsTable,
): number {
  const { type, severity, size } = findRepairFactors(damage, table);
  return Math.max(2, Math.round(repairHours * type * severity * size * 10));
}

/** A time that starts at `hours` and grows with the score. */
export interface ScoredHours {
  readonly hours: number;
  readonly per_point: number;
}

/** Returns the time for a score, whole tenths of an hour. */
export const scoreTenths = ({ hours, per_point }: ScoredHours, score: number) =>
  Math.round((hours + per_point * score) * 10);

/**
 * Returns the time of several like jobs on one part: the longest in full, each other at half, rounded up; order does
 * not matter.
 */
export function combineTimes(times: readonly number[]): number {
  const [longest = 0, ...rest] = [...times].sort((a, b) => b - a);
  return rest.reduce((sum, time) => sum + Math.ceil(time / 2), longest);
}
