import type { DueMessage, NewWebhookMessage, WebhookEndpoint, WebhookStore } from '../ports.ts';
import { toAttempt, toEndpoint, toMessage } from '../rows.ts';
import { type SqlDatabase, type Statements, tx } from './database.ts';

/** Stores messages for delivery; to be used inside the transaction of their event. */
export function* insertMessages(messages: readonly NewWebhookMessage[]): Statements<void> {
  for (const m of messages) {
    yield* tx.run(
      `INSERT INTO webhook_messages (id, endpoint_id, event, payload, created_at, status, attempts,
         next_attempt_at_ms, simulate, resource_id)
       SELECT ?, id, ?, ?, ?, 'pending', 0, ?, ?, ? FROM webhook_endpoints WHERE id = ?`,
      ...[m.id, m.event, m.payload, m.createdAt, m.nextAttemptAtMs, m.simulate, m.resourceId, m.endpointId],
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

/** Messages that one statement removes. */
const SWEEP_BATCH_SIZE = 1_000;

/** Returns the updatable values in column order. */
function toUpdateValues(e: WebhookEndpoint) {
  return [
    ...[e.url, e.description, JSON.stringify(e.events), e.status, e.disabledReason],
    ...[e.secret, e.previousSecret, e.previousSecretExpiresAtMs],
  ];
}

/** Creates the store of webhook endpoints, messages and the delivery log. */
export function createWebhooks(db: SqlDatabase): WebhookStore {
  return {
    async createEndpoint(e) {
      await db.run(
        'INSERT INTO webhook_endpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[e.id, e.accountId, e.environment, ...toUpdateValues(e), e.createdAt],
      );
    },
    async getEndpoint(id) {
      const row = await db.get('SELECT * FROM webhook_endpoints WHERE id = ?', id);
      return row && toEndpoint(row);
    },
    async listEndpoints(accountId, environment) {
      const rows = await db.all(
        `SELECT * FROM webhook_endpoints WHERE account_id = coalesce(?, account_id)
           AND environment = coalesce(?, environment) ORDER BY created_at, id`,
        ...[accountId ?? null, environment ?? null],
      );
      return rows.map(toEndpoint);
    },
    updateEndpoint: (id, change) =>
      db.transaction(function* () {
        const row = yield* tx.get('SELECT * FROM webhook_endpoints WHERE id = ? FOR UPDATE', id);
        if (!row) return false;
        yield* tx.run(
          `UPDATE webhook_endpoints SET url = ?, description = ?, events = ?, status = ?, disabled_reason = ?,
             secret = ?, previous_secret = ?, previous_secret_expires_at_ms = ? WHERE id = ?`,
          ...[...toUpdateValues({ ...toEndpoint(row), ...change }), id],
        );
        return true;
      }),
    deleteEndpoint: async (id) => (await db.run('DELETE FROM webhook_endpoints WHERE id = ?', id)) === 1,
    enqueue: (messages) => db.transaction(() => insertMessages(messages)),
    async getMessage(id) {
      const row = await db.get('SELECT * FROM webhook_messages WHERE id = ?', id);
      return row && toMessage(row);
    },
    async listMessages(endpointId, limit, offset) {
      const total = await db.get(
        'SELECT count(*) AS n FROM webhook_messages WHERE endpoint_id = ?',
        endpointId,
      );
      const rows = await db.all(
        'SELECT * FROM webhook_messages WHERE endpoint_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
        ...[endpointId, limit, offset],
      );
      return { messages: rows.map(toMessage), total: Number(total?.n) };
    },
    async listAttempts(messageId) {
      const rows = await db.all(
        'SELECT * FROM webhook_attempts WHERE message_id = ? ORDER BY number',
        messageId,
      );
      return rows.map(toAttempt);
    },
    bringForward: (latestMs, nowMs) =>
      db.run(
        "UPDATE webhook_messages SET next_attempt_at_ms = ? WHERE status = 'pending' AND next_attempt_at_ms > ?",
        ...[nowMs, latestMs],
      ),
    async listDue(environment, nowMs, perEndpoint) {
      const messages: DueMessage[] = [];
      const nextDueTimes: number[] = [];
      for (const { id, account_id } of await db.all(PENDING_ENDPOINTS, environment)) {
        const rows = await db.all(
          `SELECT * FROM webhook_messages WHERE status = 'pending' AND endpoint_id = ?
             AND next_attempt_at_ms <= ? ORDER BY next_attempt_at_ms, id LIMIT ?`,
          ...[id as string, nowMs, perEndpoint],
        );
        messages.push(...rows.map((row) => ({ ...toMessage(row), accountId: account_id as string })));
        const next = await db.get(
          `SELECT next_attempt_at_ms AS at FROM webhook_messages WHERE status = 'pending' AND endpoint_id = ?
             AND next_attempt_at_ms > ? ORDER BY next_attempt_at_ms LIMIT 1`,
          ...[id as string, nowMs],
        );
        if (next) nextDueTimes.push(next.at as number);
      }
      messages.sort((a, b) => a.nextAttemptAtMs - b.nextAttemptAtMs || (a.id < b.id ? -1 : 1));
      return { messages, nextAtMs: nextDueTimes.length === 0 ? null : Math.min(...nextDueTimes) };
    },
    async getBacklog(environment) {
      let pending = 0;
      const oldestTimes: string[] = [];
      for (const { id } of await db.all(PENDING_ENDPOINTS, environment)) {
        const row = await db.get(
          "SELECT count(*) AS n, min(id) AS first FROM webhook_messages WHERE status = 'pending' AND endpoint_id = ?",
          id as string,
        );
        pending += Number(row?.n);
        const first = await db.get(
          'SELECT created_at FROM webhook_messages WHERE id = ?',
          String(row?.first),
        );
        if (first) oldestTimes.push(first.created_at as string);
      }
      return { pending, oldestAt: oldestTimes.sort()[0] ?? null };
    },
    recordAttempt: (a, result) =>
      db.transaction(function* () {
        const changes = yield* tx.run(
          `UPDATE webhook_messages SET status = CASE status WHEN 'delivered' THEN status ELSE ? END,
             attempts = attempts + 1, next_attempt_at_ms = ? WHERE id = ?`,
          ...[result.status, result.nextAttemptAtMs, a.messageId],
        );
        if (changes === 0) return;
        yield* tx.run(
          'INSERT INTO webhook_attempts (message_id, at, status_code, error, duration_ms) VALUES (?, ?, ?, ?, ?)',
          ...[a.messageId, a.at, a.statusCode, a.error, Math.round(a.durationMs)],
        );
      }),
    async sweep(before) {
      while (
        (await db.run(
          `DELETE FROM webhook_messages WHERE id IN (SELECT id FROM webhook_messages
             WHERE status <> 'pending' AND created_at < ? ORDER BY created_at LIMIT ?)`,
          ...[before, SWEEP_BATCH_SIZE],
        )) === SWEEP_BATCH_SIZE
      );
    },
    replay: async (id, nowMs) =>
      (await db.run(
        "UPDATE webhook_messages SET status = 'pending', attempts = 0, next_attempt_at_ms = ? WHERE id = ?",
        ...[nowMs, id],
      )) === 1,
  };
}
