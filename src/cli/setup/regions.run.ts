import { Chalk } from 'chalk';
import { readSettings } from '../../config/settings.ts';
import { toMajor } from '../../domain/money.ts';
import { DEPARTMENTS } from '../../domain/repair.ts';
import { MAX_REGIONS_BYTES } from '../../engine/pricer.ts';
import { VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { toJsonText } from '../../lib/json.ts';
import { toPercent } from '../../lib/numbers.ts';
import { createPricingContext, findRegion, type RegionRow } from '../../pricing/index.ts';
import { formatMoney, formatNumber } from '../../report/figures.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { foldLines, wrapText } from '../../report/text/terminal-lines.ts';
import { listAllFaults } from '../backend/all-faults.ts';
import { loadConfiguredTables } from '../backend/setting-faults.ts';
import type { CliContext } from '../terminal/context.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { countColumns, write } from '../terminal/output.ts';
import { readJson } from '../terminal/read-json.ts';

/** Flags of the `vehi regions` commands. */
export type RegionsFlags = FlagsOf<'regions list'>;

const loadTablesFor = (flags: RegionsFlags, ctx: CliContext) =>
  loadConfiguredTables(readSettings(flags, ctx));

/** Prints all regions: code, name, rate range, date. */
export async function listRegions(flags: RegionsFlags, ctx: CliContext): Promise<void> {
  const { regions } = await loadTablesFor(flags, ctx);
  if (flags.json) return write(ctx.stdout, toJsonText(regions));
  const rows = regions.rows.map((row) => [
    row.code,
    row.name,
    `${formatNumber(row.rate_per_hour[0])}–${formatNumber(row.rate_per_hour[1])} ${row.currency}/h`,
    row.date,
  ]);
  const chalk = new Chalk({ level: ctx.colour.stdout });
  const table = renderPlainTable(['code', 'region', 'labor rate', 'date'], rows, {
    chalk,
    right: ['labor rate'],
  });
  await write(
    ctx.stdout,
    foldLines(
      `${table}\n\nTable ${regions.version} of ${regions.effective_date}. ${regions.basis ?? ''}\n`,
      countColumns(ctx),
    ),
  );
}

/** Prints one region with its departments, rules and sources; as JSON a regions file with this row. */
export async function showRegion(code: string, flags: RegionsFlags, ctx: CliContext): Promise<void> {
  const tables = await loadTablesFor(flags, ctx);
  const row = findRegion(tables, code.toUpperCase(), 'code');
  if (flags.json) {
    const { name, version, effective_date } = tables.regions;
    return write(ctx.stdout, toJsonText({ name, version, effective_date, rows: [row] }));
  }
  const priced = createPricingContext(tables, { region: row.code, currency: row.currency });
  const chalk = new Chalk({ level: ctx.colour.stdout });
  const perHour = (rate: { min: number; est: number; max: number }) =>
    (['min', 'est', 'max'] as const).map((end) =>
      formatMoney(toMajor(rate[end], row.currency), row.currency),
    );
  const rates = renderPlainTable(
    ['department', 'low', 'used', 'high'],
    [
      ...DEPARTMENTS.filter((one) => one !== 'pdr' || row.departments.pdr !== undefined).map((one) => [
        one,
        ...perHour(priced.rates[one]),
      ]),
      ['materials', ...perHour(priced.materials)],
    ],
    { chalk, right: ['low', 'used', 'high'] },
  );
  const { total_loss: loss } = row;
  const rule = loss.rule === 'percent_of_value' ? 'repair' : 'repair + salvage';
  const lines = [
    `${chalk.bold(row.code)}  ${row.name}, ${row.currency}, ${row.date}`,
    '',
    rates,
    '',
    `Total loss    ${rule} at ${formatNumber(loss.threshold * 100)} % of the value (${loss.source})`,
    `Tax           ${describeTax(row)}`,
    `Price level   ${describeLevel(row)}`,
    `Materials     ${row.materials_source ?? 'no source given'}`,
    ...listOverrides(row).map((words) => `Own           ${words}`),
    `Loss of value ${row.value_reduction?.rule ?? 'none'} (${row.value_reduction?.source ?? 'no rule given'})`,
    `Market value  ${formatMoney(row.default_market_value, row.currency)} where none is given (${row.market_value_source})`,
    ...(row.usual_km_per_year === undefined
      ? []
      : [
          `Usual use     ${formatNumber(row.usual_km_per_year.km)} km a year (${row.usual_km_per_year.source})`,
        ]),
    `Source        ${row.source}`,
    ...describeAssumed(row).map((words) => `Assumed       ${words}`),
  ];
  const hanging = 'Total loss    '.length;
  const shown = lines.map((line) =>
    line !== rates && line.length > countColumns(ctx) ? wrapText(line, countColumns(ctx), 0, hanging) : line,
  );
  await write(ctx.stdout, `${shown.join('\n')}\n`);
}

function describeTax({ tax_rate: rate, tax }: RegionRow): string {
  if (rate === 0) return 'none added';
  const base = tax?.base === 'everything' ? 'everything' : 'parts and materials';
  return `${tax?.name ?? 'tax'} ${formatNumber(rate * 100, 2)} % on ${base}${tax === undefined ? '' : ` (${tax.source})`}`;
}

function describeLevel({ price_level: level, level_note: note }: RegionRow): string {
  const words =
    level === undefined
      ? 'that of the price tables, US'
      : `parts ${level.parts}, glass ${level.glass}, glass fitting ${level.glass_hours}, PDR ${level.pdr}, scans ${level.scan ?? 1}, calibrations ${level.calibration ?? 1}${level.glass_dealer === undefined ? '' : `, glass at dealers ${level.glass_dealer}`} of the US tables (${level.source})`;
  return note === undefined ? words : `${words}. ${note}`;
}

/** Lists the region's own figures: parts, chips, fees. */
function listOverrides(row: RegionRow): string[] {
  const amount = (major: number) => formatMoney(major, row.currency);
  const { prices = [], fees = [], chip_repair: chip } = row;
  const describeFee = ({ amount: flat, share_of_parts: share }: (typeof fees)[number]) =>
    [
      ...(flat === 0 && share !== undefined ? [] : [amount(flat)]),
      ...(share === undefined ? [] : [`${toPercent(share)} % of the parts`]),
    ].join(' and ');
  return [
    ...prices.map(
      (one) => `${one.part} ${amount(one.oem)}${one.class ? `, ${one.class} cars` : ''} (${one.source})`,
    ),
    ...(chip === undefined ? [] : [`a stone chip ${amount(chip.amount)} (${chip.source})`]),
    ...fees.map((fee) => `fee ${fee.name} ${describeFee(fee)} on ${FEE_WORDS[fee.on]} (${fee.source})`),
  ];
}

const FEE_WORDS = {
  every: 'every job',
  painted: 'jobs with paint',
  replaced: 'jobs with a new part',
} as const;

/** Lists the region's figures without a published source. */
function describeAssumed(row: RegionRow): string[] {
  const sources = [
    ['paint materials', row.materials_source],
    ['price level', row.price_level?.source],
    ['total loss', row.total_loss.source],
    ['tax', row.tax?.source],
    ['market value', row.market_value_source],
  ] as const;
  const assumed = sources.flatMap(([name, source]) => (source?.includes('assumed') ? [name] : []));
  return assumed.length === 0 ? [] : [`${assumed.join(', ')}: no published figures are known`];
}

/**
 * Validates a user's region table, reporting every fault with row and reason. With `--json` the verdict is printed as a
 * document, and the exit code matches it.
 * @throws VehiError INVALID_TABLE
 */
export async function validateRegions(file: string, flags: RegionsFlags, ctx: CliContext): Promise<void> {
  try {
    const { checkRegions } = await import('../../pricing/tables/check-regions.ts');
    const table = checkRegions(await readJson(file, ctx, FORM_HINT, MAX_REGIONS_BYTES), file);
    const codes = table.rows.map((row) => row.code);
    const verdict = { valid: true, file, regions: codes, errors: [] };
    if (flags.json) return await write(ctx.stdout, toJsonText(verdict));
    const count = formatCount(codes.length, 'region');
    const uses = table.rows.map(
      (row) => `  vehi assess damages.json --regions ${file} --region ${row.code}\n`,
    );
    await write(ctx.stdout, `${file}: ${count}: ${codes.join(', ')}\n${uses.join('')}`);
  } catch (error) {
    if (!(error instanceof VehiError)) throw error;
    if (!flags.json || !(error.code === 'INVALID_TABLE' || error.code === 'INVALID_JSON'))
      throw listAllFaults(error);
    const errors = error.details?.errors ?? [{ field: '', message: error.message }];
    await write(ctx.stdout, toJsonText({ valid: false, file, regions: [], errors }));
    ctx.setExitCode(EXIT.inputRejected);
  }
}

const FORM_HINT = '`vehi regions show CODE --json` prints a table that is valid.';
