import { CURRENCY_CODES } from '../../../src/domain/money.ts';
import { PART_NAMES } from '../../../src/domain/parts.ts';
import { EQUIPMENT } from '../../../src/domain/vehicle.ts';
import { checkTable, type TableFault } from '../../../src/pricing/tables/check.ts';
import { listRegionFaults } from '../../../src/pricing/tables/check-regions.ts';
import { loadTables, type Tables } from '../../../src/pricing/tables/load.ts';
import {
  AssociatedSchema,
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
  SpreadsSchema,
  ValueSchema,
} from '../../../src/pricing/tables/schema.ts';

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

/** Lists cells where more or larger dents would cost less, which would make more severe damage cheaper. */
function findPdrFaults({ rows, sizes }: PdrTable): TableFault[] {
  const priceOf = (row: PdrTable['rows'][number], at: number) =>
    Object.values(row.price)[at] ?? Number.POSITIVE_INFINITY;
  return rows.flatMap((row, i) => {
    const before = rows.slice(0, i).findLast(({ panel }) => panel === row.panel);
    const where = `rows ${row.panel} up to ${row.up_to_dents}`;
    const isCheaper = sizes.some(
      (_, at) =>
        (at > 0 && priceOf(row, at) < priceOf(row, at - 1)) ||
        (before !== undefined && priceOf(row, at) < priceOf(before, at)),
    );
    const isMisplaced = before !== undefined && row.up_to_dents <= before.up_to_dents;
    return isCheaper || isMisplaced ? [{ where, reason: 'more or larger dents cost less' }] : [];
  });
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
export function checkShippedTables(
  read: (name: keyof Tables) => unknown = (name) => loadTables()[name],
): Tables {
  return {
    regions: checkTable(RegionsSchema, read('regions'), 'regions.json', listRegionFaults),
    fx: checkTable(FxTableSchema, read('fx'), 'exchange-rates.json', findFxFaults),
    parts: checkTable(PartsSchema, read('parts'), 'parts.json', findPartsFaults),
    operations: checkTable(OperationsSchema, read('operations'), 'operations.json'),
    refinish: checkTable(RefinishSchema, read('refinish'), 'refinish.json'),
    pdr: checkTable(PdrSchema, read('pdr'), 'pdr.json', findPdrFaults),
    value: checkTable(ValueSchema, read('value'), 'value.json'),
    classes: checkTable(ClassesSchema, read('classes'), 'vehicle-classes.json'),
    associated: checkTable(AssociatedSchema, read('associated'), 'associated.json'),
    spreads: checkTable(SpreadsSchema, read('spreads'), 'spreads.json'),
  };
}
