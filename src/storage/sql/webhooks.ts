import type { NewWebhookMessage, WebhookAttempt, WebhookEndpoint, WebhookMessage } from '../records.ts';
import { type SqlDatabase, type Statements, tx } from './database.ts';
import { insertRecord, makeInsert, makeUpdate, readRecord, readRecords } from './rows.ts';

/** Maximum messages removed by one statement of a sweep. */
const SWEEP_BATCH_SIZE = 1_000;

/** Stores messages for delivery, unless their endpoint is gone; to be used inside the transaction of their event. */
export function* insertMessages(messages: readonly NewWebhookMessage[]): Statements<void> {
  for (const m of messages) {
    yield* tx.run(
      `INSERT INTO webhook_messages (id, endpoint_id, event, payload, created_at, status, attempts,
         next_attempt_at_ms, resource_id)
       SELECT ?, id, ?, ?, ?, 'pending', 0, ?, ? FROM webhook_endpoints WHERE id = ?`,
      [m.id, m.event, m.payload, m.createdAt, m.nextAttemptAtMs, m.resourceId, m.endpointId],
    );
  }
}

/** Enabled endpoints with pending messages, by a loose index scan: one step per endpoint, whatever the backlog. */
const PENDING_ENDPOINTS = `WITH RECURSIVE waiting(id) AS (
    SELECT (SELECT endpoint_id FROM webhook_messages WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT m.endpoint_id FROM webhook_messages m WHERE m.status = 'pending'
            AND m.endpoint_id > waiting.id ORDER BY m.endpoint_id LIMIT 1)
    FROM waiting WHERE waiting.id IS NOT NULL)
  SELECT id, account_id FROM webhook_endpoints WHERE id IN (SELECT id FROM waiting)
    AND environment = ? AND status = 'enabled'`;

/** Creates the store of webhook endpoints, messages and the delivery log. */
export function createWebhooks(db: SqlDatabase) {
  return {
    createEndpoint: (endpoint: WebhookEndpoint) => insertRecord(db, 'webhook_endpoints', endpoint),
    getEndpoint: (id: string) =>
      readRecord<WebhookEndpoint>(db, 'SELECT * FROM webhook_endpoints WHERE id = ?', [id]),
    listEndpoints(accountId: string, environment: string) {
      const sql =
        'SELECT * FROM webhook_endpoints WHERE account_id = ? AND environment = ? ORDER BY created_at, id';
      return readRecords<WebhookEndpoint>(db, sql, [accountId, environment]);
    },
    updateEndpoint: async (
      id: string,
      change: Partial<Omit<WebhookEndpoint, 'id' | 'accountId' | 'environment' | 'createdAt'>>,
    ) => (await db.run(...makeUpdate('webhook_endpoints', change, id))) === 1,
    deleteEndpoint: async (id: string) =>
      (await db.run('DELETE FROM webhook_endpoints WHERE id = ?', [id])) === 1,
    getMessage: (id: string) =>
      readRecord<WebhookMessage>(db, 'SELECT * FROM webhook_messages WHERE id = ?', [id]),
    async listMessages(endpointId: string, limit: number, offset: number) {
      const count = 'SELECT count(*) AS n FROM webhook_messages WHERE endpoint_id = ?';
      const total = Number((await db.get(count, [endpointId]))?.n);
      const sql =
        'SELECT * FROM webhook_messages WHERE endpoint_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?';
      return { messages: await readRecords<WebhookMessage>(db, sql, [endpointId, limit, offset]), total };
    },
    listAttempts(messageId: string) {
      const sql = `SELECT message_id, at, status_code, error, duration_ms FROM webhook_attempts
         WHERE message_id = ? ORDER BY number`;
      return readRecords<WebhookAttempt>(db, sql, [messageId]);
    },
    /** Makes pending messages due at `nowMs` that a clock ahead had scheduled after `latestMs`. Returns their number. */
    bringForward: (latestMs: number, nowMs: number) =>
      db.run(
        "UPDATE webhook_messages SET next_attempt_at_ms = ? WHERE status = 'pending' AND next_attempt_at_ms > ?",
        [nowMs, latestMs],
      ),
    /** Returns pending messages due at `nowMs`, the longest due first, at most `perEndpoint` each. */
    async listDue(environment: string, nowMs: number, perEndpoint: number): Promise<WebhookMessage[]> {
      const sql = `SELECT * FROM webhook_messages WHERE status = 'pending' AND endpoint_id = ?
        AND next_attempt_at_ms <= ? ORDER BY next_attempt_at_ms, id LIMIT ?`;
      const messages: WebhookMessage[] = [];
      for (const { id } of await db.all(PENDING_ENDPOINTS, [environment]))
        messages.push(...(await readRecords<WebhookMessage>(db, sql, [id as string, nowMs, perEndpoint])));
      return messages.sort((a, b) => a.nextAttemptAtMs - b.nextAttemptAtMs || (a.id < b.id ? -1 : 1));
    },
    /** Returns the number of pending messages and the creation time of the oldest. */
    async getBacklog(environment: string) {
      const ids = (await db.all(PENDING_ENDPOINTS, [environment])).map(({ id }) => String(id));
      const row = await db.get(
        `SELECT count(*) AS n, min(id) AS oldest FROM webhook_messages
         WHERE status = 'pending' AND endpoint_id = ANY(?)`,
        [ids],
      );
      const sql = 'SELECT created_at FROM webhook_messages WHERE id = ?';
      const oldest = await db.get(sql, [String(row?.oldest)]);
      return { pending: Number(row?.n), oldestAt: (oldest?.created_at ?? null) as string | null };
    },
    /** Records an attempt and the resulting state in one transaction. A message that is already delivered stays so. */
    recordAttempt: (attempt: WebhookAttempt, result: Pick<WebhookMessage, 'status' | 'nextAttemptAtMs'>) =>
      db.transaction(function* () {
        const changes = yield* tx.run(
          `UPDATE webhook_messages SET status = CASE status WHEN 'delivered' THEN status ELSE ? END,
             attempts = attempts + 1, next_attempt_at_ms = ? WHERE id = ?`,
          [result.status, result.nextAttemptAtMs, attempt.messageId],
        );
        const durationMs = Math.round(attempt.durationMs);
        if (changes > 0) yield* tx.run(...makeInsert('webhook_attempts', { ...attempt, durationMs }));
      }),
    /** Removes messages created before a time (ISO 8601) with their attempts, unless they are pending. */
    async sweep(before: string) {
      const sql = `DELETE FROM webhook_messages WHERE id IN (SELECT id FROM webhook_messages
        WHERE status <> 'pending' AND created_at < ? ORDER BY created_at LIMIT ?)`;
      while ((await db.run(sql, [before, SWEEP_BATCH_SIZE])) === SWEEP_BATCH_SIZE);
    },
    /** Requeues a message, due at `nextAttemptAtMs` and with its attempts reset. */
    async replay(id: string, nextAttemptAtMs: number) {
      const change = { status: 'pending', attempts: 0, nextAttemptAtMs };
      await db.run(...makeUpdate('webhook_messages', change, id));
    },
  };
}
