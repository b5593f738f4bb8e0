import type { DueMessage, NewWebhookMessage, WebhookStore } from '../ports.ts';
import { PENDING_PAGE, pendingParameters, toAttempt, toEndpoint, toMessage } from '../rows.ts';
import type { Database } from './database.ts';

/** Stores messages for delivery; for use inside the transaction that makes the event true. */
export function insertMessages(db: Database, messages: readonly NewWebhookMessage[]): void {
  for (const m of messages) {
    db.run(
      `INSERT INTO webhook_messages (id, endpoint_id, event, payload, created_at, status, attempts,
         next_attempt_at_ms, simulate, resource_id)
       SELECT ?, id, ?, ?, ?, 'pending', 0, ?, ?, ? FROM webhook_endpoints WHERE id = ?`,
      m.id,
      m.event,
      m.payload,
      m.createdAt,
      m.nextAttemptAtMs,
      m.simulate,
      m.resourceId,
      m.endpointId,
    );
  }
}

/**
 * Creates the store of webhook endpoints, their messages and the delivery log in SQLite. Attempts are written by `log`,
 * which need not wait for the disk: an attempt that a power cut takes away is made once more, under the same message
 * id.
 */
export function sqliteWebhooks(db: Database, log: Database = db): WebhookStore {
  return {
    async createEndpoint(e) {
      await db.write(() =>
        db.run(
          'INSERT INTO webhook_endpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          e.id,
          e.accountId,
          e.environment,
          e.url,
          e.description,
          JSON.stringify(e.events),
          e.status,
          e.disabledReason,
          e.secret,
          e.previousSecret,
          e.previousSecretExpiresAtMs,
          e.createdAt,
        ),
      );
    },
    async getEndpoint(id) {
      const row = db.row('SELECT * FROM webhook_endpoints WHERE id = ?', id);
      return row && toEndpoint(row);
    },
    async listEndpoints(accountId, environment) {
      return db
        .rows(
          `SELECT * FROM webhook_endpoints WHERE account_id = coalesce(?, account_id)
           AND environment = coalesce(?, environment) ORDER BY created_at, id`,
          accountId ?? null,
          environment ?? null,
        )
        .map(toEndpoint);
    },
    updateEndpoint: (id, change) =>
      db.write(() => {
        const row = db.row('SELECT * FROM webhook_endpoints WHERE id = ?', id);
        if (!row) return false;
        const next = { ...toEndpoint(row), ...change };
        db.run(
          `UPDATE webhook_endpoints SET url = ?, description = ?, events = ?, status = ?, disabled_reason = ?,
             secret = ?, previous_secret = ?, previous_secret_expires_at_ms = ? WHERE id = ?`,
          next.url,
          next.description,
          JSON.stringify(next.events),
          next.status,
          next.disabledReason,
          next.secret,
          next.previousSecret,
          next.previousSecretExpiresAtMs,
          id,
        );
        return true;
      }),
    deleteEndpoint: (id) => db.write(() => db.run('DELETE FROM webhook_endpoints WHERE id = ?', id) === 1),
    enqueue: (messages) => db.write(() => insertMessages(db, messages)),
    async getMessage(id) {
      const row = db.row('SELECT * FROM webhook_messages WHERE id = ?', id);
      return row && toMessage(row);
    },
    async listMessages(endpointId, limit, offset) {
      const total = db.row('SELECT count(*) AS n FROM webhook_messages WHERE endpoint_id = ?', endpointId);
      const rows = db.rows(
        'SELECT * FROM webhook_messages WHERE endpoint_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
        endpointId,
        limit,
        offset,
      );
      return { messages: rows.map(toMessage), total: Number(total?.n) };
    },
    async attempts(messageId) {
      return db
        .rows('SELECT * FROM webhook_attempts WHERE message_id = ? ORDER BY number', messageId)
        .map(toAttempt);
    },
    bringForward: (latestMs, nowMs) =>
      db.write(() =>
        db.run(
          `UPDATE webhook_messages SET next_attempt_at_ms = ? WHERE status = 'pending' AND next_attempt_at_ms > ?`,
          nowMs,
          latestMs,
        ),
      ),
    async due(environment, nowMs, perEndpoint) {
      const messages: DueMessage[] = [];
      let nextAtMs: number | null = null;
      for (const { endpointId, accountId } of pendingEndpoints(db, environment)) {
        const found = db
          .rows(
            `SELECT * FROM webhook_messages WHERE status = 'pending' AND endpoint_id = ?
             AND next_attempt_at_ms <= ? ORDER BY next_attempt_at_ms, id LIMIT ?`,
            endpointId,
            nowMs,
            perEndpoint,
          )
          .map((row) => ({ ...toMessage(row), accountId }));
        messages.push(...found);
        const next = db.row(
          `SELECT next_attempt_at_ms AS at FROM webhook_messages WHERE status = 'pending' AND endpoint_id = ?
           AND next_attempt_at_ms > ? ORDER BY next_attempt_at_ms LIMIT 1`,
          endpointId,
          nowMs,
        )?.at as number | undefined;
        if (next !== undefined && (nextAtMs === null || next < nextAtMs)) nextAtMs = next;
      }
      messages.sort((a, b) => a.nextAttemptAtMs - b.nextAttemptAtMs || (a.id < b.id ? -1 : 1));
      return { messages, nextAtMs };
    },
    async pending(environment, page) {
      const rows = db.rows(PENDING_PAGE, ...pendingParameters(environment, page));
      return rows.map(toMessage);
    },
    async backlog(environment) {
      let pending = 0;
      let oldestAt: string | null = null;
      for (const { endpointId } of pendingEndpoints(db, environment)) {
        const row = db.row(
          `SELECT count(*) AS n, min(id) AS first FROM webhook_messages
           WHERE status = 'pending' AND endpoint_id = ?`,
          endpointId,
        );
        pending += Number(row?.n);
        const first = db.row('SELECT created_at FROM webhook_messages WHERE id = ?', row?.first ?? null);
        const at = first?.created_at as string | undefined;
        if (at !== undefined && (oldestAt === null || at < oldestAt)) oldestAt = at;
      }
      return { pending, oldestAt };
    },
    recordAttempt: (a, then) =>
      log.write(() => {
        const changed = log.run(
          `UPDATE webhook_messages SET status = CASE status WHEN 'delivered' THEN status ELSE ? END,
             attempts = attempts + 1, next_attempt_at_ms = ? WHERE id = ?`,
          then.status,
          then.nextAttemptAtMs,
          a.messageId,
        );
        if (changed === 0) return;
        log.run(
          'INSERT INTO webhook_attempts (message_id, at, status_code, error, duration_ms) VALUES (?, ?, ?, ?, ?)',
          a.messageId,
          a.at,
          a.statusCode,
          a.error,
          Math.round(a.durationMs),
        );
      }),
    replay: (id, nowMs) =>
      db.write(
        () =>
          db.run(
            `UPDATE webhook_messages SET status = 'pending', attempts = 0, next_attempt_at_ms = ? WHERE id = ?`,
            nowMs,
            id,
          ) === 1,
      ),
  };
}

/**
 * Returns enabled endpoints with pending messages, found by leaps over the index: a backlog costs no more than its
 * endpoints.
 */
function pendingEndpoints(db: Database, environment: string): { endpointId: string; accountId: string }[] {
  return db
    .rows(
      `WITH RECURSIVE waiting(id) AS (
         SELECT (SELECT endpoint_id FROM webhook_messages WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
         UNION ALL
         SELECT (SELECT m.endpoint_id FROM webhook_messages m WHERE m.status = 'pending'
                 AND m.endpoint_id > waiting.id ORDER BY m.endpoint_id LIMIT 1)
         FROM waiting WHERE waiting.id IS NOT NULL)
       SELECT e.id, e.account_id FROM waiting CROSS JOIN webhook_endpoints e ON e.id = waiting.id
       WHERE e.environment = ? AND e.status = 'enabled'`,
      environment,
    )
    .map((row) => ({ endpointId: row.id as string, accountId: row.account_id as string }));
}
