import type { InspectionQuery } from '../ports.ts';
import { listCountKeys } from './count-keys.ts';
import type { SqlDatabase } from './database.ts';
import { buildListConditions } from './inspection-conditions.ts';
import { splitTimeRange, UNIT_LENGTHS, type Unit } from './time-ranges.ts';

/** Counts a list's records over all pages; only a vehicle or review filter requires counting row by row. */
export async function countListed(db: SqlDatabase, query: InspectionQuery): Promise<number> {
  const { vehicleId, reviewed, createdAfter, createdBefore } = query;
  if (vehicleId !== undefined || reviewed !== undefined)
    return countRecords(db, query, createdAfter, createdBefore);
  if (createdAfter === undefined && createdBefore === undefined) return countUnits(db, query, 'all');
  let total = 0;
  for (const { unit, from, to } of splitTimeRange(createdAfter, createdBefore)) {
    total += await (unit === 'record'
      ? countRecords(db, query, from, to)
      : countUnits(db, query, unit, from, to));
  }
  return total;
}

async function countUnits(
  db: SqlDatabase,
  query: InspectionQuery,
  unit: Unit | 'all',
  from?: string,
  to?: string,
): Promise<number> {
  const { kinds, statuses } = listCountKeys(query);
  const length = unit === 'all' ? 0 : UNIT_LENGTHS[unit];
  const row = await db.get(
    `SELECT sum(count) AS n FROM inspection_counts
     WHERE account_id = ? AND environment = ? AND kind = ANY(?) AND status = ANY(?)
       AND unit = ? AND period >= ? AND period < ?`,
    query.accountId,
    query.environment,
    kinds,
    statuses,
    unit,
    from?.slice(0, length) ?? '',
    // Sorts after every digit (the columns are COLLATE "C").
    to?.slice(0, length) ?? '~',
  );
  return Number(row?.n);
}

async function countRecords(
  db: SqlDatabase,
  query: InspectionQuery,
  createdAfter?: string,
  createdBefore?: string,
): Promise<number> {
  const { sql, values } = buildListConditions({ ...query, createdAfter, createdBefore });
  return Number((await db.get(`SELECT count(*) AS n FROM inspections WHERE ${sql}`, ...values))?.n);
}
