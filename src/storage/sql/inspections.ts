import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../lib/durations.ts';
import {
  type Attempt,
  ClaimLost,
  type IdempotencyRef,
  type InspectionOutcome,
  type InspectionQuery,
  type InspectionRecord,
  type NewWebhookMessage,
  type RemovalFilter,
  type UnfinishedJob,
} from '../records.ts';
import { type Row, type SqlDatabase, tx } from './database.ts';
import { joinConditions, makeInsert, makeReader } from './rows.ts';
import { addToTotals, countRecords, recount, toCondition } from './totals.ts';
import { insertMessages } from './webhooks.ts';

/** Time for which a running attempt may still write files after its record was removed. */
const MAX_ATTEMPT_MS = HOUR_MS;
/** Maximum number of ids that one call of `listPendingCleanups` returns. */
const MAX_PENDING_CLEANUPS = 1_000;
/** Time for which a crash counts against its account, in milliseconds. */
const CRASH_WINDOW_MS = HOUR_MS;

const readInspection = makeReader<InspectionRecord>(
  ...(['id', 'accountId', 'environment', 'kind', 'vehicleId', 'status', 'createdAt', 'completedAt'] as const),
  ...(['attempts', 'document', 'meta', 'request', 'reviewedAt', 'tag'] as const),
);
const toUnfinishedJob = makeReader<UnfinishedJob>('id', 'accountId', 'attempts', 'createdAt', 'tag');

/** Converts a row to an inspection or assessment; jobs outside the fair order have no tag. */
function toInspection(row: Row): InspectionRecord {
  const { tag, ...record } = readInspection(row);
  return tag == null ? record : { ...record, tag };
}

const toIds = (rows: readonly Row[]) => rows.map((row) => row.id as string);
const toOwners = (rows: readonly Row[]) => rows.map((row) => row.owner as string);

/** SQL condition for the record of the latest attempt, by id and token. */
const CURRENT_ATTEMPT = "id = ? AND status = 'processing' AND token = ?";

const SELECT_UNFINISHED =
  "SELECT id, account_id, attempts, created_at, tag FROM inspections WHERE status = 'processing' AND NOT parked";

/** Creates the store of inspections and assessments: the document as JSON, plus columns for searching. */
export function createInspections(db: SqlDatabase) {
  const { sqlNowMs } = db;

  async function selectIds(ids: readonly string[], condition: string): Promise<Set<string>> {
    return new Set(toIds(await db.all(`SELECT id FROM inspections WHERE id = ANY(?) ${condition}`, [ids])));
  }

  return {
    /**
     * Stores the record, its events, and the resource of an idempotency key in one transaction. A `parked` record stays
     * `processing` without a job; without `cost` it gets no tag. Returns the job's tag in the fair order, if the store
     * keeps one.
     * @throws ClaimLost
     */
    create: (
      record: InspectionRecord,
      options: {
        readonly idempotency?: IdempotencyRef;
        readonly messages?: readonly NewWebhookMessage[];
        readonly parked?: boolean;
        readonly cost?: number;
      } = {},
    ) =>
      db.transaction(function* () {
        const { idempotency, messages = [], parked = false, cost } = options;
        const tag = cost === undefined || !db.assignTag ? undefined : yield* db.assignTag(record, cost);
        yield* tx.run(...makeInsert('inspections', { ...record, parked, tag: tag ?? null }));
        if (idempotency) {
          const { accountId, environment, operation, key, claim } = idempotency;
          const changes = yield* tx.run(
            `UPDATE idempotency SET resource_id = ?
             WHERE account_id = ? AND environment = ? AND operation = ? AND key = ? AND claim = ?`,
            [record.id, accountId, environment, operation, key, claim],
          );
          if (changes === 0) throw new ClaimLost();
        }
        yield* insertMessages(messages);
        yield* addToTotals(1, [record.id]);
        return tag;
      }),
    async get(id: string) {
      const row = await db.get('SELECT * FROM inspections WHERE id = ?', [id]);
      return row && toInspection(row);
    },
    async list(query: InspectionQuery) {
      const { sql, values } = toCondition(query);
      const after = query.after ? [query.after.createdAt, query.after.id] : [];
      // The page is selected by index alone; rows, which contain whole documents, are read only for that page.
      const rows = await db.all(
        `SELECT i.* FROM (SELECT id FROM inspections WHERE ${sql}${query.after ? ' AND (created_at, id) < (?, ?)' : ''}
           ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?) page
         JOIN inspections i ON i.id = page.id ORDER BY i.created_at DESC, i.id DESC`,
        [...values, ...after, query.limit + 1, query.offset],
      );
      const records = rows.slice(0, query.limit).map(toInspection);
      return { records, total: await countRecords(db, query), hasMore: rows.length > query.limit };
    },
    /**
     * Finishes a record with the token of its latest attempt. Returns false and stores nothing for another token or a
     * finished record. The finished record may have leftover files.
     */
    finish: (id: string, token: string, outcome: InspectionOutcome) =>
      db.transaction(function* () {
        const changes = yield* recount([id], () =>
          tx.run(
            `UPDATE inspections SET status = ?, completed_at = ?, document = ?, meta = ? WHERE ${CURRENT_ATTEMPT}`,
            [
              outcome.status,
              outcome.completedAt,
              JSON.stringify(outcome.document),
              JSON.stringify(outcome.meta),
              id,
              token,
            ],
          ),
        );
        if (changes === 0) return false;
        yield* insertMessages(outcome.messages);
        yield* tx.run(`INSERT INTO leftovers VALUES (?, ${sqlNowMs}) ON CONFLICT DO NOTHING`, [id]);
        return true;
      }),
    /** Returns unfinished jobs, oldest first; with `isWaiting`, only those not yet attempted. */
    async listUnfinished(
      environment: string,
      query: { readonly createdBefore?: string; readonly isWaiting?: boolean; readonly limit?: number } = {},
    ) {
      const { sql, values } = joinConditions([
        ['environment = ?', environment],
        ['created_at < ?', query.createdBefore],
        ['attempts = ?', query.isWaiting ? 0 : undefined],
      ]);
      const rows = await db.all(`${SELECT_UNFINISHED} AND ${sql} ORDER BY created_at, id LIMIT ?`, [
        ...values,
        query.limit ?? Number.MAX_SAFE_INTEGER,
      ]);
      return rows.map((row) => toUnfinishedJob(row));
    },
    /** Counts the unfinished jobs of an account, up to `limit`. */
    async countUnfinished(accountId: string, environment: string, limit: number) {
      const row = await db.get(
        `SELECT count(*) AS n FROM (${SELECT_UNFINISHED} AND account_id = ? AND environment = ? LIMIT ?) found`,
        [accountId, environment, limit],
      );
      return Number(row?.n);
    },
    /** Returns the ids that are not `processing`. */
    async filterNotProcessing(ids: readonly string[]) {
      const processing = await selectIds(ids, "AND status = 'processing'");
      return ids.filter((id) => !processing.has(id));
    },
    /** Starts another attempt at a `processing` record, in a child process if `inChild`; undefined for others. */
    async startAttempt(id: string, inChild = false): Promise<Attempt | undefined> {
      const token = randomUUID();
      const row = await db.runReturning(
        `UPDATE inspections SET attempts = attempts + 1, spared = spared + ?, token = ?
         WHERE id = ? AND status = 'processing' RETURNING attempts, attempts - spared AS counted, skip_photos, at_photo`,
        [Number(inChild), token, id],
      );
      return (
        row && {
          number: row.attempts as number,
          token,
          inChild,
          interruptions: (row.counted as number) - Number(!inChild),
          crashedPhotos: JSON.parse(row.skip_photos as string),
          lastOpenedPhoto: row.at_photo as number | null,
        }
      );
    },
    /** Records the photo that an attempt is about to open. */
    async recordOpening(id: string, token: string, photo: number) {
      await db.run('UPDATE inspections SET at_photo = ? WHERE id = ? AND token = ?', [photo, id, token]);
    },
    /** Records that an attempt crashed its child, and the open photo, as a crash of its account. */
    recordCrash: (id: string, token: string, photo: number | undefined) =>
      db.transaction(function* () {
        const row = yield* tx.get(
          `SELECT account_id, skip_photos FROM inspections WHERE ${CURRENT_ATTEMPT} FOR UPDATE`,
          [id, token],
        );
        yield* tx.run(`DELETE FROM crashes WHERE at_ms < ${sqlNowMs} - ?`, [CRASH_WINDOW_MS]);
        if (!row) return;
        yield* tx.run(`INSERT INTO crashes VALUES (?, ${sqlNowMs})`, [row.account_id as string]);
        const photos = [...JSON.parse(row.skip_photos as string), ...(photo === undefined ? [] : [photo])];
        const sql = 'UPDATE inspections SET spared = spared - 1, skip_photos = ? WHERE id = ?';
        yield* tx.run(sql, [JSON.stringify(photos), id]);
      }),
    /** Counts the crashes of an account within the last hour. */
    async countRecentCrashes(accountId: string) {
      const sql = `SELECT count(*) AS n FROM crashes WHERE account_id = ? AND at_ms >= ${sqlNowMs} - ?`;
      return Number((await db.get(sql, [accountId, CRASH_WINDOW_MS]))?.n);
    },
    /**
     * Returns ids of finished records whose files may need cleanup, because a process may have died between storing a
     * result and removing its inputs. Optionally only those finished before a time, epoch ms.
     */
    async listPendingCleanups(beforeMs = Number.MAX_SAFE_INTEGER) {
      const sql = 'SELECT owner FROM leftovers WHERE ended_at_ms < ? ORDER BY owner LIMIT ?';
      return toOwners(await db.all(sql, [beforeMs, MAX_PENDING_CLEANUPS]));
    },
    /** Marks records as cleaned up: only the files named by their results remain. */
    async markCleanedUp(ids: readonly string[]) {
      await db.run('DELETE FROM leftovers WHERE owner = ANY(?)', [ids]);
    },
    /** Reverts the latest attempt at an unfinished job that failed for a reason outside the job. */
    async revertAttempt(id: string, { token, inChild }: Pick<Attempt, 'token' | 'inChild'>) {
      await db.run(
        `UPDATE inspections SET attempts = attempts - 1, spared = spared - ?, token = NULL WHERE ${CURRENT_ATTEMPT}`,
        [Number(inChild), id, token],
      );
    },
    /**
     * Removes at most `limit` records with their events and keys, and records that their files must be removed too;
     * returns their ids. An empty filter removes nothing.
     */
    async purge(filter: RemovalFilter, limit: number): Promise<string[]> {
      const { sql, values } = joinConditions([
        ['created_at < ?', filter.before],
        ['vehicle_id = ?', filter.vehicleId],
        ['id = ?', filter.id],
        ['account_id = ?', filter.accountId],
      ]);
      if (sql === '') return [];
      return db.transaction(function* () {
        const rows = yield* tx.all(
          `SELECT id FROM inspections WHERE ${sql} ORDER BY created_at, id LIMIT ? FOR UPDATE`,
          [...values, limit],
        );
        const ids = toIds(rows);
        yield* tx.run(
          `INSERT INTO removals SELECT id, CASE status WHEN 'processing' THEN CAST(${sqlNowMs} + ? AS bigint) ELSE 0 END
             FROM inspections WHERE id = ANY(?) ON CONFLICT DO NOTHING`,
          [MAX_ATTEMPT_MS, ids],
        );
        yield* tx.run('DELETE FROM idempotency WHERE resource_id = ANY(?)', [ids]);
        yield* tx.run('DELETE FROM webhook_messages WHERE resource_id = ANY(?)', [ids]);
        yield* tx.run('DELETE FROM leftovers WHERE owner = ANY(?)', [ids]);
        yield* recount(ids, function* () {
          yield* tx.run(
            `DELETE FROM totals WHERE n = 0 AND (account_id, environment, day) IN
               (SELECT account_id, environment, substr(created_at, 1, 10) FROM inspections WHERE id = ANY(?))`,
            [ids],
          );
          yield* tx.run('DELETE FROM inspections WHERE id = ANY(?)', [ids]);
        });
        return ids;
      });
    },
    /** Returns owners whose files must still be removed, or removed again because an analysis was running. */
    listRemovals: async () => toOwners(await db.all('SELECT owner FROM removals ORDER BY owner')),
    /** Records that the files of these owners were removed; owners to which an analysis may still add files stay listed. */
    async markFilesRemoved(owners: readonly string[]) {
      await db.run(`DELETE FROM removals WHERE owner = ANY(?) AND until_ms < ${sqlNowMs}`, [owners]);
    },
    /** Returns the ids without a record. */
    async filterUnknown(ids: readonly string[]) {
      const existing = await selectIds(ids, '');
      return ids.filter((id) => !existing.has(id));
    },
    /** Returns true if the store has neither records nor accounts. */
    async isUnused() {
      const sql = 'SELECT EXISTS(SELECT 1 FROM inspections) OR EXISTS(SELECT 1 FROM accounts) AS used';
      return !(await db.get(sql))?.used;
    },
  };
}
