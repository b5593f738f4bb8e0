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
  readonly grade: GroundedGrade;
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

/** Judges finds by what is seen of the vehicle; places to check count in `ifAllConfirmed` and `confidence` alone. */
export function judgeFinds(
  damages: readonly Damage[],
  toCheck: readonly ToCheck[],
  { sides, share }: Coverage,
): JudgedFinds {
  const sidesMissing = sides.filter(({ status }) => status !== 'seen').map(({ side }) => side);
  const scores = damages.map((damage) => damage.severity_score);
  const grounds = { share, sidesMissing };
  const parts = [...new Set(damages.map((damage) => damage.location.part))];
  return {
    grade: gradeVehicle(scores, grounds),
    ifAllConfirmed: gradeVehicle([...scores, ...toCheck.map((one) => one.severity_score)], grounds),
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
