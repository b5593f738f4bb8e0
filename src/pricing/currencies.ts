import { CURRENCY_CODES, type Currency } from '../domain/money.ts';
import { VehiError } from '../lib/errors.ts';
import { suggestNames } from '../lib/fields.ts';
import { compact } from '../lib/lists.ts';
import type { Tables } from './tables/load.ts';
import type { RegionRow } from './tables/region-schema.ts';

/** A currency conversion: `rate` units of `to` per unit of `from`, as of `date`. */
export type FxUsed = NonNullable<ReturnType<typeof findFx>>;

/** Computes the exchange rate from the dated table, in units of `to` per unit of `from`, to six significant digits. */
export function findExchangeRate({ fx }: Pick<Tables, 'fx'>, from: Currency, to: Currency): number {
  const perBase = (code: Currency) => fx.rows.find((row) => row.currency === code)?.per_base ?? 1;
  return Number((perBase(to) / perBase(from)).toPrecision(6));
}

/** Returns the dated conversion between two currencies; undefined if they are the same. */
export function findFx(tables: Tables, from: Currency, to: Currency) {
  if (from === to) return undefined;
  return { from, to, rate: findExchangeRate(tables, from, to), date: tables.fx.effective_date };
}

/** Lists the currencies supported for estimates: those with an exchange rate. */
export const listCurrencies = ({ fx }: Pick<Tables, 'fx'>): readonly Currency[] =>
  fx.rows.map((row) => row.currency);

/**
 * Lists the currencies accepted in requests: the five of the contract, and those added by the operator.
 * @param usual the operator's default currency
 */
export function listRequestCurrencies(
  { regions }: Pick<Tables, 'regions'>,
  usual?: Currency,
): readonly Currency[] {
  const added = (regions.own ?? []).map((row) => row.currency);
  return [...new Set(compact([...CURRENCY_CODES, usual, ...added]))];
}

/** Returns the default currency: the region's for a user's own region, USD for shipped ones. */
export const chooseDefaultCurrency = ({ regions }: Pick<Tables, 'regions'>, region: RegionRow): Currency =>
  regions.own?.some(({ code }) => code === region.code) ? region.currency : 'USD';

/** Validates an estimate currency. @throws VehiError INVALID_CURRENCY. */
export function checkCurrency(code: string, tables: Pick<Tables, 'fx'>): Currency {
  const known = listCurrencies(tables);
  if (known.includes(code)) return code;
  throw new VehiError('input', 'INVALID_CURRENCY', `Unsupported currency "${code}".`, {
    hint: suggestNames(code, known, 'Supported:'),
    details: { allowed: known },
  });
}
