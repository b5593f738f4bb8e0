import type { InspectionQuery } from '../ports.ts';
import type { Value } from './database.ts';

/** The part of a question after WHERE. */
export interface Conditions {
  readonly sql: string;
  readonly values: Value[];
}

/** All of them that have a value. */
export function joinConditions(all: readonly [sql: string, value: Value | undefined][]): Conditions {
  const given = all.filter((one): one is [string, Value] => one[1] !== undefined);
  return { sql: given.map(([sql]) => sql).join(' AND '), values: given.map(([, value]) => value) };
}

/** The records of a list, on all its pages. */
export function whereListed(query: InspectionQuery): Conditions {
  return joinConditions([
    ['account_id = ?', query.accountId],
    ['environment = ?', query.environment],
    ['kind = ?', query.kind],
    ['vehicle_id = ?', query.vehicleId],
    ['status = ?', query.status],
    ['(reviewed_at IS NULL) = ?', query.reviewed === undefined ? undefined : query.reviewed ? 0 : 1],
    ['created_at >= ?', query.createdAfter],
    ['created_at < ?', query.createdBefore],
  ]);
}
