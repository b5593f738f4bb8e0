import type { FastifyRequest } from 'fastify';
import { type ListQuery, ListQuerySchema, PAGE_DEFAULT } from '../../contract/requests.ts';
import { parseIsoTime } from '../../lib/iso-time.ts';
import { defined } from '../../lib/objects.ts';
import type { InspectionKind, InspectionQuery, InspectionRecord, ListPosition } from '../../storage/ports.ts';
import { makeRequestError } from '../http/api-error.ts';
import { findOwn, readCaller } from '../http/auth.ts';
import { succeedWithWarnings } from '../http/success.ts';
import type { ReviewServices, Services } from '../services.ts';

/** Last time with a year of four digits. */
const LAST_TIME = new Date('9999-12-31T23:59:59.999Z');

/** Parses an ISO 8601 date or time of the query. @throws ApiError INVALID_REQUEST for a date that does not exist */
function parseTime(text: string | undefined, field: string): string | undefined {
  if (text === undefined) return undefined;
  const date = parseIsoTime(text);
  if (date === undefined) {
    throw makeRequestError(
      `${field} is "${text}", which does not exist; a date or time such as 2026-01-31T12:00:00Z is needed.`,
      field,
    );
  }
  // Times are compared as text, which five-digit years would break.
  return date.getTime() > LAST_TIME.getTime() ? LAST_TIME.toISOString() : date.toISOString();
}

function toCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

/** Parses a `next_cursor`. @throws ApiError INVALID_REQUEST for a text that is not a cursor */
function fromCursor(cursor: string): ListPosition {
  const [createdAt = '', id = '', ...extra] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (extra.length === 0 && /^\w{1,64}$/.test(id) && !Number.isNaN(Date.parse(createdAt))) {
    return { createdAt, id };
  }
  throw makeRequestError('cursor must be the next_cursor of another page.', 'cursor');
}

/** Returns one page of the caller's records, newest first, with warnings about unknown list parameters. */
export async function listPage<T>(
  request: FastifyRequest,
  services: Services,
  present: (record: InspectionRecord) => T | Promise<T>,
  kind?: InspectionKind,
) {
  const query = request.query as ListQuery;
  const limit = query.limit ?? PAGE_DEFAULT;
  const offset = query.offset ?? 0;
  const search: InspectionQuery = {
    accountId: readCaller(request).account.id,
    environment: services.settings.environment,
    ...defined({
      kind,
      vehicleId: query.vehicle_id,
      status: query.status,
      reviewed: query.reviewed && query.reviewed === 'true',
      createdAfter: parseTime(query.created_after, 'created_after'),
      createdBefore: parseTime(query.created_before, 'created_before'),
      after: query.cursor === undefined ? undefined : fromCursor(query.cursor),
    }),
    limit,
    offset,
  };
  const { records, total, hasMore } = await services.store.inspections.list(search);
  const last = records.at(-1);
  const nextCursor = hasMore && last ? toCursor(last) : null;
  const data = {
    inspections: await Promise.all(records.map(present)),
    pagination: { total, limit, offset, has_more: hasMore, next_cursor: nextCursor },
  };
  return succeedWithWarnings(data, ListQuerySchema, request);
}

/** What routes call a record of each kind: its id is the parameter `<word>_id`. */
export const KIND_WORDS = { visual: 'inspection', damage_assessment: 'assessment' } as const;

/** Returns the caller's record of this kind, by its id. @throws ApiError INSPECTION_NOT_FOUND, ASSESSMENT_NOT_FOUND */
export const findRecord = (
  kind: InspectionKind,
  request: FastifyRequest,
  services: Pick<ReviewServices, 'store' | 'settings'>,
  id?: string,
): Promise<InspectionRecord> =>
  findOwn(
    KIND_WORDS[kind],
    request,
    services,
    async (found) => {
      const record = await services.store.inspections.get(found);
      return record?.kind === kind ? record : undefined;
    },
    id,
  );
