import { isIsoCurrency } from '../../domain/money.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { isCalendarDay } from '../../lib/iso-time.ts';
import { formatSuggestion } from '../../lib/names.ts';
import { roundTo, toPercent } from '../../lib/numbers.ts';
import { findExchangeRate, listCurrencies } from '../currencies.ts';
import plausible from '../data/plausible-amounts.json' with { type: 'json' };
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

/** Lists errors beyond the schema: duplicate codes, inverted ranges, implausible figures. */
export function listRegionFaults(table: RegionsTable): TableFault[] {
  const { fx, parts } = loadTables();
  const rated = listCurrencies({ fx });
  return [
    ...findDayFaults(table.effective_date, 'effective_date'),
    ...table.rows.flatMap((row, i) => {
      const where = `rows[${i}] (${row.code})`;
      const isDuplicate = table.rows.findIndex((other) => other.code === row.code) !== i;
      const usd = rated.includes(row.currency) ? findExchangeRate({ fx }, 'USD', row.currency) : undefined;
      return [
        ...(isDuplicate ? [{ where: `${where}.code`, reason: 'listed twice' }] : []),
        ...findDayFaults(row.date, `${where}.date`),
        ...findCurrencyFaults(row, where, rated),
        ...findRateFaults(row, where, usd),
        ...findTaxFaults(row, where),
        ...findPartFaults(row, where, parts),
        ...listOwnFaults(row, where, usd),
      ];
    }),
  ];
}

/** Lists the fault of a currency that does not exist or has no exchange rate. */
function findCurrencyFaults({ currency }: RegionRow, where: string, rated: readonly string[]): TableFault[] {
  const at = `${where}.currency`;
  if (rated.includes(currency)) return [];
  if (isIsoCurrency(currency)) {
    const needed = `part prices are in ${loadTables().parts.currency}; use one of ${rated.join(', ')}`;
    return [{ where: at, reason: `there is no exchange rate for ${currency}, and ${needed}` }];
  }
  const hint = formatSuggestion(currency, Intl.supportedValuesOf('currency'));
  return [{ where: at, reason: `${currency} is not a currency of ISO 4217${hint}` }];
}

/**
 * Describes amounts that suggest a typing error or the wrong currency, by limits in US dollars; undefined if they are
 * plausible or the currency has no exchange rate.
 */
function describeImplausible(
  amounts: readonly number[],
  kind: keyof typeof plausible,
  perUsd: number | undefined,
): string | undefined {
  if (perUsd === undefined) return undefined;
  const { least, most } = plausible[kind];
  if (amounts.every((amount) => amount / perUsd >= least && amount / perUsd <= most)) return undefined;
  const [from, to] = [least, most].map((limit) => Number((limit * perUsd).toPrecision(2)));
  return `is implausible; ${from} to ${to} is expected`;
}

function findRateFaults(row: RegionRow, where: string, usd: number | undefined): TableFault[] {
  const ranges = [['rate_per_hour', row.rate_per_hour] as const, ...Object.entries(row.departments)];
  return ranges.flatMap(([name, range]) => {
    const [low = 0, high = 0] = range;
    const at = name === 'rate_per_hour' ? `${where}.${name}` : `${where}.departments.${name}`;
    if (low > high) return [{ where: at, reason: `low ${low} is above high ${high}` }];
    const fault = describeImplausible([low, high], name === 'materials' ? name : 'hour', usd);
    return fault ? [{ where: at, reason: `${low} to ${high} ${row.currency} an hour ${fault}` }] : [];
  });
}

function findTaxFaults({ tax_rate: rate, total_loss: loss }: RegionRow, where: string): TableFault[] {
  const reason = describeTaxFault(rate);
  return [
    ...(reason === undefined ? [] : [{ where: `${where}.tax_rate`, reason }]),
    ...(loss.near_from !== undefined && loss.near_from > loss.threshold
      ? [{ where: `${where}.total_loss.near_from`, reason: `is above the threshold of ${loss.threshold}` }]
      : []),
  ];
}

/** Describes a tax rate that no state levies; undefined if it is plausible. */
function describeTaxFault(rate: number): string | undefined {
  if (rate > 1) return `${rate} is a percentage; ${roundTo(rate / 100, 6)} is the share that is meant`;
  if (rate <= MAX_TAX_RATE) return undefined;
  return `${rate} is ${toPercent(rate)} %; no tax is above ${toPercent(MAX_TAX_RATE)} %`;
}

/** Lists parts that are neither contract parts nor components. */
function findPartFaults(row: RegionRow, where: string, parts: PartsTable): TableFault[] {
  const names = [...PART_NAMES, ...parts.components.map((one) => one.component)];
  return (row.prices ?? []).flatMap(({ part }, i) => {
    if (names.some((name) => matchesPart(part, name))) return [];
    const reason = `"${part}" is not a part${formatSuggestion(part, names)}`;
    return [{ where: `${where}.prices[${i}].part`, reason }];
  });
}

/** Checks that a date exists and lies in the years allowed for a price table. */
function findDayFaults(text: string, where: string): TableFault[] {
  if (!isCalendarDay(text)) return [{ where, reason: `${text} is not a day of the calendar` }];
  const year = Number(text.slice(0, 4));
  if (year >= YEARS.first && year <= YEARS.last) return [];
  return [{ where, reason: `${text} is not between ${YEARS.first} and ${YEARS.last}` }];
}

/**
 * Lists errors in a region's own figures: duplicate rows, implausible amounts. `perUsd` is the region's currency per US
 * dollar; if undefined, amounts are not checked.
 */
function listOwnFaults(row: RegionRow, where: string, perUsd: number | undefined): TableFault[] {
  const { prices = [], fees = [] } = row;
  const amounts: readonly (readonly [string, keyof typeof plausible, number | null | undefined])[] = [
    ...prices.map(({ oem }, i) => [`prices[${i}].oem`, 'part', oem] as const),
    ...fees.map(({ amount }, i) => [`fees[${i}].amount`, 'fee', amount] as const),
    ['chip_repair.amount', 'fee', row.chip_repair?.amount],
    ['default_market_value', 'vehicle', row.default_market_value],
  ];
  return [
    ...listRepeated(prices, ({ part, class: of = 'every class' }) => `${part}, ${of}`, `${where}.prices`),
    ...listRepeated(fees, ({ name }) => name, `${where}.fees`),
    ...amounts.flatMap(([field, kind, amount]) => {
      const fault = typeof amount === 'number' && describeImplausible([amount], kind, perUsd);
      return fault ? [{ where: `${where}.${field}`, reason: `${amount} ${row.currency} ${fault}` }] : [];
    }),
  ];
}

/** Reports each row that repeats an earlier one, because the intended row is ambiguous. */
function listRepeated<T>(rows: readonly T[], nameOf: (row: T) => string, where: string): TableFault[] {
  const names = rows.map(nameOf);
  return names.flatMap((name, i) => {
    const first = names.indexOf(name);
    if (first === i) return [];
    return [{ where: `${where}[${i}]`, reason: `${name} is listed twice, first in [${first}]; keep one` }];
  });
}
