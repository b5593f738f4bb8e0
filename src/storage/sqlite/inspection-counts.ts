import { cutTime, listCountKeys, UNIT_LENGTHS, type Unit } from '../count-times.ts';
import { whereListed } from '../inspection-conditions.ts';
import type { InspectionQuery } from '../ports.ts';
import type { Database } from './database.ts';

/**
 * Counts the records of a list over all its pages. Only those of one vehicle, and those that are reviewed or not, are
 * counted one by one.
 */
export function countListed(db: Database, query: InspectionQuery): number {
  const { vehicleId, reviewed, createdAfter, createdBefore } = query;
  if (vehicleId !== undefined || reviewed !== undefined)
    return countRecords(db, query, createdAfter, createdBefore);
  if (createdAfter === undefined && createdBefore === undefined) return countAll(db, query);
  return cutTime(createdAfter, createdBefore)
    .map(({ by, from, to }) =>
      by === 'record' ? countRecords(db, query, from, to) : countUnits(db, query, by, from, to),
    )
    .reduce((sum, one) => sum + one, 0);
}

function countAll(db: Database, query: InspectionQuery): number {
  return listCountKeys(query)
    .map(([kind, status]) =>
      db.row(
        'SELECT count FROM inspection_counts WHERE account_id = ? AND environment = ? AND kind = ? AND status = ?',
        ...[query.accountId, query.environment, kind, status],
      ),
    )
    .reduce((sum, row) => sum + Number(row?.count ?? 0), 0);
}

function countUnits(db: Database, query: InspectionQuery, unit: Unit, from?: string, to?: string): number {
  const length = UNIT_LENGTHS[unit];
  return listCountKeys(query)
    .map(([kind, status]) =>
      db.row(
        `SELECT coalesce(sum(count), 0) AS n FROM inspection_times WHERE account_id = ? AND environment = ?
           AND kind = ? AND status = ? AND unit = ? AND period >= ? AND period < ?`,
        ...[query.accountId, query.environment, kind, status, unit],
        ...[from?.slice(0, length) ?? '', to?.slice(0, length) ?? '~'],
      ),
    )
    .reduce((sum, row) => sum + Number(row?.n), 0);
}

function countRecords(db: Database, query: InspectionQuery, from?: string, to?: string): number {
  const { createdAfter: _after, createdBefore: _before, ...rest } = query;
  const { sql, values } = whereListed({
    ...rest,
    ...(from === undefined ? {} : { createdAfter: from }),
    ...(to === undefined ? {} : { createdBefore: to }),
  });
  return Number(db.row(`SELECT count(*) AS n FROM inspections WHERE ${sql}`, ...values)?.n);
}
