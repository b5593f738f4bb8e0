import { PART_NAMES } from '../../../src/domain/parts.ts';
import { EQUIPMENT } from '../../../src/domain/vehicle/vehicle.ts';
import { Type } from '../../../src/lib/type.ts';
import { AssociatedSchema } from '../../../src/pricing/tables/associated-schema.ts';
import { checkTable, type TableFault } from '../../../src/pricing/tables/check.ts';
import { listRegionFaults } from '../../../src/pricing/tables/check-regions.ts';
import { loadTables, type Tables } from '../../../src/pricing/tables/load.ts';
import { PartsSchema, type PartsTable } from '../../../src/pricing/tables/parts-schema.ts';
import { RegionsSchema } from '../../../src/pricing/tables/region-schema.ts';

/** Anything: the types of these tables are those of their data. */
const PlainSchema = Type.Object({});
/** Figures that are sourced by a field next to them, and rates of one source. */
const SOURCED_ELSEWHERE = ['depth', 'sizes', 'sources', 'per_base'];

/** Lists negative or infinite figures, empty texts, and rows and blocks without a source. */
function findPlainFaults(table: object): TableFault[] {
  const walk = (value: unknown, where: string, depth: number): TableFault[] => {
    if (typeof value === 'number')
      return value >= 0 && value <= 1_000_000 ? [] : [{ where, reason: `${value} is no figure` }];
    if (value === '') return [{ where, reason: 'is empty' }];
    if (typeof value !== 'object' || value === null) return [];
    const isRow = depth === 1 ? !Array.isArray(value) : /^\w+\[\d+\]$/.test(where);
    const isSourced =
      'source' in value || SOURCED_ELSEWHERE.some((name) => name in value || where.startsWith(name));
    const isList = Object.values(value).every((one) => typeof one === 'string');
    return [
      ...(isRow && !isSourced && !isList ? [{ where, reason: 'source is missing' }] : []),
      ...Object.entries(value).flatMap(([key, one]) =>
        walk(
          one,
          Array.isArray(value) ? `${where}[${key}]` : where === '' ? key : `${where}.${key}`,
          depth + 1,
        ),
      ),
    ];
  };
  return walk(table, '', 0);
}

function findPartsFaults(table: PartsTable): TableFault[] {
  const listed = table.rows.flatMap((row) => row.parts);
  const missing = PART_NAMES.filter((part) => !listed.includes(part));
  const twice = listed.filter((part, i) => listed.indexOf(part) !== i);
  const names = [...listed, ...table.components.map((row) => row.component)] as readonly string[];
  const unknown = table.equipment.flatMap(({ fact, values, parts }) => [
    ...values.filter((value) => !(EQUIPMENT[fact] as readonly string[]).includes(value)),
    ...parts.filter((part) => !names.includes(part)),
  ]);
  return [
    ...unknown.map((value) => ({ where: 'equipment', reason: `${value} is not known` })),
    ...missing.map((part) => ({ where: 'rows', reason: `no row for ${part}` })),
    ...twice.map((part) => ({ where: 'rows', reason: `${part} is listed twice` })),
  ];
}

/** Lists cells where more or larger dents would cost less, which would make more severe damage cheaper. */
function findPdrFaults({ rows, sizes }: Tables['pdr']): TableFault[] {
  const priceOf = (row: Tables['pdr']['rows'][number], at: number) =>
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

/**
 * Returns the shipped tables, checked against their schemas and rules.
 * @throws VehiError INVALID_TABLE naming row and reason.
 */
export function checkShippedTables(): Tables {
  const tables = loadTables();
  const checkPlain = <N extends keyof Tables>(
    name: N,
    more: (table: Tables[N]) => readonly TableFault[] = () => [],
  ): Tables[N] =>
    checkTable(PlainSchema, tables[name], `${name}.json`, (table) => [
      ...findPlainFaults(table),
      ...more(table as Tables[N]),
    ]) as Tables[N];
  return {
    regions: checkTable(RegionsSchema, tables.regions, 'regions.json', listRegionFaults),
    fx: checkPlain('fx'),
    parts: checkTable(PartsSchema, tables.parts, 'parts.json', findPartsFaults),
    operations: checkPlain('operations'),
    refinish: checkPlain('refinish'),
    pdr: checkPlain('pdr', findPdrFaults),
    value: checkPlain('value'),
    classes: checkPlain('classes'),
    associated: checkTable(AssociatedSchema, tables.associated, 'associated.json'),
    spreads: checkPlain('spreads'),
  };
}
