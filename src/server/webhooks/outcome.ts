import type { WebhookMessage } from '../../storage/ports.ts';

/** Outcome of one delivery attempt. */
export interface AttemptOutcome {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly retryAfterSeconds: number | undefined;
}

const MAX_RETRY_AFTER_SECONDS = 24 * 3600;
/** Maximum random extension of a delay, as a fraction of it, to spread the retries of many messages. */
const JITTER = 0.1;

/** Returns the delay in seconds of a `Retry-After` header (seconds or a date), limited to one day. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_SECONDS) : undefined;
}

/** Returns the maximum delay before a message's next attempt, in milliseconds. */
export function computeMaxDelayMs(retrySeconds: readonly number[]): number {
  return Math.max(MAX_RETRY_AFTER_SECONDS, ...retrySeconds.map((seconds) => seconds * (1 + JITTER))) * 1000;
}

/** Computes the state of a message after an attempt. */
export function computeNextState(
  attemptsBefore: number,
  outcome: AttemptOutcome,
  retrySeconds: readonly number[],
  nowMs: number,
  jitter: number,
): { status: WebhookMessage['status']; nextAttemptAtMs: number; disable: boolean } {
  const { statusCode } = outcome;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300)
    return { status: 'delivered', nextAttemptAtMs: nowMs, disable: false };
  if (statusCode === 410) return { status: 'failed', nextAttemptAtMs: nowMs, disable: true };
  const delaySeconds = retrySeconds[attemptsBefore];
  if (delaySeconds === undefined) return { status: 'failed', nextAttemptAtMs: nowMs, disable: false };
  const seconds = Math.max(delaySeconds * (1 + jitter * JITTER), outcome.retryAfterSeconds ?? 0);
  return { status: 'pending', nextAttemptAtMs: Math.round(nowMs + seconds * 1000), disable: false };
}

/** Returns a one-word reason for a missing response. */
export function nameFailure(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  if (code === 'ADDRESS_REFUSED') return 'address_refused';
  if (/TIMEOUT|ABORT/i.test(`${code} ${name}`)) return 'timeout';
  return code ?? name ?? 'connection';
}
