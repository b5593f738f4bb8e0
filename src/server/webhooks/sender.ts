import type { FastifyBaseLogger } from 'fastify';
import type { Store, WebhookEndpoint, WebhookMessage } from '../../storage/ports.ts';
import type { ServerClock } from '../clock.ts';
import type { Links } from '../links.ts';
import type { Metrics } from '../metrics.ts';
import type { OutgoingAgent } from '../net/guarded-agent.ts';
import type { ServerSettings } from '../server-settings.ts';
import { type AttemptOutcome, computeNextState, nameFailure, parseRetryAfter } from './outcome.ts';
import { signBody } from './sign.ts';

/**
 * Makes one delivery attempt, without following redirects, and stores its outcome. Rejects if the outcome cannot be
 * stored; the message then stays pending.
 */
export type SendMessage = (endpoint: WebhookEndpoint, message: WebhookMessage) => Promise<void>;

/** The link to a report in a stored event; quotes inside other values are escaped, so they cannot match. */
const REPORT_URL = /(?<="report_url":")[^"]+/;

/** Creates the function that makes delivery attempts. */
export function createSender(parts: {
  readonly store: Store;
  readonly clock: ServerClock;
  readonly agent: OutgoingAgent;
  readonly links: Pick<Links, 'renew'>;
  readonly settings: ServerSettings;
  readonly metrics: Metrics;
  readonly log: FastifyBaseLogger;
}): SendMessage {
  const { store, clock, agent, links, settings, metrics, log } = parts;

  async function post(endpoint: WebhookEndpoint, message: WebhookMessage): Promise<AttemptOutcome> {
    if (!settings.allowPrivate && !endpoint.url.startsWith('https:'))
      return { statusCode: null, error: 'scheme', retryAfterSeconds: undefined };
    const nowMs = clock.wallMs();
    const timestampSeconds = Math.floor(nowMs / 1000);
    const { secret, previousSecret: previous } = endpoint;
    const isRotating = previous !== null && (endpoint.previousSecretExpiresAtMs ?? 0) > nowMs;
    const secrets = isRotating ? [secret, previous] : [secret];
    // A link that expires is signed again.
    const body = message.payload.replace(REPORT_URL, (url) => links.renew(url));
    try {
      const { request } = await import('undici');
      const response = await request(endpoint.url, {
        dispatcher: await agent.open(),
        method: 'POST',
        signal: AbortSignal.timeout(settings.webhookTimeoutMs),
        headersTimeout: settings.webhookTimeoutMs,
        headers: {
          'content-type': 'application/json',
          'user-agent': `vehi/${settings.softwareVersion}`,
          'webhook-id': message.id,
          'webhook-timestamp': String(timestampSeconds),
          'webhook-signature': signBody(secrets, message.id, timestampSeconds, body),
        },
        body,
      });
      // Only the receiver's status matters; its body is discarded unread.
      response.body.on('error', () => undefined).destroy();
      const header = response.headers['retry-after'];
      return {
        statusCode: response.statusCode,
        error: null,
        retryAfterSeconds: parseRetryAfter(typeof header === 'string' ? header : undefined, nowMs),
      };
    } catch (error) {
      return { statusCode: null, error: nameFailure(error), retryAfterSeconds: undefined };
    }
  }

  return async (endpoint, message) => {
    const at = clock.now().toISOString();
    const startedMs = clock.monotonicMs();
    const outcome = await post(endpoint, message);
    const durationMs = clock.monotonicMs() - startedMs;
    const { webhookRetrySeconds: delays } = settings;
    const next = computeNextState(message.attempts, outcome, delays, clock.wallMs(), Math.random());
    const { statusCode, error } = outcome;
    metrics.webhooks.inc({ outcome: next.status });
    log.info(
      {
        message: message.id,
        endpoint: endpoint.id,
        account: endpoint.accountId,
        resource: message.resourceId,
        event: message.event,
        outcome: next.status,
        status: statusCode,
        error,
        attempt: message.attempts + 1,
        ms: Math.round(durationMs),
      },
      'delivery',
    );
    await store.webhooks.recordAttempt({ messageId: message.id, at, statusCode, error, durationMs }, next);
    const gone = { status: 'disabled', disabledReason: 'the receiver answered 410 Gone' } as const;
    if (next.disable) await store.webhooks.updateEndpoint(endpoint.id, gone);
    if (next.status === 'failed')
      log.warn({ message: message.id, endpoint: endpoint.id }, 'webhook abandoned');
  };
}
