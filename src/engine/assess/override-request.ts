import type { AssessmentRequest, Override } from '../../contract/assessment/request.ts';
import type { DamageType } from '../../domain/damage.ts';
import { describeFound, type FieldFault, suggestNames } from '../../lib/fields.ts';
import { resolveType } from './damage-request.ts';
import { REQUEST } from './request-rules.ts';

/** An adjuster's correction, its type resolved like that of a damage. */
export interface CheckedOverride extends Omit<Override, 'type'> {
  readonly type?: DamageType;
  readonly subtype?: string | undefined;
  readonly index: number;
}

/** Returns a fault for each override of a damage that is not there, or that another overrides already. */
export function findOverrideFaults(
  overrides: readonly Override[],
  damages: AssessmentRequest['damages'],
): readonly FieldFault[] {
  const known = damages.map((damage) => damage.damage_id);
  const ids = overrides.map((override) => override.damage_id);
  return ids.flatMap((id, index) => {
    const field = `overrides[${index}].damage_id`;
    if (!known.includes(id))
      return [
        {
          code: REQUEST,
          field,
          message: `${field} is ${describeFound(id)}, which is not known.`,
          hint: suggestNames(id, known),
        },
      ];
    if (ids.indexOf(id) === index) return [];
    return [{ code: REQUEST, field, message: `${field} ${describeFound(id)} is overridden twice.` }];
  });
}

/** Reads an override that fits its schema. */
export function readOverride({ damage_id, type, ...values }: Override, index: number): CheckedOverride {
  return { damage_id, index, ...(type === undefined ? {} : resolveType(type)), ...values };
}
