import { Type } from '../../lib/type.ts';

export const Text = Type.String({ minLength: 1 });
export const Source = Type.String({ minLength: 1 });
export const Share = Type.Number({ minimum: 0, maximum: 1 });
export const Hours = Type.Number({ minimum: 0, maximum: 500 });
export const Price = Type.Number({ minimum: 0 });
export const Factor = Type.Number({ exclusiveMinimum: 0 });

/** An ISO 4217 code; `check-regions.ts` verifies its existence and suggests the nearest code. */
export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  title: 'a code of three capital letters, such as "USD",',
});
/** A date; `check-regions.ts` verifies that it exists. */
export const DateText = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  title: 'a day as YYYY-MM-DD, such as "2026-03-01",',
});

/** Header fields of every shipped table. */
export const head = {
  name: Type.String(),
  version: Text,
  effective_date: DateText,
};
