import type {
  NewWebhookMessage,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookMessage,
  WebhookStore,
} from '../ports.ts';
import type { Database, Row } from './database.ts';

function endpoint(row: Row): WebhookEndpoint {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    environment: row.environment as WebhookEndpoint['environment'],
    url: row.url as string,
    description: row.description as string,
    events: JSON.parse(row.events as string),
    status: row.status as WebhookEndpoint['status'],
    disabledReason: row.disabled_reason as string | null,
    secret: row.secret as string,
    previousSecret: row.previous_secret as string | null,
    previousSecretExpiresAtMs: row.previous_secret_expires_at_ms as number | null,
    createdAt: row.created_at as string,
  };
}

function message(row: Row): WebhookMessage {
  return {
    id: row.id as string,
    endpointId: row.endpoint_id as string,
    event: row.event as string,
    payload: row.payload as string,
    createdAt: row.created_at as string,
    status: row.status as WebhookMessage['status'],
    attempts: row.attempts as number,
    nextAttemptAtMs: row.next_attempt_at_ms as number,
    simulate: row.simulate as string | null,
  };
}

function attempt(row: Row): WebhookAttempt {
  return {
    messageId: row.message_id as string,
    at: row.at as string,
    statusCode: row.status_code as number | null,
    error: row.error as string | null,
    durationMs: row.duration_ms as number,
  };
}

/** Stores messages for delivery; for use inside the transaction that makes the event true. */
export function insertMessages(db: Database, messages: readonly NewWebhookMessage[]): void {
  for (const m of messages) {
    db.run(
      `INSERT INTO webhook_messages
       SELECT ?, id, ?, ?, ?, 'pending', 0, ?, ? FROM webhook_endpoints WHERE id = ?`,
      m.id,
      m.event,
      m.payload,
      m.createdAt,
      m.nextAttemptAtMs,
      m.simulate,
      m.endpointId,
    );
  }
}

/** Webhook endpoints, their messages and the delivery log in SQLite. */
export function sqliteWebhooks(db: Database): WebhookStore {
  return {
    async createEndpoint(e) {
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
      );
    },
    async getEndpoint(id) {
      const row = db.row('SELECT * FROM webhook_endpoints WHERE id = ?', id);
      return row && endpoint(row);
    },
    async listEndpoints(accountId, environment) {
      return db
        .rows(
          `SELECT * FROM webhook_endpoints WHERE account_id = coalesce(?, account_id)
           AND environment = coalesce(?, environment) ORDER BY created_at, id`,
          accountId ?? null,
          environment ?? null,
        )
        .map(endpoint);
    },
    async updateEndpoint(id, change) {
      const row = db.row('SELECT * FROM webhook_endpoints WHERE id = ?', id);
      if (!row) return false;
      const next = { ...endpoint(row), ...change };
      db.run(
        `UPDATE webhook_endpoints SET url = ?, description = ?, events = ?, status = ?, disabled_reason = ?, secret = ?,
           previous_secret = ?, previous_secret_expires_at_ms = ? WHERE id = ?`,
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
    },
    async deleteEndpoint(id) {
      return db.run('DELETE FROM webhook_endpoints WHERE id = ?', id) === 1;
    },
    async enqueue(messages) {
      db.transaction(() => insertMessages(db, messages));
    },
    async getMessage(id) {
      const row = db.row('SELECT * FROM webhook_messages WHERE id = ?', id);
      return row && message(row);
    },
    async listMessages(endpointId, limit, offset) {
      const total = db.row('SELECT count(*) AS n FROM webhook_messages WHERE endpoint_id = ?', endpointId);
      const rows = db.rows(
        'SELECT * FROM webhook_messages WHERE endpoint_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
        endpointId,
        limit,
        offset,
      );
      return { messages: rows.map(message), total: Number(total?.n) };
    },
    async attempts(messageId) {
      return db
        .rows('SELECT * FROM webhook_attempts WHERE message_id = ? ORDER BY number', messageId)
        .map(attempt);
    },
    async due(environment, nowMs, perEndpoint) {
      const pending = `FROM webhook_messages m JOIN webhook_endpoints e ON e.id = m.endpoint_id
        WHERE m.status = 'pending' AND e.environment = ? AND e.status = 'enabled'`;
      const rows = db.rows(
        `SELECT * FROM (
           SELECT m.*, row_number() OVER (PARTITION BY m.endpoint_id ORDER BY m.next_attempt_at_ms, m.id) AS place
           ${pending} AND m.next_attempt_at_ms <= ?)
         WHERE place <= ? ORDER BY next_attempt_at_ms, id`,
        environment,
        nowMs,
        perEndpoint,
      );
      const next = db.row(
        `SELECT min(m.next_attempt_at_ms) AS at ${pending} AND m.next_attempt_at_ms > ?`,
        environment,
        nowMs,
      );
      return { messages: rows.map(message), nextAtMs: (next?.at ?? null) as number | null };
    },
    async recordAttempt(a, then) {
      db.transaction(() => {
        const changed = db.run(
          'UPDATE webhook_messages SET status = ?, attempts = attempts + 1, next_attempt_at_ms = ? WHERE id = ?',
          then.status,
          then.nextAttemptAtMs,
          a.messageId,
        );
        if (changed === 0) return;
        db.run(
          'INSERT INTO webhook_attempts (message_id, at, status_code, error, duration_ms) VALUES (?, ?, ?, ?, ?)',
          a.messageId,
          a.at,
          a.statusCode,
          a.error,
          Math.round(a.durationMs),
        );
      });
    },
    async replay(id, nowMs) {
      return (
        db.run(
          `UPDATE webhook_messages SET status = 'pending', attempts = 0, next_attempt_at_ms = ? WHERE id = ?`,
          nowMs,
          id,
        ) === 1
      );
    },
  };
}
