import { isIsoCurrency } from '../../domain/money.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { isCalendarDay } from '../../lib/iso-time.ts';
import { formatSuggestion } from '../../lib/names.ts';
import { roundTo, toPercent } from '../../lib/numbers.ts';
import { findExchangeRate, listCurrencies } from '../currencies.ts';
import PLAUSIBLE_USD from '../data/plausible-usd.json' with { type: 'json' };
import { matchesPart } from '../option/region-prices.ts';
import { checkTable, type TableFault } from './check.ts';
import { loadTables } from './load.ts';
import type { PartsTable } from './parts-schema.ts';
import { type RegionRow, RegionsSchema, type RegionsTable } from './region-schema.ts';

/** The highest VAT rate worldwide is 27 % (Hungary). */
const MAX_TAX_RATE = 0.3;
const YEARS = { first: 2000, last: 2100 } as const;

/** Validates a user's region table. @throws VehiError INVALID_TABLE naming the row and the reason. */
export const checkRegions = (table: unknown, name: string): RegionsTable =>
  checkTable(RegionsSchema, addDepartments(table), name, listRegionFaults);

/** Adds empty `departments` to rows that omit it; then the rates of all departments derive from the region's rate. */
function addDepartments(table: unknown): unknown {
  const { rows } = (table ?? {}) as { rows?: unknown };
  if (!Array.isArray(rows)) return table;
  const filled = rows.map((row: unknown) =>
    typeof row === 'object' && row !== null && !Array.isArray(row) ? { departments: {}, ...row } : row,
  );
  return { ...(table as object), rows: filled };
}

/** A field and why it is wrong; without a reason, it is right. */
type Check = readonly [field: string, reason: string | undefined];

/** Lists errors beyond the schema: duplicate codes, inverted ranges, implausible figures. */
export function listRegionFaults(table: RegionsTable): TableFault[] {
  const { fx, parts } = loadTables();
  const rated = listCurrencies({ fx });
  const checkRow = (row: RegionRow, i: number): readonly Check[] => {
    const perUsd = rated.includes(row.currency) ? findExchangeRate({ fx }, 'USD', row.currency) : undefined;
    const isDuplicate = table.rows.findIndex((other) => other.code === row.code) !== i;
    return [
      ['code', isDuplicate ? 'listed twice' : undefined],
      ['date', describeDayFault(row.date)],
      ['currency', describeCurrencyFault(row, rated)],
      ...checkRates(row, perUsd),
      ['tax_rate', describeTaxFault(row.tax_rate)],
      ['total_loss.near_from', describeNearFault(row.total_loss)],
      ...checkPartNames(row, parts),
      ...checkOwnFigures(row, perUsd),
    ];
  };
  const checks: readonly Check[] = [
    ['effective_date', describeDayFault(table.effective_date)],
    ...table.rows.flatMap((row, i) =>
      checkRow(row, i).map(([field, reason]): Check => [`rows[${i}] (${row.code}).${field}`, reason]),
    ),
  ];
  return checks.flatMap(([where, reason]) => (reason === undefined ? [] : [{ where, reason }]));
}

/** Describes why no price can be in a currency: it does not exist, or has no exchange rate. */
function describeCurrencyFault({ currency }: RegionRow, rated: readonly string[]): string | undefined {
  if (rated.includes(currency)) return undefined;
  if (isIsoCurrency(currency))
    return `there is no exchange rate for ${currency}, and part prices are in ${loadTables().parts.currency}; use one of ${rated.join(', ')}`;
  const hint = formatSuggestion(currency, Intl.supportedValuesOf('currency'));
  return `${currency} is not a currency of ISO 4217${hint}`;
}

/**
 * Describes amounts that suggest a typing error or the wrong currency, by limits in US dollars, rounded in the currency
 * of the amounts; undefined if they are plausible or the currency has no exchange rate.
 * @param perUsd currency per US dollar
 */
function describeImplausible(
  amounts: readonly number[],
  kind: keyof typeof PLAUSIBLE_USD,
  perUsd: number | undefined,
): string | undefined {
  if (perUsd === undefined) return undefined;
  const round = (limit: number) => Number((limit * perUsd).toPrecision(2));
  const [least, most] = [round(PLAUSIBLE_USD[kind].least), round(PLAUSIBLE_USD[kind].most)];
  if (amounts.every((amount) => amount >= least && amount <= most)) return undefined;
  return `is implausible; ${least} to ${most} is expected`;
}

function checkRates(row: RegionRow, perUsd: number | undefined): readonly Check[] {
  const departments = Object.entries(row.departments).map(
    ([name, range]) => [`departments.${name}`, name === 'materials' ? name : 'hour', range] as const,
  );
  return [['rate_per_hour', 'hour', row.rate_per_hour] as const, ...departments].map(
    ([field, kind, range]) => {
      const [low = 0, high = 0] = range;
      if (low > high) return [field, `low ${low} is above high ${high}`];
      const fault = describeImplausible([low, high], kind, perUsd);
      return [field, fault && `${low} to ${high} ${row.currency} an hour ${fault}`];
    },
  );
}

/** Describes a tax rate that no state levies; undefined if it is plausible. */
function describeTaxFault(rate: number): string | undefined {
  if (rate <= MAX_TAX_RATE) return undefined;
  if (rate <= 1) return `${rate} is ${toPercent(rate)} %; no tax is above ${toPercent(MAX_TAX_RATE)} %`;
  const share = roundTo(rate / 100, 6);
  if (rate > 1 + MAX_TAX_RATE) return `${rate} is a percentage; ${share} is the share that is meant`;
  return `${rate} is no share: as a factor, it is ${roundTo(rate - 1, 6)}; as a percentage, ${share}`;
}

const describeNearFault = ({ near_from: near = 0, threshold }: RegionRow['total_loss']) =>
  near > threshold ? `is above the threshold of ${threshold}` : undefined;

/** Checks that the parts are contract parts or components. */
function checkPartNames(row: RegionRow, parts: PartsTable): readonly Check[] {
  const names = [...PART_NAMES, ...parts.components.map((one) => one.component)];
  return (row.prices ?? []).map(({ part }, i) => {
    const isKnown = names.some((name) => matchesPart(part, name));
    const reason = `"${part}" is not a part${formatSuggestion(part, names)}`;
    return [`prices[${i}].part`, isKnown ? undefined : reason];
  });
}

/** Describes a day that does not exist or is outside the years of a price table. */
function describeDayFault(text: string): string | undefined {
  if (!isCalendarDay(text)) return `${text} is not a day of the calendar`;
  const year = Number(text.slice(0, 4));
  if (year >= YEARS.first && year <= YEARS.last) return undefined;
  return `${text} is not between ${YEARS.first} and ${YEARS.last}`;
}

/** Checks a region's own figures for duplicate rows and implausible amounts; `perUsd` as above. */
function checkOwnFigures(row: RegionRow, perUsd: number | undefined): readonly Check[] {
  const { prices = [], fees = [] } = row;
  const amounts: readonly (readonly [string, keyof typeof PLAUSIBLE_USD, number | undefined])[] = [
    ...prices.map(({ oem }, i) => [`prices[${i}].oem`, 'part', oem] as const),
    ...fees.map(({ amount }, i) => [`fees[${i}].amount`, 'fee', amount] as const),
    ['chip_repair.amount', 'fee', row.chip_repair?.amount],
    ['default_market_value', 'vehicle', row.default_market_value],
  ];
  return [
    ...checkRepeated(prices, ({ part, class: of = 'every class' }) => `${part}, ${of}`, 'prices'),
    ...checkRepeated(fees, ({ name }) => name, 'fees'),
    ...amounts.map(([field, kind, amount]): Check => {
      const fault = amount === undefined ? undefined : describeImplausible([amount], kind, perUsd);
      return [field, fault && `${amount} ${row.currency} ${fault}`];
    }),
  ];
}

/** Checks that no row repeats an earlier one, because the intended row is ambiguous. */
function checkRepeated<T>(rows: readonly T[], nameOf: (row: T) => string, field: string): readonly Check[] {
  const names = rows.map(nameOf);
  return names.map((name, i) => {
    const first = names.indexOf(name);
    const reason = `${name} is listed twice, first in [${first}]; keep one`;
    return [`${field}[${i}]`, first === i ? undefined : reason];
  });
}
