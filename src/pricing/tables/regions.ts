import { VehiError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';
import { checkTable, type TableFault } from './check.ts';
import type { Tables } from './load.ts';
import { type RegionRow, RegionsSchema, type RegionsTable } from './schema.ts';

/** Faults that a schema cannot say: codes listed twice, ranges the wrong way round. */
export function regionFaults(table: RegionsTable): TableFault[] {
  const faults: TableFault[] = [];
  table.rows.forEach((row, i) => {
    const where = `rows[${i}] (${row.code})`;
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

/** A region table of the user's, checked. @throws VehiError INVALID_TABLE naming the row and the reason. */
export function checkRegions(table: unknown, name: string): RegionsTable {
  return checkTable(RegionsSchema, table, name, regionFaults);
}

/** The tables with a user's region rows added; a row of the same code replaces the shipped one. */
export function withRegions(tables: Tables, custom: RegionsTable): Tables {
  const kept = tables.regions.rows.filter((row) => !custom.rows.some((own) => own.code === row.code));
  return {
    ...tables,
    regions: {
      ...tables.regions,
      version: `${tables.regions.version}+${custom.version}`,
      effective_date: custom.effective_date,
      rows: [...kept, ...custom.rows],
    },
  };
}

/** The row of a region code. @throws VehiError INVALID_REGION with the nearest code as a hint. */
export function findRegion(
  tables: Tables,
  code: string,
  field = 'assessment_options.labor_rate_region',
): RegionRow {
  const row = tables.regions.rows.find((candidate) => candidate.code === code);
  if (row !== undefined) return row;
  const codes = tables.regions.rows.map((candidate) => candidate.code);
  const meant = nearest(code, codes);
  throw new VehiError('input', 'INVALID_REGION', `Unknown labor rate region "${code}".`, {
    field,
    hint: meant === undefined ? `Known regions: ${codes.join(', ')}` : `Did you mean ${meant}?`,
    details: { allowed: codes },
  });
}
