import { type TProperties, Type } from '../../lib/type.ts';

/** An object without other fields, so that typos show. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
/** One word of a list. */
export const literals = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
export const Source = Type.String({ minLength: 1 });
export const Share = Type.Number({ minimum: 0, maximum: 1 });
/** What every shipped table says of itself. */
export const head = {
  name: Type.String(),
  version: Type.String({ minLength: 1 }),
  effective_date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
};
