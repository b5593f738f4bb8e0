import { cutTime, listCountKeys, UNIT_LENGTHS, type Unit } from '../count-times.ts';
import { whereListed } from '../inspection-conditions.ts';
import type { InspectionQuery } from '../ports.ts';
import type { Queries } from './database.ts';

/**
 * Counts the records of a list over all its pages. Only those of one vehicle, and those that are reviewed or not, are
 * counted one by one.
 */
export async function countListed(db: Queries, query: InspectionQuery): Promise<number> {
  const { vehicleId, reviewed, createdAfter, createdBefore } = query;
  if (vehicleId !== undefined || reviewed !== undefined)
    return countRecords(db, query, createdAfter, createdBefore);
  if (createdAfter === undefined && createdBefore === undefined) return countUnits(db, query, 'all');
  let total = 0;
  for (const { by, from, to } of cutTime(createdAfter, createdBefore)) {
    const part = by === 'record' ? countRecords(db, query, from, to) : countUnits(db, query, by, from, to);
    total += await part;
  }
  return total;
}

async function countUnits(
  db: Queries,
  query: InspectionQuery,
  unit: Unit | 'all',
  from?: string,
  to?: string,
): Promise<number> {
  const groups = listCountKeys(query);
  const length = unit === 'all' ? 0 : UNIT_LENGTHS[unit];
  const row = await db.row(
    `SELECT coalesce(sum(count), 0)::bigint AS n FROM inspection_counts
     JOIN unnest(?::text[], ?::text[]) AS wanted(k, s) ON kind = k AND status = s
     WHERE account_id = ? AND environment = ? AND unit = ? AND period >= ? AND period < ?`,
    groups.map(([kind]) => kind),
    groups.map(([, status]) => status),
    ...[query.accountId, query.environment, unit, from?.slice(0, length) ?? '', to?.slice(0, length) ?? '~'],
  );
  return Number(row?.n);
}

async function countRecords(
  db: Queries,
  query: InspectionQuery,
  from?: string,
  to?: string,
): Promise<number> {
  const { createdAfter: _after, createdBefore: _before, ...rest } = query;
  const { sql, values } = whereListed({
    ...rest,
    ...(from === undefined ? {} : { createdAfter: from }),
    ...(to === undefined ? {} : { createdBefore: to }),
  });
  return Number((await db.row(`SELECT count(*) AS n FROM inspections WHERE ${sql}`, ...values))?.n);
}
