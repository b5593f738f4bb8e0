import { CURRENCY_CODES } from '../../domain/money.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { EQUIPMENT } from '../../domain/vehicle.ts';
import { checkTable, type TableFault } from './check.ts';
import { listPdrOrderFaults, listRegionFaults } from './check-regions.ts';
import { readShippedTable, TABLE_FILES, type Tables } from './load.ts';
import {
  AssociatedSchema,
  ClassesSchema,
  type FxTable,
  FxTableSchema,
  OperationsSchema,
  PartsSchema,
  type PartsTable,
  PdrSchema,
  RefinishSchema,
  RegionsSchema,
  SpreadsSchema,
  ValueSchema,
} from './schema.ts';

function findPartsFaults(table: PartsTable): TableFault[] {
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

function findFxFaults(table: FxTable): TableFault[] {
  const listed = table.rows.map((row) => row.currency);
  return CURRENCY_CODES.filter((code) => !listed.includes(code)).map((code) => ({
    where: 'rows',
    reason: `no rate for ${code}`,
  }));
}

/**
 * Returns the shipped tables, checked against their schemas and rules.
 * @throws VehiError INVALID_TABLE naming row and reason.
 */
export function checkShippedTables(read: (name: keyof Tables) => unknown = readShippedTable): Tables {
  const { regions, fx, parts, operations, refinish, pdr, value, classes, associated, spreads } = TABLE_FILES;
  return {
    regions: checkTable(RegionsSchema, read('regions'), regions, listRegionFaults),
    fx: checkTable(FxTableSchema, read('fx'), fx, findFxFaults),
    parts: checkTable(PartsSchema, read('parts'), parts, findPartsFaults),
    operations: checkTable(OperationsSchema, read('operations'), operations),
    refinish: checkTable(RefinishSchema, read('refinish'), refinish),
    pdr: checkTable(PdrSchema, read('pdr'), pdr, (table) => listPdrOrderFaults(table.rows, 'rows')),
    value: checkTable(ValueSchema, read('value'), value),
    classes: checkTable(ClassesSchema, read('classes'), classes),
    associated: checkTable(AssociatedSchema, read('associated'), associated),
    spreads: checkTable(SpreadsSchema, read('spreads'), spreads),
  };
}
