import type { Damage, InspectionResults, ToCheck } from '../../contract/inspection.ts';
import type { Coverage, GradeBasis } from '../../contract/inspection-grounds.ts';
import {
  type Condition,
  DAMAGE_TYPES,
  type DamageType,
  SEVERITIES,
  type Severity,
} from '../../domain/damage.ts';
import { computePartCondition } from '../../domain/judge/condition.ts';
import { listHiddenRisks } from '../../domain/judge/hidden-risks.ts';
import { computeOverallConfidence } from '../../domain/judge/overall-confidence.ts';
import { gradeVehicle, type VehicleGrade } from '../../domain/judge/vehicle-grade.ts';
import type { PartName } from '../../domain/parts.ts';
import type { Pricer } from '../ports.ts';
import type { Grounds } from './grounds.ts';
import { describeGradeBasis } from './grounds-words.ts';
import { presentRepairs, type RepairDecisions, sumRepairs } from './repair-cost.ts';

/** Inputs of a result besides its findings. */
export interface ResultContext extends Grounds {
  readonly pricer: Pricer;
  readonly hiddenDamage: boolean;
  readonly notAssessed: InspectionResults['not_assessed'];
  readonly dropped: InspectionResults['dropped_detections'];
  /** Number of vehicles that the photos seem to show. */
  readonly vehicles: number;
  /** Ids of the damages that a reviewer decided on. */
  readonly decided?: ReadonlySet<string>;
  /** Reviewer decisions on the repair. */
  readonly repair?: RepairDecisions;
}

/**
 * Computes overall condition, counts and sums according to the contract. `toCheck` counts only in `if_all_confirmed`
 * and, weighted by confidence, in the grade.
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
  const judged = judgeFindings(damages, toCheck, coverage, decided);
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
  { grade, ifNoneConfirmed: none, ifAllConfirmed, missingSides }: JudgedFindings,
  coverage: Coverage,
  toCheck: number,
  vehicles: number,
): Omit<GradeBasis, 'message'> {
  const { condition, score } = ifAllConfirmed;
  return {
    code: grade.code,
    parts_seen: coverage.seen,
    parts: coverage.of,
    sides_missing: [...missingSides],
    capped: grade.isCapped,
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

/** Aggregate judgement of the findings. */
interface JudgedFindings {
  /** Grade by expected points of damages and places to check: severity times confidence. */
  readonly grade: VehicleGrade;
  /** Grade if no place to check were damage. */
  readonly ifNoneConfirmed: VehicleGrade;
  /** Grade if every place to check were damage. */
  readonly ifAllConfirmed: VehicleGrade;
  /** 0 to 1, two decimals. */
  readonly confidence: number;
  readonly missingSides: readonly Coverage['sides'][number]['side'][];
  readonly bySeverity: Readonly<Record<Severity, number>>;
  readonly byType: Readonly<Record<DamageType, number>>;
  /** Damaged parts, ordered by their first damage. */
  readonly parts: readonly {
    readonly part: PartName;
    readonly condition: Condition;
    readonly damages: number;
  }[];
}

/**
 * Grades the vehicle by its findings and coverage. Damages and places to check are weighted by confidence, so no
 * threshold makes the grade jump; reviewed findings have full confidence.
 */
function judgeFindings(
  damages: readonly Damage[],
  toCheck: readonly ToCheck[],
  { sides, share }: Coverage,
  decided: ReadonlySet<string>,
): JudgedFindings {
  const missingSides = sides.filter(({ status }) => status !== 'seen').map(({ side }) => side);
  const weigh = (one: Damage | ToCheck) =>
    one.severity_score * (decided.has(one.damage_id) ? 1 : one.confidence);
  const certain = damages.map(weigh);
  const coverage = { share, missingSides };
  const parts = [...new Set(damages.map((damage) => damage.location.part))];
  return {
    grade: gradeVehicle([...certain, ...toCheck.map(weigh)], coverage),
    ifNoneConfirmed: gradeVehicle(certain, coverage),
    ifAllConfirmed: gradeVehicle([...certain, ...toCheck.map((one) => one.severity_score)], coverage),
    confidence: computeOverallConfidence(
      [...damages, ...toCheck].map(({ confidence }) => confidence),
      share,
    ),
    missingSides,
    bySeverity: countBy(SEVERITIES, (severity) => damages.filter((d) => d.severity === severity).length),
    byType: countBy(DAMAGE_TYPES, (type) => damages.filter((d) => d.type === type).length),
    parts: parts.map((part) => {
      const onPart = damages.filter((damage) => damage.location.part === part);
      return { part, condition: computePartCondition(onPart.map((d) => d.severity)), damages: onPart.length };
    }),
  };
}

function countBy<K extends string>(keys: readonly K[], count: (key: K) => number): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, count(key)])) as Record<K, number>;
}
