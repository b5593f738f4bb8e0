import { expect, it } from 'vitest';
import { createCompletionRate } from '../../../../src/server/work/completion-rate.ts';

/** Ends one piece every so many milliseconds, and asks in the end how long others take. */
function secondsAfter(everyMs: number, forMs: number, pieces: number, silentMs = 0): number {
  let nowMs = 5_000_000;
  const pace = createCompletionRate(() => nowMs);
  for (const until = nowMs + forMs; nowMs < until; nowMs += everyMs) pace.count();
  nowMs += silentMs;
  return pace.estimateSeconds(pieces);
}

it.each([
  ['one a second for ten minutes', 1_000, 600_000, 250, 250],
  ['ten a second', 100, 600_000, 250, 25],
  ['one in five seconds', 5_000, 600_000, 30, 150],
  ['ten seconds after the start', 1_000, 10_000, 20, 22],
  ['more than an hour of it', 30_000, 600_000, 10_000, 3_600],
  ['next to nothing waits', 100, 600_000, 0, 1],
])('what waits ends at the rate of the last minute: %s', (_name, everyMs, forMs, pieces, seconds) => {
  const found = secondsAfter(everyMs, forMs, pieces);
  expect(found).toBeGreaterThanOrEqual(seconds * 0.9);
  expect(found).toBeLessThanOrEqual(seconds * 1.1);
});

it('counts what ended within the last minute, to the second', () => {
  let nowMs = 0;
  const pace = createCompletionRate(() => nowMs);
  pace.count();
  expect([pace.estimateSeconds(0), pace.estimateSeconds(1), pace.estimateSeconds(5)]).toEqual([1, 1, 5]);
  nowMs = 59_999;
  expect(pace.estimateSeconds(2)).toBe(120);
  pace.count();
  expect(pace.estimateSeconds(2)).toBe(60);
  nowMs = 60_000;
  expect(pace.estimateSeconds(2)).toBe(120);
});

it('what ended more than a minute ago says nothing', () => {
  expect(secondsAfter(100, 600_000, 250, 61_000)).toBe(60);
  expect(secondsAfter(1_000, 0, 250)).toBe(60);
});
