import type { Damage, InspectionResults } from '../../contract/inspection.ts';
import type { GradeBasis } from '../../contract/inspection-grounds.ts';
import { DAMAGE_TYPES, SEVERITIES } from '../../domain/damage.ts';
import { computePartCondition } from '../../domain/grading/condition.ts';
import { listHiddenRisks } from '../../domain/grading/hidden-risks.ts';
import { computeOverallConfidence } from '../../domain/grading/overall-confidence.ts';
import { gradeVehicle, type VehicleGrade } from '../../domain/grading/vehicle-grade.ts';
import { sumBy } from '../../lib/lists.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import type { Pricer } from '../pricer.ts';
import type { Grounds } from './grounds.ts';
import { describeGradeBasis } from './grounds-words.ts';
import { priceRepair } from './price-repair.ts';

/** Inputs of a result besides its findings. */
export interface ResultContext extends Grounds {
  readonly pricer: Pricer;
  readonly hiddenDamage: boolean;
  readonly notAssessed: InspectionResults['not_assessed'];
  readonly dropped: InspectionResults['dropped_detections'];
  /** Number of vehicles that the photos appear to show. */
  readonly vehicles: number;
  /** Ids of the damages that a reviewer decided on. */
  readonly decided?: ReadonlySet<string>;
  /** A reviewer's edits of the repair. */
  readonly edits?: LineEdits;
}

/**
 * Computes overall condition, counts and sums according to the contract. Places to check do not affect `repair_cost`;
 * they affect the confidence, the grade (weighted by their confidence), and `if_all_confirmed`.
 */
export function createResults(
  damages: Damage[],
  toCheck: Damage[],
  context: ResultContext,
): InspectionResults {
  const { coverage, nextPhotos, pricer, hiddenDamage, notAssessed, dropped, vehicles, edits } = context;
  const { grade, basis } = gradeFindings(damages, toCheck, context);
  const parts = [...new Set(damages.map((damage) => damage.location.part))];
  const risks = damages.map((one) => ({ part: one.location.part, severityScore: one.severity_score }));
  return {
    ...(vehicles > 1 ? { mixed_vehicles: true as const } : {}),
    overall_condition: grade.condition,
    condition_score: grade.score,
    confidence: computeOverallConfidence(
      [...damages, ...toCheck].map(({ confidence }) => confidence),
      coverage.share,
    ),
    damages,
    damage_summary: {
      total_damages: damages.length,
      by_severity: countBy(damages, SEVERITIES, ({ severity }) => severity),
      by_type: countBy(damages, DAMAGE_TYPES, ({ type }) => type),
      total_estimated_repair: {
        min: sumRepairs(damages, 'min'),
        max: sumRepairs(damages, 'max'),
        currency: pricer.currency,
      },
    },
    parts_affected: parts.map((part) => {
      const severities = damages.flatMap((one) => (one.location.part === part ? [one.severity] : []));
      return { part, condition: computePartCondition(severities), damage_count: severities.length };
    }),
    not_assessed: notAssessed,
    dropped_detections: dropped,
    to_check: toCheck,
    ...priceRepair(damages, toCheck, pricer, edits),
    coverage,
    grade_basis: { ...basis, message: describeGradeBasis(basis, damages.length) },
    next_photos: nextPhotos,
    ...(hiddenDamage ? { hidden_damage_risks: listHiddenRisks(risks) } : {}),
  };
}

/**
 * Grades the vehicle by its findings and coverage. Damages and places to check are weighted by confidence, so the grade
 * does not jump at a threshold; reviewed findings have full confidence.
 */
function gradeFindings(
  damages: readonly Damage[],
  toCheck: readonly Damage[],
  { coverage, vehicles, decided = new Set() }: ResultContext,
): { readonly grade: VehicleGrade; readonly basis: Omit<GradeBasis, 'message'> } {
  const { seen, of, sides, share } = coverage;
  const missingSides = sides.filter(({ status }) => status !== 'seen').map(({ side }) => side);
  const weigh = (one: Damage) => one.severity_score * (decided.has(one.damage_id) ? 1 : one.confidence);
  const certain = damages.map(weigh);
  const gradeWith = (places: readonly number[]) =>
    gradeVehicle([...certain, ...places], { share, missingSides });
  const grade = gradeWith(toCheck.map(weigh));
  const present = ({ condition, score }: VehicleGrade) => ({ condition, score });
  const basis = {
    code: grade.code,
    parts_seen: seen,
    parts: of,
    sides_missing: missingSides,
    capped: grade.isCapped,
    to_check: toCheck.length,
    ...(toCheck.length > 0
      ? {
          if_none_confirmed: present(gradeWith([])),
          if_all_confirmed: present(gradeWith(toCheck.map((one) => one.severity_score))),
        }
      : {}),
    ...(vehicles > 1 ? { vehicles } : {}),
  };
  return { grade, basis };
}

/** Sums an end of the damages' own repair costs without binary fractions; amounts have at most two decimals. */
const sumRepairs = (damages: readonly Damage[], end: 'min' | 'max') =>
  sumBy(damages, (one) => Math.round(one.estimated_repair[end] * 100)) / 100;

function countBy<K extends string>(
  damages: readonly Damage[],
  kinds: readonly K[],
  read: (one: Damage) => K,
) {
  const count = (kind: K) => damages.filter((one) => read(one) === kind).length;
  return Object.fromEntries(kinds.map((kind) => [kind, count(kind)])) as Record<K, number>;
}
