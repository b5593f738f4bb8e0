import {
  ClaimLostError,
  type IdempotencyRef,
  type InspectionOutcome,
  type InspectionQuery,
  type InspectionRecord,
  type NewWebhookMessage,
  type Scoped,
  type UnfinishedJob,
} from '../records.ts';
import { CURRENT_ATTEMPT, createAttempts } from './attempts.ts';
import { type SqlDatabase, type Statements, tx } from './database.ts';
import { createRemovals } from './removals.ts';
import { joinConditions, makeInsert, readRecord, readRecords } from './rows.ts';
import { addToTotals, countRecords, recount, toCondition } from './totals.ts';
import { insertMessages } from './webhooks.ts';

/** Columns of a record; the others are of its attempts and of the fair order. */
const COLUMNS = `id, account_id, environment, kind, vehicle_id, status, created_at, completed_at, attempts, document,
  meta, request, reviewed_at`;

const SELECT_UNFINISHED =
  "SELECT id, account_id, attempts, created_at, tag FROM inspections WHERE status = 'processing' AND NOT parked";

/** Assigns the tag of an account's next job, in a store whose processes share the order. */
export type AssignTag = (record: Scoped, cost: number) => Statements<number>;

/** Creates the store of inspections and assessments: the document as JSON, plus columns for searching. */
export function createInspections(db: SqlDatabase, assignTag?: AssignTag) {
  async function selectIds(ids: readonly string[], condition: string): Promise<Set<string>> {
    const rows = await db.all(`SELECT id FROM inspections WHERE id = ANY(?) ${condition}`, [ids]);
    return new Set(rows.map((row) => row.id as string));
  }

  return {
    ...createAttempts(db),
    ...createRemovals(db),
    /**
     * Stores the record, its events, and the resource of an idempotency key in one transaction. A `parked` record stays
     * `processing` without a job; without `cost` it gets no tag. Returns the job's tag in the fair order, if the store
     * keeps one.
     * @throws ClaimLostError
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
        const tag = cost === undefined || !assignTag ? undefined : yield* assignTag(record, cost);
        yield* tx.run(...makeInsert('inspections', { ...record, parked, tag: tag ?? null }));
        if (idempotency) {
          const { accountId, environment, operation, key, claim } = idempotency;
          const changes = yield* tx.run(
            `UPDATE idempotency SET resource_id = ?
             WHERE account_id = ? AND environment = ? AND operation = ? AND key = ? AND claim = ?`,
            [record.id, accountId, environment, operation, key, claim],
          );
          if (changes === 0) throw new ClaimLostError();
        }
        yield* insertMessages(messages);
        yield* addToTotals(1, [record.id]);
        return tag;
      }),
    get: (id: string) =>
      readRecord<InspectionRecord>(db, `SELECT ${COLUMNS} FROM inspections WHERE id = ?`, [id]),
    async list(query: InspectionQuery) {
      const { sql, values } = toCondition(query);
      const after = query.after ? [query.after.createdAt, query.after.id] : [];
      // The page is selected by index alone; rows, which contain whole documents, are read only for that page.
      const records = await readRecords<InspectionRecord>(
        db,
        `SELECT ${COLUMNS} FROM (SELECT id AS shown FROM inspections WHERE ${sql}
             ${query.after ? 'AND (created_at, id) < (?, ?)' : ''} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?) page
           JOIN inspections ON id = page.shown ORDER BY created_at DESC, id DESC`,
        [...values, ...after, query.limit + 1, query.offset],
      );
      const total = await countRecords(db, query);
      return { records: records.slice(0, query.limit), total, hasMore: records.length > query.limit };
    },
    /**
     * Finishes a record with the token of its latest attempt. Returns false and stores nothing for another token or a
     * finished record. The finished record may have leftover files.
     */
    finish: (id: string, token: string, outcome: InspectionOutcome) =>
      db.transaction(function* () {
        const [document, meta] = [JSON.stringify(outcome.document), JSON.stringify(outcome.meta)];
        const sql = `UPDATE inspections SET status = ?, completed_at = ?, document = ?, meta = ? WHERE ${CURRENT_ATTEMPT}`;
        const values = [outcome.status, outcome.completedAt, document, meta, id, token];
        const changes = yield* recount([id], () => tx.run(sql, values));
        if (changes === 0) return false;
        yield* insertMessages(outcome.messages);
        yield* tx.run(`INSERT INTO leftovers VALUES (?, ${db.sqlNowMs}) ON CONFLICT DO NOTHING`, [id]);
        return true;
      }),
    /** Returns unfinished jobs, oldest first; with `isWaiting`, only those not yet attempted. */
    listUnfinished(
      environment: string,
      query: { readonly createdBefore?: string; readonly isWaiting?: boolean; readonly limit?: number } = {},
    ) {
      const { sql, values } = joinConditions([
        ['environment = ?', environment],
        ['created_at < ?', query.createdBefore],
        ['attempts = ?', query.isWaiting ? 0 : undefined],
      ]);
      const select = `${SELECT_UNFINISHED} AND ${sql} ORDER BY created_at, id LIMIT ?`;
      return readRecords<UnfinishedJob>(db, select, [...values, query.limit ?? Number.MAX_SAFE_INTEGER]);
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
