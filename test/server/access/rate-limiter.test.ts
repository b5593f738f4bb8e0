import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../../src/server/http/rate-limiter.ts';
import type { Store } from '../../../src/storage/ports.ts';
import { openTemporaryStore } from '../../../src/storage/sqlite/store.ts';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const take = async (limiter: RateLimiter, limit: number | null, count: number, nowMs = NOON) => {
  const states = await Promise.all(Array.from({ length: count }, () => limiter.take('acc_1', limit, nowMs)));
  return states.filter(({ allowed }) => allowed).length;
};

it('over any number of processes, however they end, grants exactly what the limit allows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 60 }),
      fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 5 }),
      async (limit, requests) => {
        const store = openTemporaryStore();
        const limiters = [1, 2].map(() => createRateLimiter(store.requestCounts, 'sandbox'));
        let allowed = 0;
        // Two run by turns, and one is new each time.
        for (const [turn, count] of requests.entries()) {
          limiters[2] = createRateLimiter(store.requestCounts, 'sandbox');
          allowed += await take(limiters[turn % 3] as RateLimiter, limit, count);
        }
        const wanted = requests.reduce((sum, count) => sum + count, 0);
        expect(allowed).toBe(Math.min(wanted, limit));
        await store.close();
      },
    ),
    { numRuns: 40 },
  );
});

it('holds the limit while the store cannot write, from what it said last', async () => {
  const { requestCounts } = openTemporaryStore();
  let full = false;
  const flaky: Store['requestCounts'] = {
    ...requestCounts,
    async add(...args) {
      if (full) throw new Error('database or disk is full');
      return requestCounts.add(...args);
    },
  };
  const limiter = createRateLimiter(flaky, 'sandbox');
  expect(await take(limiter, 10, 2)).toBe(2);
  full = true;
  expect(await take(limiter, 10, 20)).toBe(8);
  full = false;
  expect(await take(limiter, 10, 1)).toBe(1);
  expect(await requestCounts.get({ accountId: 'acc_1', environment: 'sandbox', windowStartMs: NOON })).toBe(
    3,
  );
  full = true;
  expect(await take(limiter, 10, 20)).toBe(7);
});
