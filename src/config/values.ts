import { checkScalar, describeNumber, type Schema } from '../lib/check-value.ts';
import { parseDecimal } from '../lib/numbers.ts';
import type { TSchema } from '../lib/type.ts';

/** Returns the allowed values of a flag or setting; undefined if it is not an enumeration. */
export const listChoices = ({ schema }: { readonly schema: TSchema }): readonly string[] | undefined =>
  (schema as Schema).enum;

/** Converts typed text by the schema of a number, a choice or a text, not blank, or describes the expected value. */
export function readValue(
  schema: TSchema,
  given: unknown,
): { readonly value: string | number } | { readonly needed: string } {
  const { type, enum: choices, maxLength } = schema as Schema;
  if (type === 'integer' || type === 'number') {
    const number = typeof given === 'string' ? parseDecimal(given) : given;
    return checkScalar(schema as Schema, number)
      ? { needed: describeNumber(schema as Schema) }
      : { value: number as number };
  }
  if (typeof given !== 'string' || given.trim() === '') return { needed: 'text' };
  if (choices && !choices.includes(given)) return { needed: `one of ${choices.join(', ')}` };
  if (maxLength !== undefined && checkScalar(schema as Schema, given, true))
    return { needed: `text of at most ${maxLength} characters, none of them a control character,` };
  return { value: given };
}
