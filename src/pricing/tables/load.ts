import { readFileSync } from 'node:fs';
import { CURRENCY_CODES } from '../../domain/money.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { checkTable, type TableFault } from './check.ts';
import { regionFaults } from './regions.ts';
import {
  ClassesSchema,
  type ClassesTable,
  type FxTable,
  FxTableSchema,
  OperationsSchema,
  type OperationsTable,
  PartsSchema,
  type PartsTable,
  PDR_SIZES,
  PdrSchema,
  type PdrTable,
  RefinishSchema,
  type RefinishTable,
  RegionsSchema,
  type RegionsTable,
  ValueSchema,
  type ValueTable,
} from './schema.ts';

/** All tables an estimate is worked out from; values, never changed after loading. */
export interface Tables {
  readonly regions: RegionsTable;
  readonly fx: FxTable;
  readonly parts: PartsTable;
  readonly operations: OperationsTable;
  readonly refinish: RefinishTable;
  readonly pdr: PdrTable;
  readonly value: ValueTable;
  readonly classes: ClassesTable;
}

function shipped(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../data/${file}`, import.meta.url), 'utf8'));
}

function partsFaults(table: PartsTable): TableFault[] {
  const listed = table.rows.flatMap((row) => row.parts);
  const missing = PART_NAMES.filter((part) => !listed.includes(part));
  const twice = listed.filter((part, i) => listed.indexOf(part) !== i);
  return [
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

/** More dents or larger dents must never be cheaper, or a graver damage could cost less. */
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

/** The shipped tables, schema-checked. @throws VehiError INVALID_TABLE naming the row and the reason. */
export function loadTables(): Tables {
  return {
    regions: checkTable(RegionsSchema, shipped('regions.json'), 'regions.json', regionFaults),
    fx: checkTable(FxTableSchema, shipped('exchange-rates.json'), 'exchange-rates.json', fxFaults),
    parts: checkTable(PartsSchema, shipped('parts.json'), 'parts.json', partsFaults),
    operations: checkTable(OperationsSchema, shipped('operations.json'), 'operations.json'),
    refinish: checkTable(RefinishSchema, shipped('refinish.json'), 'refinish.json'),
    pdr: checkTable(PdrSchema, shipped('pdr.json'), 'pdr.json', pdrFaults),
    value: checkTable(ValueSchema, shipped('value.json'), 'value.json'),
    classes: checkTable(ClassesSchema, shipped('vehicle-classes.json'), 'vehicle-classes.json'),
  };
}
