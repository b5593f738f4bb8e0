import { Chalk } from 'chalk';
import { MAX_REGIONS_BYTES } from '../../config/regions-file.ts';
import { readSettings } from '../../config/settings.ts';
import { toMajor } from '../../domain/money.ts';
import { DEPARTMENTS } from '../../domain/repair.ts';
import { makeUsageError, VehiError } from '../../lib/errors.ts';
import { suggestNames } from '../../lib/fields.ts';
import { formatCount } from '../../lib/format-count.ts';
import { toJsonText } from '../../lib/json.ts';
import { compact } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { createPricingContext, type PricingContext, type Spread } from '../../pricing/pricing-context.ts';
import type { Tables } from '../../pricing/tables/load.ts';
import type { RegionRow } from '../../pricing/tables/region-schema.ts';
import { formatMoney, formatNumber } from '../../report/figures.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { foldLines, wrapText } from '../../report/text/terminal-lines.ts';
import type { FlagsOf } from '../commands.ts';
import { loadConfiguredTables } from '../local-engine.ts';
import type { CliContext } from '../terminal/context.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { countColumns, write } from '../terminal/output.ts';
import { nameSource, readJson } from '../terminal/read-json.ts';
import { formatCommand } from '../terminal/shell-words.ts';

type RegionsFlags = FlagsOf<'regions list'>;

export async function runRegionsList(flags: RegionsFlags, ctx: CliContext): Promise<void> {
  const { regions } = await loadConfiguredTables(readSettings(flags, ctx));
  if (flags.json) return write(ctx.stdout, toJsonText(regions));
  const rows = regions.rows.map((row) => [
    row.code,
    row.name,
    `${formatNumber(row.rate_per_hour[0])}–${formatNumber(row.rate_per_hour[1])} ${row.currency}/h`,
    row.date,
  ]);
  const table = renderPlainTable(['code', 'region', 'labor rate', 'date'], rows, {
    color: ctx.color.stdout,
    right: ['labor rate'],
    columns: countColumns(ctx),
    wrap: ['region'],
  });
  const origin = `Table ${regions.version} of ${regions.effective_date}. ${regions.basis ?? ''}`;
  await write(ctx.stdout, `${table}\n\n${foldLines(origin, countColumns(ctx))}\n`);
}

/** Prints the rates and rules of one region; as JSON, a regions file whose row holds all figures. */
export async function runRegionsShow(code: string, flags: RegionsFlags, ctx: CliContext): Promise<void> {
  const tables = await loadConfiguredTables(readSettings(flags, ctx));
  const row = findRow(tables, code);
  if (flags.json) {
    const { name, version } = tables.regions;
    return write(ctx.stdout, toJsonText({ name, version, effective_date: row.date, rows: [row] }));
  }
  const priced = createPricingContext(tables, { region: row.code, currency: row.currency });
  const head = `${new Chalk({ level: ctx.color.stdout }).bold(row.code)}  ${row.name}, ${row.currency}, ${row.date}`;
  const facts = listFacts(row).map(([label, text]) =>
    wrapText(`${label.padEnd(LABEL_COLUMNS)}${text}`, countColumns(ctx), 0, LABEL_COLUMNS),
  );
  await write(ctx.stdout, `${[head, '', renderRates(priced, ctx), '', ...facts].join('\n')}\n`);
}

/**
 * Returns the row of a code that was typed, in any case, after `flag` or as an argument.
 * @throws VehiError usage with the nearest code
 */
export function findRow({ regions: { rows } }: Tables, typed: string, flag?: string): RegionRow {
  const code = typed.toUpperCase();
  const row = rows.find((one) => one.code === code);
  if (row !== undefined) return row;
  const codes = rows.map((one) => one.code);
  const message = `${compact([flag, escapeName(typed)]).join(' ')} is not a region of the table.`;
  throw makeUsageError(message, suggestNames(code, codes, 'Known regions:'));
}

const LABEL_COLUMNS = 14;

/** Renders the hourly rates of the departments that the region prices by the hour, and those of materials. */
function renderRates({ region, rates, materials }: PricingContext, { color }: CliContext): string {
  const perHour = ({ min, est, max }: Spread) =>
    [min, est, max].map((minor) => formatMoney(toMajor(minor, region.currency), region.currency));
  const departments = DEPARTMENTS.filter((one) => one !== 'pdr' || region.departments.pdr !== undefined);
  const rows = departments.map((one) => [one, ...perHour(rates[one])]);
  const head = ['department', 'low', 'used', 'high'];
  const look = { color: color.stdout, right: head.slice(1) };
  return renderPlainTable(head, [...rows, ['materials', ...perHour(materials)]], look);
}

function listFacts(row: RegionRow): readonly (readonly [label: string, text: string])[] {
  const { total_loss: loss } = row;
  const rule = loss.rule === 'percent_of_value' ? 'repair' : 'repair + salvage';
  const value = formatMoney(row.default_market_value, row.currency);
  return [
    ['Total loss', `${rule} at ${formatNumber(loss.threshold * 100)} % of the value (${loss.source})`],
    ['Tax', describeTax(row)],
    ['Market value', `${value} where none is given (${row.market_value_source})`],
    ['Source', row.source],
    ['All figures', `vehi regions show ${row.code} --json, each with its source`],
  ];
}

function describeTax({ tax_rate: rate, tax }: RegionRow): string {
  if (rate === 0) return 'none added';
  const base = tax?.base === 'everything' ? 'everything' : 'parts and materials';
  return `${tax?.name ?? 'tax'} ${formatNumber(rate * 100, 2)} % on ${base}${tax === undefined ? '' : ` (${tax.source})`}`;
}

const FORM_HINT = '`vehi regions show CODE --json` prints a table that is valid.';

/**
 * Validates a user's region table, reporting every fault with row and reason. With `--json` it prints the verdict as a
 * document, also on a file that is not JSON; the exit code is the same.
 * @throws VehiError INVALID_TABLE or INVALID_JSON without `--json`; input if the file cannot be read
 */
export async function runRegionsValidate(file: string, { json }: RegionsFlags, ctx: CliContext) {
  let codes: readonly string[];
  try {
    const { checkRegions } = await import('../../pricing/tables/check-regions.ts');
    const table = checkRegions(await readJson(file, ctx, FORM_HINT, MAX_REGIONS_BYTES), nameSource(file));
    codes = table.rows.map((row) => row.code);
  } catch (error) {
    const isFault = error instanceof VehiError && ['INVALID_TABLE', 'INVALID_JSON'].includes(error.code);
    if (!json || !isFault) throw error;
    const errors = error.details?.errors ?? [{ field: '', message: error.message }];
    ctx.setExitCode(EXIT.inputRejected);
    return write(ctx.stdout, toJsonText({ valid: false, file, regions: [], errors }));
  }
  if (json) return write(ctx.stdout, toJsonText({ valid: true, file, regions: codes, errors: [] }));
  // --regions takes no stdin.
  const regions = file === '-' ? 'FILE' : file;
  const uses = codes.map((region) => formatCommand(['assess', 'damages.json'], { regions, region }));
  const found = `${nameSource(file)}: ${formatCount(codes.length, 'region')}: ${codes.join(', ')}`;
  await write(ctx.stdout, `${[found, ...uses].join('\n  ')}\n`);
}
