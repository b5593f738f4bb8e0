import { type Static, Type } from '../../lib/type.ts';
import { Source } from './schema-parts.ts';

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

/** What one unit of the base currency is worth; a row without a date is of the table's. */
const FxRow = Type.Object(
  {
    currency: CurrencyCode,
    per_base: Type.Number({ exclusiveMinimum: 0 }),
    date: Type.Optional(DateText),
    source: Type.Optional(Source),
  },
  { additionalProperties: false },
);

export const FxTableSchema = Type.Object(
  {
    name: Type.String(),
    version: Type.String({ minLength: 1 }),
    effective_date: DateText,
    base: CurrencyCode,
    source: Source,
    rows: Type.Array(FxRow),
  },
  { additionalProperties: false },
);
export type FxTable = Static<typeof FxTableSchema>;

/** A rate of the user's own: units of the currency for one US dollar. */
export const OwnRateSchema = Type.Object(
  { currency: CurrencyCode, per_usd: Type.Number({ exclusiveMinimum: 0 }), date: DateText, source: Source },
  { additionalProperties: false },
);
