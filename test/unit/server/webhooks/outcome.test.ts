import { expect, it } from 'vitest';
import {
  computeMaxDelayMs,
  computeNextState,
  parseRetryAfter,
} from '../../../../src/server/webhooks/outcome.ts';

it.each([
  ['120', 120],
  ['0', 0],
  ['9999999', 86_400],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 60],
  ['Wed, 31 Dec 1969 23:59:00 GMT', 0],
  ['nonsense', undefined],
  [undefined, undefined],
])('Retry-After: %s → %s s', (header, seconds) => {
  expect(parseRetryAfter(header, 0)).toBe(seconds);
});
it.each([
  [199, 'pending'],
  [200, 'delivered'],
  [299, 'delivered'],
  [300, 'pending'],
  [410, 'failed'],
])('an answer %s is %s', (statusCode, status) => {
  const outcome = { statusCode, error: null, retryAfterSeconds: undefined };
  expect(computeNextState(0, outcome, [5], 0, 0).status).toBe(status);
});
it('honors Retry-After where it is longer than the schedule', () => {
  const outcome = { statusCode: 503, error: null, retryAfterSeconds: 600 };
  expect(computeNextState(0, outcome, [5, 300], 0, 0)).toEqual({
    status: 'pending',
    nextAttemptAtMs: 600_000,
    disable: false,
  });
  expect(computeNextState(0, { ...outcome, retryAfterSeconds: 1 }, [5, 300], 0, 1).nextAttemptAtMs).toBe(
    5_500,
  );
  expect(computeNextState(2, outcome, [5, 300], 0, 0).status).toBe('failed');
});
it('no attempt is planned for later than the longest wait', () => {
  const [outcome, schedule] = [{ statusCode: 503, error: null }, [5, 100_000]];
  for (const retryAfterSeconds of [0, 86_400]) {
    const { nextAttemptAtMs } = computeNextState(1, { ...outcome, retryAfterSeconds }, schedule, 0, 1);
    expect(nextAttemptAtMs).toBeLessThanOrEqual(computeMaxDelayMs(schedule));
  }
  expect(computeMaxDelayMs([5])).toBe(86_400_000);
});
