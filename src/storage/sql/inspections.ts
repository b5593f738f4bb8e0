import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../lib/durations.ts';
import { ClaimLost, CRASH_WINDOW_MS, type InspectionStore, MAX_PENDING_CLEANUPS } from '../ports.ts';
import { toInspection, toUnfinishedJob } from '../rows.ts';
import { type Row, type SqlDatabase, tx } from './database.ts';
import {
  buildListConditions,
  buildRemovalConditions,
  buildUnfinishedConditions,
} from './inspection-conditions.ts';
import { markUploadsUsed } from './uploads.ts';
import { insertMessages } from './webhooks.ts';

/** Time for which a running attempt may go on writing files after its record was removed. */
const MAX_ATTEMPT_MS = HOUR_MS;

/** Last day of four-digit years, epoch ms. */
const MAX_TIME_MS = Date.UTC(9999, 11, 31);

const toIds = (rows: readonly Row[]) => rows.map((row) => row.id as string);
const toOwners = (rows: readonly Row[]) => rows.map((row) => row.owner as string);

/** SQL condition for the record of the latest attempt, by id and token. */
const CURRENT_ATTEMPT = "id = ? AND status = 'processing' AND CAST(token AS text) = ?";

/** Creates the store of inspections and assessments: the document as JSON, plus columns for searching. */
export function createInspections(db: SqlDatabase): InspectionStore {
  const { dialect } = db;
  const { time } = dialect;

  async function selectIds(ids: readonly string[], condition: string): Promise<Set<string>> {
    return new Set(toIds(await db.all(`SELECT id FROM inspections WHERE id = ANY(?) ${condition}`, ids)));
  }

  return {
    create: (r, options = {}) =>
      db.transaction(function* () {
        const tag = yield* dialect.insertInspection(r, options);
        if (options.idempotency) {
          const { accountId, environment, operation, key, claim } = options.idempotency;
          const changes = yield* tx.run(
            `UPDATE idempotency SET resource_id = ?
             WHERE account_id = ? AND environment = ? AND operation = ? AND key = ? AND claim = ?`,
            ...[r.id, accountId, environment, operation, key, claim],
          );
          if (changes === 0) throw new ClaimLost();
        }
        yield* markUploadsUsed(options.uploads ?? []);
        yield* insertMessages(options.messages ?? []);
        return tag;
      }),
    async get(id) {
      const row = await db.get('SELECT * FROM inspections WHERE id = ?', id);
      return row && toInspection(row);
    },
    async list(query) {
      const { sql, values } = buildListConditions(query);
      const after = query.after
        ? { sql: ' AND (created_at, id) < (?, ?)', values: [query.after.createdAt, query.after.id] }
        : { sql: '', values: [] };
      // The page is selected by index alone; rows, which contain whole documents, are read only for that page.
      const rows = await db.all(
        `SELECT i.* FROM (SELECT id FROM inspections WHERE ${sql}${after.sql}
           ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?) page
         JOIN inspections i ON i.id = page.id ORDER BY i.created_at DESC, i.id DESC`,
        ...[...values, ...after.values, query.limit + 1, query.offset],
      );
      const records = rows.slice(0, query.limit).map(toInspection);
      const total = await db.get(`SELECT count(*) AS n FROM inspections WHERE ${sql}`, ...values);
      return { records, total: Number(total?.n), hasMore: rows.length > query.limit };
    },
    finish: (id, token, outcome) =>
      db.transaction(function* () {
        const changes = yield* tx.run(
          `UPDATE inspections SET status = ?, completed_at = ?, document = ?, meta = ? WHERE ${CURRENT_ATTEMPT}`,
          ...[outcome.status, outcome.completedAt, JSON.stringify(outcome.document)],
          ...[JSON.stringify(outcome.meta), id, token],
        );
        if (changes === 0) return false;
        yield* insertMessages(outcome.messages);
        yield* tx.run(`INSERT INTO leftovers VALUES (?, ${time.now}) ON CONFLICT DO NOTHING`, id);
        return true;
      }),
    async listUnfinished(environment, query) {
      const { sql, values } = buildUnfinishedConditions(environment, query);
      const rows = await db.all(
        `${dialect.selectUnfinished} AND ${sql} ORDER BY created_at, id LIMIT ?`,
        ...[...values, query?.limit ?? Number.MAX_SAFE_INTEGER],
      );
      return rows.map(toUnfinishedJob);
    },
    async countUnfinished(accountId, environment, limit) {
      const row = await db.get(
        `SELECT count(*) AS n FROM (${dialect.selectUnfinished} AND status = 'processing' AND account_id = ?
           AND environment = ? LIMIT ?) found`,
        ...[accountId, environment, limit],
      );
      return Number(row?.n);
    },
    async filterFinished(ids) {
      const processing = await selectIds(ids, "AND status = 'processing'");
      return ids.filter((id) => !processing.has(id));
    },
    async startAttempt(id, inChild = false) {
      const token = randomUUID();
      const row = await db.runReturning(
        `UPDATE inspections SET attempts = attempts + 1, spared = spared + ?, token = ?
         WHERE id = ? AND status = 'processing' RETURNING attempts, attempts - spared AS counted, skip_photos, at_photo`,
        ...[Number(inChild), token, id],
      );
      if (!row) return undefined;
      const crashedPhotos = row.skip_photos as string | number[];
      return {
        number: row.attempts as number,
        token,
        inChild,
        interruptions: (row.counted as number) - Number(!inChild),
        crashedPhotos: typeof crashedPhotos === 'string' ? JSON.parse(crashedPhotos) : crashedPhotos,
        lastOpenedPhoto: row.at_photo as number | null,
      };
    },
    async recordOpening(id, token, photo) {
      await db.run(
        'UPDATE inspections SET at_photo = ? WHERE id = ? AND CAST(token AS text) = ?',
        ...[photo, id, token],
      );
    },
    recordCrash: (id, token, photo) =>
      db.transaction(function* () {
        const row = yield* tx.get(
          `SELECT account_id FROM inspections WHERE ${CURRENT_ATTEMPT} FOR UPDATE`,
          ...[id, token],
        );
        yield* tx.run(`DELETE FROM crashes WHERE ${time.column('at')} < ${time.ago}`, CRASH_WINDOW_MS);
        if (!row) return;
        yield* tx.run(`INSERT INTO crashes VALUES (?, ${time.now})`, row.account_id as string);
        yield* tx.run('UPDATE inspections SET spared = spared - 1 WHERE id = ?', id);
        if (photo === undefined) return;
        yield* tx.run(`UPDATE inspections SET skip_photos = ${dialect.addCrash} WHERE id = ?`, photo, id);
      }),
    async countRecentCrashes(accountId) {
      const row = await db.get(
        `SELECT count(*) AS n FROM crashes WHERE account_id = ? AND ${time.column('at')} >= ${time.ago}`,
        ...[accountId, CRASH_WINDOW_MS],
      );
      return Number(row?.n);
    },
    async listPendingCleanups(beforeMs = MAX_TIME_MS) {
      const rows = await db.all(
        `SELECT owner FROM leftovers WHERE ${time.column('ended_at')} < ${time.epochMs} ORDER BY owner LIMIT ?`,
        ...[beforeMs, MAX_PENDING_CLEANUPS],
      );
      return toOwners(rows);
    },
    async markCleanedUp(ids) {
      await db.run('DELETE FROM leftovers WHERE owner = ANY(?)', ids);
    },
    async revertAttempt(id, { token, inChild }) {
      await db.run(
        `UPDATE inspections SET attempts = attempts - 1, spared = spared - ?, token = NULL WHERE ${CURRENT_ATTEMPT}`,
        ...[Number(inChild), id, token],
      );
    },
    async purge(filter, limit) {
      const { sql, values } = buildRemovalConditions(filter);
      if (sql === '') return [];
      return db.transaction(function* () {
        const rows = yield* tx.rows(
          `SELECT id FROM inspections WHERE ${sql} ORDER BY created_at, id LIMIT ? FOR UPDATE`,
          ...[...values, limit],
        );
        const ids = toIds(rows);
        yield* tx.run(
          `INSERT INTO removals SELECT id, CASE status WHEN 'processing' THEN CAST(? AS bigint) ELSE 0 END
             FROM inspections WHERE id = ANY(?) ON CONFLICT DO NOTHING`,
          ...[Date.now() + MAX_ATTEMPT_MS, ids],
        );
        yield* tx.run('DELETE FROM idempotency WHERE resource_id = ANY(?)', ids);
        yield* tx.run('DELETE FROM webhook_messages WHERE resource_id = ANY(?)', ids);
        yield* tx.run('DELETE FROM leftovers WHERE owner = ANY(?)', ids);
        yield* tx.run('DELETE FROM inspections WHERE id = ANY(?)', ids);
        return ids;
      });
    },
    async listRemovals() {
      return toOwners(await db.all('SELECT owner FROM removals ORDER BY owner'));
    },
    async markFilesRemoved(owners) {
      await db.run('DELETE FROM removals WHERE owner = ANY(?) AND until_ms < ?', owners, Date.now());
    },
    async filterUnknown(ids) {
      const existing = await selectIds(ids, '');
      return ids.filter((id) => !existing.has(id));
    },
    async isUnused() {
      const row = await db.get(
        'SELECT EXISTS(SELECT 1 FROM inspections) OR EXISTS(SELECT 1 FROM accounts) AS used',
      );
      return !row?.used;
    },
  };
}
