import type { Damage, InspectionResults, ToCheck } from '../../contract/inspection.ts';
import type { Coverage, GradeBasis, NextPhoto } from '../../contract/inspection-grounds.ts';
import { DAMAGE_TYPES, SEVERITIES } from '../../domain/damage.ts';
import { partCondition } from '../../domain/judge/condition.ts';
import { gradeVehicle, overallConfidence } from '../../domain/judge/grounded-grade.ts';
import { hiddenRisks } from '../../domain/judge/hidden-risks.ts';
import type { Pricer } from '../ports.ts';
import { wordsForGrade } from './grounds-words.ts';
import { repairCost } from './repair-cost.ts';

/** What a result says besides its finds. */
export interface ResultContext {
  readonly coverage: Coverage;
  readonly nextPhotos: NextPhoto[];
  readonly pricer: Pricer;
  readonly hiddenDamage: boolean;
  readonly notAssessed: InspectionResults['not_assessed'];
  readonly dropped: InspectionResults['dropped_detections'];
  /** Vehicles that the photos seem to show. */
  readonly vehicles: number;
}

/**
 * Returns overall condition, counts and sums, as the contract adds them up. Of `toCheck` nothing is counted except in
 * `if_all_confirmed`.
 */
export function presentResults(
  damages: Damage[],
  toCheck: ToCheck[],
  context: ResultContext,
): InspectionResults {
  const { coverage } = context;
  const missing = coverage.sides.filter(({ status }) => status !== 'seen').map(({ side }) => side);
  const scores = damages.map((damage) => damage.severity_score);
  const grounds = { share: coverage.share, sidesMissing: missing };
  const grade = gradeVehicle(scores, grounds);
  const confirmed = gradeVehicle([...scores, ...toCheck.map((one) => one.severity_score)], grounds);
  const parts = [...new Set(damages.map((damage) => damage.location.part))];
  const basis: Omit<GradeBasis, 'message'> = {
    code: grade.code,
    parts_seen: coverage.seen,
    parts: coverage.of,
    sides_missing: missing,
    capped: grade.capped,
    to_check: toCheck.length,
    ...(toCheck.length > 0
      ? { if_all_confirmed: { condition: confirmed.condition, score: confirmed.score } }
      : {}),
    ...(context.vehicles > 1 ? { vehicles: context.vehicles } : {}),
  };
  return {
    overall_condition: grade.condition,
    condition_score: grade.score,
    confidence: overallConfidence(
      damages.map((damage) => damage.confidence),
      coverage.share,
      toCheck.map((place) => place.confidence),
    ),
    damages,
    damage_summary: {
      total_damages: damages.length,
      by_severity: countBy(SEVERITIES, (severity) => damages.filter((d) => d.severity === severity).length),
      by_type: countBy(DAMAGE_TYPES, (type) => damages.filter((d) => d.type === type).length),
      total_estimated_repair: {
        min: sum(damages.map((d) => d.estimated_repair.min)),
        max: sum(damages.map((d) => d.estimated_repair.max)),
        currency: context.pricer.currency,
      },
    },
    parts_affected: parts.map((part) => {
      const here = damages.filter((damage) => damage.location.part === part);
      return { part, condition: partCondition(here.map((d) => d.severity)), damage_count: here.length };
    }),
    not_assessed: context.notAssessed,
    dropped_detections: context.dropped,
    to_check: toCheck,
    repair_cost: repairCost(damages, context.pricer),
    if_all_confirmed: repairCost([...damages, ...toCheck], context.pricer),
    coverage,
    grade_basis: { ...basis, message: wordsForGrade(basis, damages.length) },
    next_photos: context.nextPhotos,
    ...(context.hiddenDamage
      ? {
          hidden_damage_risks: hiddenRisks(
            damages.map((d) => ({ part: d.location.part, severityScore: d.severity_score })),
          ),
        }
      : {}),
  };
}

function countBy<K extends string>(keys: readonly K[], count: (key: K) => number): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, count(key)])) as Record<K, number>;
}

/** Adds amounts that each have at most two decimals, without binary rounding errors. */
function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + Math.round(amount * 100), 0) / 100;
}
