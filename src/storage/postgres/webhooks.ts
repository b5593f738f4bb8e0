import type { DueMessage, NewWebhookMessage, WebhookEndpoint, WebhookStore } from '../ports.ts';
import { PENDING_PAGE, pendingParameters, toAttempt, toEndpoint, toMessage } from '../rows.ts';
import type { Database, Queries } from './database.ts';

/** Stores messages for delivery; for use inside the transaction that makes the event true. */
export async function insertMessages(tx: Queries, messages: readonly NewWebhookMessage[]): Promise<void> {
  for (const m of messages) {
    await tx.run(
      `INSERT INTO webhook_messages (id, endpoint_id, event, payload, created_at, status, attempts,
         next_attempt_at_ms, simulate, resource_id)
       SELECT ?, id, ?, ?, ?, 'pending', 0, ?, ?, ? FROM webhook_endpoints WHERE id = ?`,
      ...[m.id, m.event, m.payload, m.createdAt, m.nextAttemptAtMs, m.simulate, m.resourceId, m.endpointId],
    );
  }
}

/** Returns the values that a change may set, in the order of the columns below. */
function valuesOf(e: WebhookEndpoint) {
  return [
    ...[e.url, e.description, JSON.stringify(e.events), e.status, e.disabledReason],
    ...[e.secret, e.previousSecret, e.previousSecretExpiresAtMs],
  ];
}

/** Creates the store of webhook endpoints, their messages and the delivery log in PostgreSQL. */
export function postgresWebhooks(db: Database): WebhookStore {
  return {
    async createEndpoint(e) {
      await db.run(
        'INSERT INTO webhook_endpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[e.id, e.accountId, e.environment, ...valuesOf(e), e.createdAt],
      );
    },
    async getEndpoint(id) {
      const row = await db.row('SELECT * FROM webhook_endpoints WHERE id = ?', id);
      return row && toEndpoint(row);
    },
    async listEndpoints(accountId, environment) {
      const rows = await db.rows(
        `SELECT * FROM webhook_endpoints WHERE account_id = coalesce(?, account_id)
           AND environment = coalesce(?, environment) ORDER BY created_at, id`,
        ...[accountId ?? null, environment ?? null],
      );
      return rows.map(toEndpoint);
    },
    updateEndpoint: (id, change) =>
      db.transaction(async (tx) => {
        const row = await tx.row('SELECT * FROM webhook_endpoints WHERE id = ? FOR UPDATE', id);
        if (!row) return false;
        await tx.run(
          `UPDATE webhook_endpoints SET url = ?, description = ?, events = ?, status = ?, disabled_reason = ?,
             secret = ?, previous_secret = ?, previous_secret_expires_at_ms = ? WHERE id = ?`,
          ...[...valuesOf({ ...toEndpoint(row), ...change }), id],
        );
        return true;
      }),
    deleteEndpoint: async (id) => (await db.run('DELETE FROM webhook_endpoints WHERE id = ?', id)) === 1,
    enqueue: (messages) => db.transaction((tx) => insertMessages(tx, messages)),
    async getMessage(id) {
      const row = await db.row('SELECT * FROM webhook_messages WHERE id = ?', id);
      return row && toMessage(row);
    },
    async listMessages(endpointId, limit, offset) {
      const total = await db.row(
        'SELECT count(*) AS n FROM webhook_messages WHERE endpoint_id = ?',
        endpointId,
      );
      const rows = await db.rows(
        'SELECT * FROM webhook_messages WHERE endpoint_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
        ...[endpointId, limit, offset],
      );
      return { messages: rows.map(toMessage), total: Number(total?.n) };
    },
    async attempts(messageId) {
      const rows = await db.rows(
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
    async due(environment, nowMs, perEndpoint) {
      const rows = await db.rows(
        `${PENDING} SELECT due.*, pending.account_id FROM pending CROSS JOIN LATERAL (
           SELECT * FROM webhook_messages m WHERE m.status = 'pending' AND m.endpoint_id = pending.id
             AND m.next_attempt_at_ms <= ? ORDER BY m.next_attempt_at_ms, m.id LIMIT ?) due
         ORDER BY due.next_attempt_at_ms, due.id`,
        ...[environment, nowMs, perEndpoint],
      );
      const next = await db.row(
        `${PENDING} SELECT min(later.at) AS at FROM pending CROSS JOIN LATERAL (
           SELECT m.next_attempt_at_ms AS at FROM webhook_messages m WHERE m.status = 'pending'
             AND m.endpoint_id = pending.id AND m.next_attempt_at_ms > ?
           ORDER BY m.next_attempt_at_ms LIMIT 1) later`,
        ...[environment, nowMs],
      );
      const messages: DueMessage[] = rows.map((row) => ({
        ...toMessage(row),
        accountId: row.account_id as string,
      }));
      return { messages, nextAtMs: (next?.at as number | null | undefined) ?? null };
    },
    async pending(environment, page) {
      const rows = await db.rows(PENDING_PAGE, ...pendingParameters(environment, page));
      return rows.map(toMessage);
    },
    async backlog(environment) {
      const row = await db.row(
        `SELECT count(*) AS n, min(m.created_at) AS oldest FROM webhook_messages m
         JOIN webhook_endpoints e ON e.id = m.endpoint_id
         WHERE m.status = 'pending' AND e.environment = ? AND e.status = 'enabled'`,
        environment,
      );
      return { pending: Number(row?.n), oldestAt: (row?.oldest as string | null | undefined) ?? null };
    },
    recordAttempt: (a, then) =>
      db.transaction(async (tx) => {
        const changed = await tx.run(
          `UPDATE webhook_messages SET status = CASE status WHEN 'delivered' THEN status ELSE ? END,
             attempts = attempts + 1, next_attempt_at_ms = ? WHERE id = ?`,
          ...[then.status, then.nextAttemptAtMs, a.messageId],
        );
        if (changed === 0) return;
        await tx.run(
          'INSERT INTO webhook_attempts (message_id, at, status_code, error, duration_ms) VALUES (?, ?, ?, ?, ?)',
          ...[a.messageId, a.at, a.statusCode, a.error, Math.round(a.durationMs)],
        );
      }),
    replay: async (id, nowMs) =>
      (await db.run(
        "UPDATE webhook_messages SET status = 'pending', attempts = 0, next_attempt_at_ms = ? WHERE id = ?",
        ...[nowMs, id],
      )) === 1,
  };
}

/**
 * Enabled endpoints with pending messages, found by leaps over the index: a backlog costs no more than its endpoints.
 */
const PENDING = `WITH RECURSIVE waiting(id) AS (
    (SELECT endpoint_id FROM webhook_messages WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT m.endpoint_id FROM webhook_messages m WHERE m.status = 'pending'
            AND m.endpoint_id > waiting.id ORDER BY m.endpoint_id LIMIT 1)
    FROM waiting WHERE waiting.id IS NOT NULL),
  pending AS (SELECT e.id, e.account_id FROM waiting JOIN webhook_endpoints e ON e.id = waiting.id
    WHERE e.environment = ? AND e.status = 'enabled')`;
