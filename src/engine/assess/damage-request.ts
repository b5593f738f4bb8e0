import type { AssessmentDamageInput, AssessmentRequest } from '../../contract/assessment/request.ts';
import { isTypeAlias, TYPE_ALIASES } from '../../domain/aliases.ts';
import type { DamageType } from '../../domain/damage.ts';
import { USUAL_SIZE_ERROR } from '../../domain/judge/graded-size.ts';
import type { SeverityClaim } from '../../domain/judge/severity-floor.ts';
import { describeFound, type FieldFault, isObject } from '../../lib/fields.ts';
import { roundTo } from '../../lib/round.ts';
import { DAMAGE } from './request-rules.ts';

/** A damage of a request, checked; types are the contract's, an alias stands in `subtype`. */
export interface SubmittedDamage extends SeverityClaim {
  readonly id: string;
  readonly count?: number | undefined;
  /** Half-width of the interval of `sizeCm`; absent where a person stated the size. */
  readonly sizeErrorCm?: number | undefined;
}

/** Longest length that a damage may have, cm. */
const LONGEST_CM = 1000;

/** Returns a fault for each damage whose id another has already. */
export function findRepeatedDamages(damages: AssessmentRequest['damages']): readonly FieldFault[] {
  const ids = damages.map((damage) => damage.damage_id);
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id);
    const field = `damages[${index}].damage_id`;
    const message = `${field} ${describeFound(id)} is also the id of damages[${first}]; ids must differ.`;
    return first === index ? [] : [{ code: DAMAGE, field, message }];
  });
}

/** Reads a damage that fits its schema. */
export function readDamage(damage: AssessmentDamageInput): SubmittedDamage {
  const { damage_id: id, type, subtype, location, severity, severity_score: severityScore, count } = damage;
  const part = typeof location === 'string' ? location : location.part;
  return {
    id,
    ...resolveType(type, subtype),
    part,
    severity,
    severityScore,
    ...readSize(damage),
    count,
  };
}

/** Resolves a damage type or an alias of one, which stands in `subtype`. */
export function resolveType(type: AssessmentDamageInput['type'], subtype?: string) {
  return isTypeAlias(type)
    ? { type: TYPE_ALIASES[type] as DamageType, subtype: type as string }
    : { type: type as DamageType, subtype };
}

/** Returns the longest measured extent, cm, with its interval; else the length an inspection judged the severity by. */
function readSize(
  damage: AssessmentDamageInput & { readonly explain?: unknown },
): Pick<SubmittedDamage, 'sizeCm' | 'sizeErrorCm'> {
  const { length, width, diameter, uncertainty_cm: halfWidth } = { ...damage.measurements } as Measurements;
  const sizes = [length, width, diameter].filter((size) => size !== undefined);
  if (sizes.length > 0)
    return { sizeCm: Math.max(...sizes), sizeErrorCm: isLength(halfWidth) ? halfWidth : undefined };
  const traces = Array.isArray(damage.explain) ? damage.explain : [];
  for (const trace of traces) {
    const inputs = isObject(trace) && isObject(trace.inputs) ? trace.inputs : {};
    const judged = inputs.long_side_cm;
    if (isLength(judged)) return { sizeCm: judged, sizeErrorCm: roundTo(judged * USUAL_SIZE_ERROR, 1) };
  }
  return {};
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= LONGEST_CM;
}

/** Measurements of a request, of an inspection's with what only these have. */
type Measurements = NonNullable<AssessmentDamageInput['measurements']> & {
  readonly uncertainty_cm?: unknown;
};
