import type { Damage, ToCheck } from '../../contract/inspection.ts';
import type { Coverage } from '../../contract/inspection-grounds.ts';
import {
  type Condition,
  DAMAGE_TYPES,
  type DamageType,
  SEVERITIES,
  type Severity,
} from '../../domain/damage.ts';
import { judgePartCondition } from '../../domain/judge/condition.ts';
import {
  computeOverallConfidence,
  type GroundedGrade,
  gradeVehicle,
} from '../../domain/judge/grounded-grade.ts';
import type { PartName } from '../../domain/parts.ts';

/** What the finds say together. */
export interface JudgedFinds {
  /** By the expected points of damages and places to check: severity times confidence. */
  readonly grade: GroundedGrade;
  /** The grade if no place to check were damage. */
  readonly ifNoneConfirmed: GroundedGrade;
  /** The grade if every place to check were damage. */
  readonly ifAllConfirmed: GroundedGrade;
  /** 0 to 1, two decimals. */
  readonly confidence: number;
  readonly sidesMissing: readonly Coverage['sides'][number]['side'][];
  readonly bySeverity: Readonly<Record<Severity, number>>;
  readonly byType: Readonly<Record<DamageType, number>>;
  /** The parts with damage, in order of their first damage. */
  readonly parts: readonly {
    readonly part: PartName;
    readonly condition: Condition;
    readonly damages: number;
  }[];
}

/**
 * Judges finds by what is seen of the vehicle. Both weigh in the grade by their confidence, so that no limit makes it
 * jump; what a person decided is sure.
 */
export function judgeFinds(
  damages: readonly Damage[],
  toCheck: readonly ToCheck[],
  { sides, share }: Coverage,
  decided: ReadonlySet<string>,
): JudgedFinds {
  const sidesMissing = sides.filter(({ status }) => status !== 'seen').map(({ side }) => side);
  const weigh = (one: Damage | ToCheck) =>
    one.severity_score * (decided.has(one.damage_id) ? 1 : one.confidence);
  const certain = damages.map(weigh);
  const grounds = { share, sidesMissing };
  const parts = [...new Set(damages.map((damage) => damage.location.part))];
  return {
    grade: gradeVehicle([...certain, ...toCheck.map(weigh)], grounds),
    ifNoneConfirmed: gradeVehicle(certain, grounds),
    ifAllConfirmed: gradeVehicle([...certain, ...toCheck.map((one) => one.severity_score)], grounds),
    confidence: computeOverallConfidence(
      damages.map((damage) => damage.confidence),
      share,
      toCheck.map((place) => place.confidence),
    ),
    sidesMissing,
    bySeverity: countBy(SEVERITIES, (severity) => damages.filter((d) => d.severity === severity).length),
    byType: countBy(DAMAGE_TYPES, (type) => damages.filter((d) => d.type === type).length),
    parts: parts.map((part) => {
      const here = damages.filter((damage) => damage.location.part === part);
      return { part, condition: judgePartCondition(here.map((d) => d.severity)), damages: here.length };
    }),
  };
}

function countBy<K extends string>(keys: readonly K[], count: (key: K) => number): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, count(key)])) as Record<K, number>;
}
