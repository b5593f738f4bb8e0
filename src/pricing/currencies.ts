import { CURRENCY_CODES, type Currency } from '../domain/money.ts';
import { VehiError } from '../lib/errors.ts';
import { suggestNames } from '../lib/fields.ts';
import type { Tables } from './tables/load.ts';
import type { RegionRow } from './tables/schema.ts';

/** A conversion that was made: `rate` units of `to` for one of `from`, as of `date`. */
export interface FxUsed {
  readonly from: Currency;
  readonly to: Currency;
  readonly rate: number;
  readonly date: string;
}

/** Returns how many units of `to` one unit of `from` is worth, by the dated table, to six significant digits. */
export function findExchangeRate(tables: Tables, from: Currency, to: Currency): number {
  const perBase = (code: Currency) => tables.fx.rows.find((row) => row.currency === code)?.per_base ?? 1;
  return Number((perBase(to) / perBase(from)).toPrecision(6));
}

/** Returns the conversion between two currencies with its day; undefined where they are the same. */
export function findFx(tables: Tables, from: Currency, to: Currency): FxUsed | undefined {
  if (from === to) return undefined;
  const { rows, base, effective_date } = tables.fx;
  const own = (code: Currency) => rows.find((row) => row.currency === code)?.date;
  // A user's own rate is one for the US dollar, the table's for its base; the older of two rates dates a conversion.
  const anchor = [from, to].some((code) => own(code) !== undefined) ? 'USD' : base;
  const dates = [from, to]
    .filter((code) => code !== anchor)
    .map((code) => own(code) ?? effective_date)
    .sort();
  return { from, to, rate: findExchangeRate(tables, from, to), date: dates[0] ?? effective_date };
}

/**
 * Returns the currencies that an estimate may be in: the five of the service's contract, and all others that there is a
 * rate for.
 */
export function listCurrencies({ fx, regions }: Pick<Tables, 'fx' | 'regions'>): readonly Currency[] {
  const rated = [...fx.rows, ...regions.rows].map((row) => row.currency);
  return [...new Set([...CURRENCY_CODES, ...rated])];
}

/**
 * Returns the currencies that a request to the service may name: the five of its contract, and those that its operator
 * added.
 * @param usual the currency that the operator set for requests that name none
 */
export function listRequestCurrencies(
  { regions }: Pick<Tables, 'regions'>,
  usual?: Currency,
): readonly Currency[] {
  const added = [...(usual === undefined ? [] : [usual]), ...(regions.own?.currencies ?? [])];
  return [...new Set([...CURRENCY_CODES, ...added])];
}

/** Returns the currency of prices where none was stated: that of a region of one's own, USD for the shipped ones. */
export function chooseUsualCurrency({ regions }: Pick<Tables, 'regions'>, region: RegionRow): Currency {
  return regions.own?.codes.includes(region.code) ? region.currency : 'USD';
}

/** Returns the currency if an estimate may be in it. @throws VehiError INVALID_CURRENCY. */
export function checkCurrency(
  code: string,
  tables: Pick<Tables, 'fx' | 'regions'>,
  field = 'assessment_options.currency',
): Currency {
  const known = listCurrencies(tables);
  if (known.includes(code)) return code;
  throw new VehiError('input', 'INVALID_CURRENCY', `Unsupported currency "${code}".`, {
    field,
    hint: suggestNames(code, known, 'Supported:'),
    details: { allowed: known },
  });
}
