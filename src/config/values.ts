import type { TSchema } from '../lib/type.ts';

interface Limits {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Returns the allowed values of a flag or setting; undefined if it is not an enumeration. */
export const listChoices = ({ schema }: { readonly schema: TSchema }): readonly string[] | undefined =>
  (schema as Limits).enum;

/** Converts a value by its schema, or returns a description of the expected value. */
export function readValue(
  schema: TSchema,
  given: unknown,
): { readonly value: string | number } | { readonly needed: string } {
  const { type, enum: choices, minimum, maximum } = schema as Limits;
  if (type === 'integer' || type === 'number') {
    // A blank would convert to 0.
    const parsed = typeof given === 'string' && given.trim() === '' ? Number.NaN : Number(given);
    const fits = type === 'integer' ? Number.isInteger(parsed) : Number.isFinite(parsed);
    if (fits && parsed >= (minimum ?? parsed) && parsed <= (maximum ?? parsed)) return { value: parsed };
    const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
    return { needed: `${type === 'integer' ? 'a whole number' : 'a number'} ${range}` };
  }
  if (typeof given !== 'string' || given === '') return { needed: 'text' };
  if (choices && !choices.includes(given)) return { needed: `one of ${choices.join(', ')}` };
  return { value: given };
}
