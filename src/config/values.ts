import type { TSchema } from '../lib/type.ts';

interface Limits {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Returns the values that a flag or setting chooses among; undefined where it takes others. */
export const listChoices = ({ schema }: { readonly schema: TSchema }): readonly string[] | undefined =>
  (schema as Limits).enum;

/** Returns what was typed as its schema has it, or what is needed instead. */
export function readValue(
  schema: TSchema,
  given: unknown,
): { readonly value: string | number } | { readonly needed: string } {
  const { type, enum: choices, minimum, maximum } = schema as Limits;
  if (type === 'integer' || type === 'number') {
    // A blank would count as 0.
    const figure = typeof given === 'string' && given.trim() === '' ? Number.NaN : Number(given);
    const fits = type === 'integer' ? Number.isInteger(figure) : Number.isFinite(figure);
    if (fits && figure >= (minimum ?? figure) && figure <= (maximum ?? figure)) return { value: figure };
    const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
    return { needed: `${type === 'integer' ? 'a whole number' : 'a number'} ${range}` };
  }
  if (typeof given !== 'string' || given === '') return { needed: 'text' };
  if (choices && !choices.includes(given)) return { needed: `one of ${choices.join(', ')}` };
  return { value: given };
}
