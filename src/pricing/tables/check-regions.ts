import { isIsoCurrency } from '../../domain/money.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { formatSuggestion } from '../../lib/nearest.ts';
import { matchesPart } from '../part-names.ts';
import { checkTable, type TableFault } from './check.ts';
import { loadTables } from './load.ts';
import { PDR_SIZES, type PdrRow, type RegionRow, RegionsSchema, type RegionsTable } from './region-schema.ts';
import type { PartsTable } from './schema.ts';

/** Plausible amounts in US dollars; values outside suggest a typing error or the wrong currency. */
const PLAUSIBLE_USD = {
  part: { least: 0.5, most: 100_000 },
  fee: { least: 0, most: 10_000 },
  vehicle: { least: 200, most: 10_000_000 },
  hour: { least: 2, most: 2_000 },
  // Paint materials of a refinish hour always cost less than its labor.
  materials: { least: 2, most: 300 },
} as const;

/** Beyond this ratio to the table's exchange rate, a user's rate is probably inverted or of another currency. */
const MAX_RATE_RATIO = 3;
/** The highest VAT rate worldwide is 27 % (Hungary). */
const MAX_TAX_RATE = 0.3;
const YEARS = { first: 2000, last: 2100 } as const;
/** Days ahead of today; a price list may be for next year, but a later date is probably a typing error. */
const MAX_DAYS_AHEAD = 366;

/**
 * Validates a user's region table; with `today`, dates may be at most a year ahead.
 * @throws VehiError INVALID_TABLE naming the row and the reason.
 */
export function checkRegions(table: unknown, name: string, today?: Date): RegionsTable {
  return checkTable(RegionsSchema, addDepartments(removeNotes(table)), name, (read) =>
    listRegionFaults(read, today),
  );
}

/** Adds empty `departments` to rows that omit it because every department uses the region's rate. */
function addDepartments(table: unknown): unknown {
  const { rows } = (table ?? {}) as { rows?: unknown };
  if (!Array.isArray(rows)) return table;
  const filled = rows.map((row: unknown) =>
    typeof row === 'object' && row !== null && !Array.isArray(row) ? { departments: {}, ...row } : row,
  );
  return { ...(table as object), rows: filled };
}

/** Removes a table's comments: fields whose name begins with `//`. */
function removeNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNotes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !key.startsWith('//'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, removeNotes(inner)]));
}

/** Lists errors beyond the schema: duplicate codes, inverted ranges, implausible figures. */
export function listRegionFaults(table: RegionsTable, today?: Date): TableFault[] {
  const { fx, parts } = loadTables();
  const own = table.exchange_rates ?? [];
  const per = (code: string) => fx.rows.find((row) => row.currency === code)?.per_base;
  const listedPerUsd = (currency: string) => {
    const listed = per(currency);
    return listed === undefined ? undefined : listed / (per('USD') ?? 1);
  };
  const perUsd = (currency: string) =>
    own.find((row) => row.currency === currency)?.per_usd ?? listedPerUsd(currency);
  return [
    ...findDayFaults(table.effective_date, 'effective_date', today),
    ...listRepeated(own, ({ currency }) => currency, 'exchange_rates'),
    ...own.flatMap((rate, i) => [
      ...findDayFaults(rate.date, `exchange_rates[${i}] (${rate.currency}).date`, today),
      ...findCurrencyFaults(rate.currency, `exchange_rates[${i}]`),
      ...findExchangeFaults(
        rate,
        listedPerUsd(rate.currency),
        `exchange_rates[${i}] (${rate.currency}).per_usd`,
      ),
    ]),
    ...table.rows.flatMap((row, i) => {
      const where = `rows[${i}] (${row.code})`;
      const isDuplicate = table.rows.findIndex((other) => other.code === row.code) !== i;
      const unknown = findCurrencyFaults(row.currency, where);
      const usd = perUsd(row.currency);
      return [
        ...(isDuplicate ? [{ where: `${where}.code`, reason: 'listed twice' }] : []),
        ...findDayFaults(row.date, `${where}.date`, today),
        ...unknown,
        ...(unknown.length > 0 || usd !== undefined ? [] : [makeNoRateFault(row, where)]),
        ...findRateFaults(row, where, usd),
        ...findTaxFaults(row, where),
        ...findPartFaults(row, where, parts),
        ...listOwnFaults(row, where, usd),
        ...listPdrOrderFaults(row.pdr?.rows ?? [], `${where}.pdr.rows`),
      ];
    }),
  ];
}

function makeNoRateFault({ currency }: RegionRow, where: string): TableFault {
  const line = `{ "currency": "${currency}", "per_usd": …, "date": …, "source": … }`;
  return {
    where: `${where}.currency`,
    reason: `the exchange table has no ${currency}; prices of parts are in USD, so give ${line} in exchange_rates`,
  };
}

function findCurrencyFaults(code: string, where: string): TableFault[] {
  if (isIsoCurrency(code)) return [];
  const hint = formatSuggestion(code, Intl.supportedValuesOf('currency'));
  return [{ where: `${where}.currency`, reason: `${code} is not a currency of ISO 4217${hint}` }];
}

/** Describes implausible amounts; undefined if they are plausible or the currency has no exchange rate. */
function describeImplausible(
  amounts: readonly number[],
  kind: keyof typeof PLAUSIBLE_USD,
  perUsd: number | undefined,
): string | undefined {
  if (perUsd === undefined) return undefined;
  const { least, most } = PLAUSIBLE_USD[kind];
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
  const share = `${where}.tax_rate`;
  return [
    ...(rate > 1
      ? [{ where: share, reason: `${rate} is a percentage; ${rate / 100} is the share that is meant` }]
      : rate > MAX_TAX_RATE
        ? [{ where: share, reason: `${rate} is ${rate * 100} %; no tax is above ${MAX_TAX_RATE * 100} %` }]
        : []),
    ...(loss.near_from !== undefined && loss.near_from > loss.threshold
      ? [{ where: `${where}.total_loss.near_from`, reason: `is above the threshold of ${loss.threshold}` }]
      : []),
  ];
}

/** Lists parts that are neither contract parts nor components. */
function findPartFaults(row: RegionRow, where: string, parts: PartsTable): TableFault[] {
  const names = [...PART_NAMES, ...parts.components.map((one) => one.component)];
  const faults = (list: 'prices' | 'hours') =>
    (row[list] ?? []).flatMap(({ part }, i) => {
      if (names.some((name) => matchesPart(part, name))) return [];
      const reason = `"${part}" is not a part${formatSuggestion(part, names)}`;
      return [{ where: `${where}.${list}[${i}].part`, reason }];
    });
  return [...faults('prices'), ...faults('hours')];
}

/** Checks a user's exchange rate against the table's; no error if the table lacks the currency. */
function findExchangeFaults(
  { currency, per_usd: own }: { currency: string; per_usd: number },
  listed: number | undefined,
  where: string,
): TableFault[] {
  if (listed === undefined || (own <= listed * MAX_RATE_RATIO && own >= listed / MAX_RATE_RATIO)) return [];
  const shown = Number(listed.toPrecision(4));
  return [{ where, reason: `${own} ${currency} for one USD is implausible; the table has ${shown}` }];
}

/** Checks that a date exists and lies in the years allowed for a price table. */
function findDayFaults(text: string, where: string, today?: Date): TableFault[] {
  const day = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
    return [{ where, reason: `${text} is not a day of the calendar` }];
  const year = day.getUTCFullYear();
  if (year < YEARS.first || year > YEARS.last)
    return [{ where, reason: `${text} is not between ${YEARS.first} and ${YEARS.last}` }];
  const ahead = today === undefined ? 0 : (day.getTime() - today.getTime()) / 86_400_000;
  if (ahead <= MAX_DAYS_AHEAD) return [];
  return [{ where, reason: `${text} is more than a year ahead` }];
}

/**
 * Lists errors in a region's own figures: duplicate rows, a panel that blends itself, implausible amounts. `perUsd` is
 * the region's currency per US dollar; if undefined, amounts are not checked.
 */
function listOwnFaults(row: RegionRow, where: string, perUsd: number | undefined): TableFault[] {
  const { prices = [], hours = [], fees = [], caps, pdr, blend = {} } = row;
  const amounts: readonly (readonly [string, keyof typeof PLAUSIBLE_USD, number | null | undefined])[] = [
    ...prices.map(({ oem }, i) => [`prices[${i}].oem`, 'part', oem] as const),
    ...fees.map(({ amount }, i) => [`fees[${i}].amount`, 'fee', amount] as const),
    ['chip_repair.amount', 'fee', row.chip_repair?.amount],
    ['caps.materials', 'part', caps?.materials],
    ['pdr.minimum', 'fee', pdr?.minimum],
    ['pdr.oversize_each', 'fee', pdr?.oversize_each],
    ...(pdr?.rows ?? []).flatMap(({ price }, i) =>
      Object.entries(price).map(([size, amount]) => [`pdr.rows[${i}].price.${size}`, 'fee', amount] as const),
    ),
    ['default_market_value', 'vehicle', row.default_market_value],
  ];
  return [
    ...listRepeated(prices, ({ part, class: of = 'every class' }) => `${part}, ${of}`, `${where}.prices`),
    ...listRepeated(hours, ({ part }) => part, `${where}.hours`),
    ...listRepeated(fees, ({ name }) => name, `${where}.fees`),
    ...Object.entries(blend).flatMap(([panel, neighbours = []]) =>
      neighbours.some((one) => one === panel)
        ? [{ where: `${where}.blend.${panel}`, reason: 'a panel is not its own neighbour; leave it out' }]
        : [],
    ),
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

/** Lists cells where more or larger dents would cost less, which would make more severe damage cheaper. */
export function listPdrOrderFaults(table: readonly PdrRow[], where: string): TableFault[] {
  const readPrice = (row: PdrRow, size: (typeof PDR_SIZES)[number]) =>
    row.price[size] ?? Number.POSITIVE_INFINITY;
  return (['flat', 'side'] as const).flatMap((panel) => {
    const rows = table.filter((row) => row.panel === panel);
    return rows.flatMap((row, i) => {
      const before = rows[i - 1];
      return PDR_SIZES.flatMap((size, s): TableFault[] => {
        const smaller = PDR_SIZES[s - 1];
        const cheaper =
          (smaller !== undefined && readPrice(row, size) < readPrice(row, smaller)) ||
          (before !== undefined && readPrice(row, size) < readPrice(before, size));
        const misplaced = before !== undefined && row.up_to_dents <= before.up_to_dents;
        if (!cheaper && !misplaced) return [];
        const at = `${where} ${panel} up to ${row.up_to_dents}`;
        return [{ where: at, reason: `${size} is out of order: more or larger dents may not cost less` }];
      });
    });
  });
}
