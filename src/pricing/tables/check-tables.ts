import { CURRENCY_CODES } from '../../domain/money.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { EQUIPMENT } from '../../domain/vehicle.ts';
import { checkTable, type TableFault } from './check.ts';
import { AssociatedSchema, SpreadsSchema } from './extra-schema.ts';
import { PDR_SIZES } from './kinds.ts';
import { shippedTable, TABLE_FILES, type Tables } from './load.ts';
import {
  ClassesSchema,
  type FxTable,
  FxTableSchema,
  OperationsSchema,
  PartsSchema,
  type PartsTable,
  PdrSchema,
  type PdrTable,
  RefinishSchema,
  RegionsSchema,
  type RegionsTable,
  ValueSchema,
} from './schema.ts';

function partsFaults(table: PartsTable): TableFault[] {
  const listed = table.rows.flatMap((row) => row.parts);
  const missing = PART_NAMES.filter((part) => !listed.includes(part));
  const twice = listed.filter((part, i) => listed.indexOf(part) !== i);
  const unknown = table.equipment.flatMap(({ fact, values }) =>
    values
      .filter((value) => !(EQUIPMENT[fact] as readonly string[]).includes(value))
      .map((value) => `${fact} ${value}`),
  );
  return [
    ...unknown.map((value) => ({ where: 'equipment', reason: `${value} is not known` })),
    ...missing.map((part) => ({ where: 'rows', reason: `no row for ${part}` })),
    ...twice.map((part) => ({ where: 'rows', reason: `${part} is listed twice` })),
  ];
}

function fxFaults(table: FxTable): TableFault[] {
  const listed = table.rows.map((row) => row.currency);
  return CURRENCY_CODES.filter((code) => !listed.includes(code)).map((code) => ({
    where: 'rows',
    reason: `no rate for ${code}`,
  }));
}

/** More dents or larger dents must never be cheaper, or a more severe damage could cost less. */
function pdrFaults(table: PdrTable): TableFault[] {
  const faults: TableFault[] = [];
  for (const panel of ['flat', 'side'] as const) {
    const rows = table.rows.filter((row) => row.panel === panel);
    rows.forEach((row, i) => {
      const before = rows[i - 1];
      PDR_SIZES.forEach((size, s) => {
        const price = row.price[size] ?? Number.POSITIVE_INFINITY;
        const smaller = PDR_SIZES[s - 1];
        const cheaperThanSmaller =
          smaller !== undefined && price < (row.price[smaller] ?? Number.POSITIVE_INFINITY);
        const cheaperThanFewer = before !== undefined && row.up_to_dents <= before.up_to_dents;
        if (cheaperThanSmaller || cheaperThanFewer) {
          faults.push({ where: `rows ${panel} up to ${row.up_to_dents}`, reason: `${size} is out of order` });
        }
      });
    });
  }
  return faults;
}

/** Faults that a schema cannot say: codes listed twice, ranges the wrong way round. */
function regionFaults(table: RegionsTable): TableFault[] {
  const faults: TableFault[] = [];
  if (!isDay(table.effective_date)) {
    faults.push({ where: 'effective_date', reason: `${table.effective_date} is no day of the calendar` });
  }
  table.rows.forEach((row, i) => {
    const where = `rows[${i}] (${row.code})`;
    if (!isDay(row.date))
      faults.push({ where: `${where}.date`, reason: `${row.date} is no day of the calendar` });
    if (table.rows.findIndex((other) => other.code === row.code) !== i) {
      faults.push({ where: `${where}.code`, reason: 'listed twice' });
    }
    for (const [name, range] of [
      ['rate_per_hour', row.rate_per_hour],
      ...Object.entries(row.departments),
    ] as const) {
      const [low = 0, high = 0] = range;
      if (low > high) faults.push({ where: `${where}.${name}`, reason: `low ${low} is above high ${high}` });
    }
  });
  return faults;
}

/** A table without its comments: fields named `//`. */
function withoutNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNotes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== '//');
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNotes(inner)]));
}

/** Whether a day of this text exists. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** A region table of the user's, checked. @throws VehiError INVALID_TABLE naming the row and the reason. */
export function checkRegions(table: unknown, name: string): RegionsTable {
  return checkTable(RegionsSchema, withoutNotes(table), name, regionFaults);
}

/** The shipped tables, held against their schemas and rules. @throws VehiError INVALID_TABLE naming row and reason. */
export function checkShippedTables(read: (name: keyof Tables) => unknown = shippedTable): Tables {
  const { regions, fx, parts, operations, refinish, pdr, value, classes, associated, spreads } = TABLE_FILES;
  return {
    regions: checkTable(RegionsSchema, read('regions'), regions, regionFaults),
    fx: checkTable(FxTableSchema, read('fx'), fx, fxFaults),
    parts: checkTable(PartsSchema, read('parts'), parts, partsFaults),
    operations: checkTable(OperationsSchema, read('operations'), operations),
    refinish: checkTable(RefinishSchema, read('refinish'), refinish),
    pdr: checkTable(PdrSchema, read('pdr'), pdr, pdrFaults),
    value: checkTable(ValueSchema, read('value'), value),
    classes: checkTable(ClassesSchema, read('classes'), classes),
    associated: checkTable(AssociatedSchema, read('associated'), associated),
    spreads: checkTable(SpreadsSchema, read('spreads'), spreads),
  };
}
