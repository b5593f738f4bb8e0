import type { Tables } from '../tables/load.ts';
import type { PricingDamage } from './damage.ts';

/** Converts hours to tenths of an hour, rounded. */
export const countTenths = (hours: number) => Math.round(hours * 10);

/** Converts the hours of one repair to tenths of an hour, at least 2. */
const countRepairTenths = (hours: number) => Math.max(2, countTenths(hours));

/** Returns a damage's length for its repair time, centimeters: measured, else a neutral one, as severity has its own factor. */
export const assumeSizeCm = ({ sizeCm, severity }: PricingDamage, { size_hours }: Tables['operations']) =>
  sizeCm ?? size_hours.unmeasured_cm[severity];

/** Computes the time factor of a severity score relative to a moderate damage. */
const computeSeverityFactor = (score: number, table: Tables['operations']): number =>
  table.severity_hours.at_zero + table.severity_hours.per_point * score;

/**
 * Computes the judgment time of body work on one damage in tenths of an hour, at least 2, and its factors: part repair
 * hours x type x severity x size. Published labor times only cover replacement, not repair.
 */
export function timeRepair(damage: PricingDamage, repairHours: number, table: Tables['operations']) {
  const { reference_cm, exponent, min, max } = table.size_hours;
  const row = table.type_factor.find((candidate) => candidate.type === damage.type);
  const isDeep = damage.severityScore >= table.deep_from_score.score;
  const type = (isDeep ? row?.deep_factor : row?.factor) ?? 1;
  const severity = computeSeverityFactor(damage.severityScore, table);
  const size = Math.min(max, Math.max(min, (assumeSizeCm(damage, table) / reference_cm) ** exponent));
  const tenths = countRepairTenths(repairHours * type * severity * size);
  return { type, severity, size, tenths };
}

/** Computes the time to repair a damage of a mechanical part in place, tenths of an hour: part repair hours x severity. */
export const timeMechanicalRepair = (score: number, repairHours: number, table: Tables['operations']) =>
  countRepairTenths(repairHours * computeSeverityFactor(score, table));

/** A base time and its increase per severity point. */
export interface ScoredHours {
  readonly hours: number;
  readonly per_point: number;
}

/** Computes the time for a score, in tenths of an hour. */
export const scoreTenths = ({ hours, per_point }: ScoredHours, score: number) =>
  countTenths(hours + per_point * score);

/** Share of its time that a further job on the same part takes. */
export const FURTHER_SHARE = 0.5;

/** Combines times or amounts of similar jobs on one part: the largest in full, the others at half, rounded up. */
export function combineJobs(jobs: readonly number[]): number {
  const [largest = 0, ...others] = [...jobs].sort((a, b) => b - a);
  return others.reduce((sum, one) => sum + Math.ceil(one * FURTHER_SHARE), largest);
}
