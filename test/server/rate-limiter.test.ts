import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockOf, createRateLimiter, type RateLimiter } from '../../src/server/http/rate-limiter.ts';
import { openMemoryStore } from '../../src/storage/sqlite/store.ts';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const take = async (limiter: RateLimiter, limit: number | null, count: number, nowMs = NOON) => {
  const states = await Promise.all(Array.from({ length: count }, () => limiter.take('acc_1', limit, nowMs)));
  return states.filter(({ allowed }) => allowed).length;
};

describe('rate limiter', () => {
  it('over any number of processes, ended well or killed, grants no more than the limit, and a killed one wastes at most a block', async () => {
    const step = fc.record({
      requests: fc.integer({ min: 0, max: 120 }),
      end: fc.constantFrom('well', 'killed'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 }),
        fc.array(step, { minLength: 1, maxLength: 5 }),
        async (limit, steps) => {
          const store = openMemoryStore();
          let allowed = 0;
          let kills = 0;
          for (const { requests, end } of steps) {
            const limiter = createRateLimiter(store.rates);
            allowed += await take(limiter, limit, requests);
            if (end === 'well') await limiter.giveBack();
            else kills++;
          }
          const wanted = steps.reduce((sum, { requests }) => sum + requests, 0);
          expect(allowed).toBeLessThanOrEqual(limit);
          expect(allowed).toBeGreaterThanOrEqual(Math.min(wanted, limit - kills * blockOf(limit)));
          await store.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('two processes on one database share one limit', async () => {
    const store = openMemoryStore();
    const [one, two] = [createRateLimiter(store.rates), createRateLimiter(store.rates)];
    let allowed = 0;
    for (let i = 0; i < 400; i++) allowed += await take(i % 2 ? one : two, 300, 1);
    expect(allowed).toBeLessThanOrEqual(300);
    expect(allowed).toBeGreaterThanOrEqual(300 - blockOf(300));
  });

  it('counts what was taken, not what was reserved', async () => {
    const limiter = createRateLimiter(openMemoryStore().rates);
    await take(limiter, 1000, 7);
    expect(await limiter.peek('acc_1', 1000, NOON)).toMatchObject({ used: 7, resetMs: 3_600_000 });
    await take(limiter, null, 3);
    expect((await limiter.peek('acc_1', null, NOON)).used).toBe(10);
  });

  it('starts again with the hour, and follows a limit that is changed', async () => {
    const limiter = createRateLimiter(openMemoryStore().rates);
    expect(await take(limiter, 200, 300)).toBe(200);
    expect(await take(limiter, 250, 100)).toBe(50);
    expect(await take(limiter, 100, 1)).toBe(0);
    expect(await take(limiter, 200, 300, NOON + 3_600_000)).toBe(200);
  });

  it.each([
    [null, 1000],
    [100_000, 1000],
    [10_000, 100],
    [1_000, 10],
    [3, 1],
    [0, 1],
  ])('reserves for a limit of %s in blocks of %s', (limit, block) => {
    expect(blockOf(limit)).toBe(block);
  });
});
