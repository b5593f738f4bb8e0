import { type Static, type TProperties, Type } from '../../lib/type.ts';

/** An object without other fields, so that typos show. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
/** One word of a list. */
export const literals = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
export const Text = Type.String({ minLength: 1 });
/** Where the figures of a row come from. */
export const Source = Type.String({ minLength: 1 });
export const Share = Type.Number({ minimum: 0, maximum: 1 });
export const Hours = Type.Number({ minimum: 0, maximum: 500 });
export const Price = Type.Number({ minimum: 0 });
export const Factor = Type.Number({ exclusiveMinimum: 0 });
/** The ends of a range: what it holds and what it may not pass. */
export const rangeEnds = {
  low: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  high: Type.Number({ minimum: 1 }),
};

/** A code of ISO 4217; that it exists is checked apart, with the nearest one that does. */
export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  title: 'a code of three capital letters, such as "USD",',
});
/** A day; that the calendar has it is checked apart. */
export const DateText = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  title: 'a day as YYYY-MM-DD, such as "2026-03-01",',
});

/** What every shipped table says of itself. */
export const head = {
  name: Type.String(),
  version: Text,
  effective_date: DateText,
};

/** Dents by the coin that covers them, smallest first. */
export const PDR_SIZES = ['dime', 'nickel', 'quarter', 'half_dollar'] as const;
const Cell = Type.Union([Price, Type.Null()], {
  title: 'a price, or null for dents that are not repaired by PDR,',
});
/** Prices for up to `up_to_dents` dents on one kind of panel, by the coin that covers the largest. */
export const pdrRow = {
  panel: literals(['flat', 'side'] as const),
  up_to_dents: Type.Integer({ minimum: 1 }),
  price: closed({ dime: Cell, nickel: Cell, quarter: Cell, half_dollar: Cell } satisfies Record<
    (typeof PDR_SIZES)[number],
    typeof Cell
  >),
};
const PdrRow = closed(pdrRow);
export type PdrRow = Static<typeof PdrRow>;
