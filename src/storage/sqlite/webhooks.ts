import type { DueMessage, WebhookStore } from '../ports.ts';
import { toMessage } from '../rows.ts';
import type { Database } from './database.ts';

/** Creates the questions for what is due, which go to each endpoint. */
export function createDueQuestions(db: Database): Pick<WebhookStore, 'due' | 'backlog'> {
  return {
    async due(environment, nowMs, perEndpoint) {
      const messages: DueMessage[] = [];
      let nextAtMs: number | null = null;
      for (const { endpointId, accountId } of listPendingEndpoints(db, environment)) {
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
    async backlog(environment) {
      let pending = 0;
      let oldestAt: string | null = null;
      for (const { endpointId } of listPendingEndpoints(db, environment)) {
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
  };
}

/**
 * Returns enabled endpoints with pending messages, found by leaps over the index: a backlog costs no more than its
 * endpoints.
 */
function listPendingEndpoints(
  db: Database,
  environment: string,
): { endpointId: string; accountId: string }[] {
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
