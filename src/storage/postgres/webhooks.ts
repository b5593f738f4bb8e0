import type { DueMessage, WebhookStore } from '../ports.ts';
import { toMessage } from '../rows.ts';
import type { Database } from './database.ts';

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

/** Creates the questions for what is due, which go to each endpoint. */
export function createDueQuestions(db: Database): Pick<WebhookStore, 'due' | 'backlog'> {
  return {
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
    async backlog(environment) {
      const row = await db.row(
        `SELECT count(*) AS n, min(m.created_at) AS oldest FROM webhook_messages m
         JOIN webhook_endpoints e ON e.id = m.endpoint_id
         WHERE m.status = 'pending' AND e.environment = ? AND e.status = 'enabled'`,
        environment,
      );
      return { pending: Number(row?.n), oldestAt: (row?.oldest as string | null | undefined) ?? null };
    },
  };
}
