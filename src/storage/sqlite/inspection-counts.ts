import { INSPECTION_KINDS, INSPECTION_STATUSES, type InspectionQuery } from '../ports.ts';
import type { Database } from './database.ts';
import { whereListed } from './inspection-conditions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Lengths of ISO 8601 times that end with the day and with the hour. */
const UNITS = { day: 10, hour: 13 } as const;
type Unit = keyof typeof UNITS;

/** A stretch of time that is counted by whole units, or record by record; without an end it is open there. */
interface Stretch {
  readonly by: Unit | 'record';
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const isoOf = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const ceil = (ms: number, unitMs: number) => Math.ceil(ms / unitMs) * unitMs;
const floor = (ms: number, unitMs: number) => Math.floor(ms / unitMs) * unitMs;

/** Cuts the time from `after` (inclusive) to `before` (exclusive) into whole days, whole hours, and what is left. */
export function cutTime(after: string | undefined, before: string | undefined): Stretch[] {
  const startMs = after === undefined ? undefined : Date.parse(after);
  const endMs = before === undefined ? undefined : Date.parse(before);
  const edges: [Stretch['by'], number | undefined, number | undefined][] = [];
  const inner = (unitMs: number, from?: number, to?: number): [number | undefined, number | undefined] => [
    from === undefined ? undefined : ceil(from, unitMs),
    to === undefined ? undefined : floor(to, unitMs),
  ];
  const isEmpty = ([from, to]: readonly [number | undefined, number | undefined]) =>
    from !== undefined && to !== undefined && from >= to;
  const hours = inner(HOUR_MS, startMs, endMs);
  const days = inner(DAY_MS, startMs, endMs);
  if (isEmpty(hours)) edges.push(['record', startMs, endMs]);
  else {
    edges.push(['record', startMs, hours[0]], ['record', hours[1], endMs]);
    if (isEmpty(days)) edges.push(['hour', ...hours]);
    else edges.push(['hour', hours[0], days[0]], ['day', ...days], ['hour', days[1], hours[1]]);
  }
  return edges
    .filter(([by, from, to]) => by === 'day' || (from !== undefined && to !== undefined && from < to))
    .map(([by, from, to]) => ({ by, from: isoOf(from), to: isoOf(to) }));
}

/**
 * How many records a list has over all its pages. Only those of one vehicle, and those that are reviewed or not, are
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

/** Every combination of kind and status that a list takes: with them the key of the counts is whole. */
function groupsOf({ kind, status }: InspectionQuery): [string, string][] {
  const kinds = kind === undefined ? INSPECTION_KINDS : [kind];
  const statuses = status === undefined ? INSPECTION_STATUSES : [status];
  return kinds.flatMap((one) => statuses.map((other): [string, string] => [one, other]));
}

function countAll(db: Database, query: InspectionQuery): number {
  return groupsOf(query)
    .map(([kind, status]) =>
      db.row(
        'SELECT count FROM inspection_counts WHERE account_id = ? AND environment = ? AND kind = ? AND status = ?',
        ...[query.accountId, query.environment, kind, status],
      ),
    )
    .reduce((sum, row) => sum + Number(row?.count ?? 0), 0);
}

function countUnits(db: Database, query: InspectionQuery, unit: Unit, from?: string, to?: string): number {
  const length = UNITS[unit];
  return groupsOf(query)
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
