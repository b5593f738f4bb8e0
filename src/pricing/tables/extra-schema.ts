import { type Static, type TProperties, Type } from 'typebox';
import { CURRENCY_CODES } from '../../domain/money.ts';

const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const literals = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
const Source = Type.String({ minLength: 1 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const head = {
  name: Type.String(),
  version: Type.String({ minLength: 1 }),
  effective_date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
};

export const AssociatedSchema = closed({
  ...head,
  currency: literals(CURRENCY_CODES),
  basis: Type.String(),
  likely_from: Share,
  rows: Type.Array(
    closed({
      on: Type.Array(Type.String(), { minItems: 1 }),
      when: literals(['replaced', 'removed', 'painted', 'pushed'] as const),
      operation: literals(['R&R', 'R&I', 'Refn', 'Subl', 'Add'] as const),
      part: Type.String({ minLength: 1 }),
      department: literals(['body', 'refinish', 'mechanical', 'glass'] as const),
      hours: Type.Number({ minimum: 0, maximum: 500 }),
      price: Type.Number({ minimum: 0 }),
      frequency: Share,
      source: Source,
    }),
  ),
});
export type AssociatedTable = Static<typeof AssociatedSchema>;

export const SpreadsSchema = closed({
  ...head,
  meaning: Type.String({ minLength: 1 }),
  basis: Type.String(),
  rows: Type.Array(
    closed({
      of: Type.String({ minLength: 1 }),
      low: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
      high: Type.Number({ minimum: 1 }),
      source: Source,
    }),
  ),
});
export type SpreadsTable = Static<typeof SpreadsSchema>;
