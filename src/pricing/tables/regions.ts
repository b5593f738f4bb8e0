import { VehiError } from '../../lib/errors.ts';
import { suggestNames } from '../../lib/fields.ts';
import type { Tables } from './load.ts';
import type { RegionRow, RegionsTable } from './region-schema.ts';

/** Adds a user's region rows to the tables; a row with a shipped code replaces the shipped row. Each row has its own date. */
export function withRegions(tables: Tables, custom: RegionsTable): Tables {
  const kept = tables.regions.rows.filter((row) => !custom.rows.some((own) => own.code === row.code));
  return {
    ...tables,
    regions: {
      ...tables.regions,
      version: `${tables.regions.version}+${custom.version}`,
      rows: [...kept, ...custom.rows],
      own: custom.rows,
    },
  };
}

/** Returns the row of a region code. @throws VehiError INVALID_REGION, with the nearest code as a hint. */
export function findRegion(tables: Tables, code: string): RegionRow {
  const row = tables.regions.rows.find((candidate) => candidate.code === code);
  if (row !== undefined) return row;
  const codes = tables.regions.rows.map((candidate) => candidate.code);
  throw new VehiError('input', 'INVALID_REGION', `Unknown labor rate region "${code}".`, {
    hint: suggestNames(code, codes, 'Known regions:'),
    details: { allowed: codes },
  });
}
