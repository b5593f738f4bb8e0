import type { Damage, InspectionResults, ToCheck } from '../../contract/inspection.ts';
import type { Coverage, GradeBasis } from '../../contract/inspection-grounds.ts';
import { listHiddenRisks } from '../../domain/judge/hidden-risks.ts';
import type { Pricer } from '../ports.ts';
import type { Grounds } from './grounds.ts';
import { describeGradeBasis } from './grounds-words.ts';
import { type JudgedFinds, judgeFinds } from './judge-finds.ts';
import { presentRepairs, type RepairDecisions, sumRepairs } from './repair-cost.ts';

/** What a result says besides its finds. */
export interface ResultContext extends Grounds {
  readonly pricer: Pricer;
  readonly hiddenDamage: boolean;
  readonly notAssessed: InspectionResults['not_assessed'];
  readonly dropped: InspectionResults['dropped_detections'];
  /** Vehicles that the photos seem to show. */
  readonly vehicles: number;
  /** Ids of the damages that a person decided on. */
  readonly decided?: ReadonlySet<string>;
  /** What a person decided on the repair itself. */
  readonly repair?: RepairDecisions;
}

/**
 * Returns overall condition, counts and sums, as the contract adds them up. Of `toCheck` nothing is counted except in
 * `if_all_confirmed` and, by its likelihood, in the grade.
 */
export function createResults(
  damages: Damage[],
  toCheck: ToCheck[],
  {
    coverage,
    nextPhotos,
    pricer,
    hiddenDamage,
    notAssessed,
    dropped,
    vehicles,
    decided = new Set(),
    repair = {},
  }: ResultContext,
): InspectionResults {
  const judged = judgeFinds(damages, toCheck, coverage, decided);
  const basis = presentBasis(judged, coverage, toCheck.length, vehicles);
  return {
    ...(vehicles > 1 ? { mixed_vehicles: true as const } : {}),
    overall_condition: judged.grade.condition,
    condition_score: judged.grade.score,
    confidence: judged.confidence,
    damages,
    damage_summary: {
      total_damages: damages.length,
      by_severity: { ...judged.bySeverity },
      by_type: { ...judged.byType },
      total_estimated_repair: { ...sumRepairs(damages), currency: pricer.currency },
    },
    parts_affected: judged.parts.map(({ part, condition, damages: damage_count }) => ({
      part,
      condition,
      damage_count,
    })),
    not_assessed: notAssessed,
    dropped_detections: dropped,
    to_check: toCheck,
    ...presentRepairs(damages, toCheck, pricer, repair),
    coverage,
    grade_basis: { ...basis, message: describeGradeBasis(basis, damages.length) },
    next_photos: nextPhotos,
    ...(hiddenDamage
      ? {
          hidden_damage_risks: listHiddenRisks(
            damages.map((d) => ({ part: d.location.part, severityScore: d.severity_score })),
          ),
        }
      : {}),
  };
}

function presentBasis(
  { grade, ifNoneConfirmed: none, ifAllConfirmed, sidesMissing }: JudgedFinds,
  coverage: Coverage,
  toCheck: number,
  vehicles: number,
): Omit<GradeBasis, 'message'> {
  const { condition, score } = ifAllConfirmed;
  return {
    code: grade.code,
    parts_seen: coverage.seen,
    parts: coverage.of,
    sides_missing: [...sidesMissing],
    capped: grade.capped,
    to_check: toCheck,
    ...(toCheck > 0
      ? {
          if_none_confirmed: { condition: none.condition, score: none.score },
          if_all_confirmed: { condition, score },
        }
      : {}),
    ...(vehicles > 1 ? { vehicles } : {}),
  };
}
