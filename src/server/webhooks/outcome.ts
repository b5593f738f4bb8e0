import type { WebhookMessage } from '../../storage/ports.ts';

/** What came of one attempt at a delivery. */
export interface Outcome {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly retryAfterSeconds: number | undefined;
}

const RETRY_AFTER_MAX_SECONDS = 24 * 3600;
/** Maximum random addition to a delay, as a fraction of it: retries of many messages are spread out. */
const JITTER_SHARE = 0.1;

/** Returns the delay in seconds of a `Retry-After` header (seconds or a date), limited to one day. */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), RETRY_AFTER_MAX_SECONDS) : undefined;
}

/** Returns the maximum delay of a message before its next attempt, ms. */
export function computeLongestWaitMs(retrySeconds: readonly number[]): number {
  return (
    Math.max(RETRY_AFTER_MAX_SECONDS, ...retrySeconds.map((seconds) => seconds * (1 + JITTER_SHARE))) * 1000
  );
}

/** Returns the state of a message after an attempt. */
export function decideAfterAttempt(
  attemptsBefore: number,
  outcome: Outcome,
  retrySeconds: readonly number[],
  nowMs: number,
  jitter: number,
): { status: WebhookMessage['status']; nextAttemptAtMs: number; disable: boolean } {
  const { statusCode } = outcome;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
    return { status: 'delivered', nextAttemptAtMs: nowMs, disable: false };
  }
  if (statusCode === 410) return { status: 'failed', nextAttemptAtMs: nowMs, disable: true };
  const delay = retrySeconds[attemptsBefore];
  if (delay === undefined) return { status: 'failed', nextAttemptAtMs: nowMs, disable: false };
  const seconds = Math.max(delay * (1 + jitter * JITTER_SHARE), outcome.retryAfterSeconds ?? 0);
  return { status: 'pending', nextAttemptAtMs: Math.round(nowMs + seconds * 1000), disable: false };
}

/** What `X-Vehi-Simulate: webhook:…` plays. */
export const SIMULATED: Readonly<Record<string, Outcome>> = {
  error: { statusCode: 500, error: 'simulated', retryAfterSeconds: undefined },
  timeout: { statusCode: null, error: 'timeout (simulated)', retryAfterSeconds: undefined },
  gone: { statusCode: 410, error: 'simulated', retryAfterSeconds: undefined },
};

/** Returns why there was no answer, in one word. */
export function explainFailure(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  if (code === 'ADDRESS_REFUSED') return 'address_refused';
  if (/TIMEOUT|ABORT/i.test(`${code} ${name}`)) return 'timeout';
  return code ?? name ?? 'connection';
}
