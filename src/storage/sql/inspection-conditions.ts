import type { InspectionQuery, RemovalFilter, UnfinishedJobQuery } from '../ports.ts';
import type { Value } from './database.ts';

/** A WHERE clause. */
export interface Conditions {
  readonly sql: string;
  readonly values: Value[];
}

/** Joins the conditions that have a value with AND. */
function joinConditions(conditions: readonly [sql: string, value: Value | undefined][]): Conditions {
  const defined = conditions.filter((condition): condition is [string, Value] => condition[1] !== undefined);
  return { sql: defined.map(([sql]) => sql).join(' AND '), values: defined.map(([, value]) => value) };
}

/** Returns the conditions for the records of a list, ignoring its pages. */
export function buildListConditions(
  query: Omit<InspectionQuery, 'createdAfter' | 'createdBefore'> & {
    readonly createdAfter?: string | undefined;
    readonly createdBefore?: string | undefined;
  },
): Conditions {
  return joinConditions([
    ['account_id = ?', query.accountId],
    ['environment = ?', query.environment],
    ['kind = ?', query.kind],
    ['vehicle_id = ?', query.vehicleId],
    ['status = ?', query.status],
    ['(reviewed_at IS NULL) = (? = 1)', query.reviewed === undefined ? undefined : query.reviewed ? 0 : 1],
    ['created_at >= ?', query.createdAfter],
    ['created_at < ?', query.createdBefore],
  ]);
}

/** Returns the conditions for the records to remove; empty for an empty filter. */
export function buildRemovalConditions(filter: RemovalFilter): Conditions {
  return joinConditions([
    ['created_at < ?', filter.before],
    ['vehicle_id = ?', filter.vehicleId],
    ['id = ?', filter.id],
    ['account_id = ?', filter.accountId],
  ]);
}

/** Returns the conditions for unfinished jobs. */
export function buildUnfinishedConditions(environment: string, query?: UnfinishedJobQuery): Conditions {
  return joinConditions([
    ["status = 'processing' AND environment = ?", environment],
    ['created_at < ?', query?.createdBefore],
    ['attempts = ?', query?.isWaiting ? 0 : undefined],
  ]);
}
