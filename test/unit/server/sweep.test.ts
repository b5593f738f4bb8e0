import { expect, it, vi } from 'vitest';
import { createSweep, sweepUnderLease } from '../../../src/server/work/sweep.ts';
import type { UnfinishedJob, UnfinishedJobQuery } from '../../../src/storage/ports.ts';

const MINUTE_MS = 60_000;

/** A store of work by age in seconds, and a queue that holds some of it. */
function start(ages: readonly number[]) {
  const state = {
    nowMs: Date.UTC(2026, 0, 1, 12),
    runId: 'a',
    held: new Set<string>(),
    added: [] as string[],
  };
  const work: UnfinishedJob[] = ages.map((seconds, i) => ({
    id: `vis_${String(i).padStart(5, '0')}`,
    accountId: 'acc',
    attempts: 0,
    tag: null,
    createdAt: new Date(state.nowMs - seconds * 1000).toISOString(),
  }));
  const unfinished = async (_environment: string, page?: UnfinishedJobQuery) =>
    work
      .filter(
        ({ createdAt }) =>
          createdAt >= (page?.createdAfter ?? '') && createdAt < (page?.createdBefore ?? '~'),
      )
      .sort((a, b) => (`${a.createdAt}${a.id}` < `${b.createdAt}${b.id}` ? -1 : 1))
      .filter(
        ({ createdAt, id }) =>
          !page?.after || `${createdAt}${id}` > `${page.after.createdAt}${page.after.id}`,
      )
      .slice(0, page?.limit);
  const sweep = createSweep({
    readPage: (range) => unfinished('sandbox', range),
    queue: {
      listMissing: async (ids) => ids.filter((id) => !state.held.has(id)),
      add: async (works) => {
        for (const { id } of works) state.held.add(id);
        state.added.push(...works.map(({ id }) => id));
      },
      readRunId: async () => state.runId,
    },
    nowMs: () => state.nowMs,
  });
  return { state, sweep };
}

it('puts back what is missing, once, and leaves what is being added and what is there', async () => {
  const { state, sweep } = start([10, 31, 40, 4000]);
  state.held.add('vis_00002');
  expect(await sweep()).toBe(2);
  expect(state.added.sort()).toEqual(['vis_00001', 'vis_00003']);
  expect(await sweep()).toBe(0);
});

it('goes through any number of pages, also of work of one moment', async () => {
  const { state, sweep } = start(Array.from({ length: 2_500 }, () => 60));
  expect(await sweep()).toBe(2_500);
  expect(new Set(state.added).size).toBe(2_500);
});

it('looks at all when the server was restarted, after five minutes, and at the latest otherwise', async () => {
  const { state, sweep } = start([60, 3_600]);
  expect(await sweep()).toBe(2);
  state.held.clear();
  expect(await sweep()).toBe(1);
  state.held.clear();
  state.runId = 'b';
  expect(await sweep()).toBe(2);
  state.held.clear();
  state.nowMs += 5 * MINUTE_MS;
  expect(await sweep()).toBe(2);
});

it('does not take a look that failed for one at all', async () => {
  const { state, sweep } = start([3_600]);
  const add = state.held.add;
  state.held.add = () => {
    throw new Error('away');
  };
  await expect(sweep()).rejects.toThrow('away');
  state.held.add = add;
  expect(await sweep()).toBe(1);
});

it('looks from ten seconds ago back to five minutes before that, and no further', async () => {
  const { state, sweep } = start([10, 10.001, 310, 310.001]);
  expect(await sweep()).toBe(3);
  state.held.clear();
  state.added.length = 0;
  expect(await sweep()).toBe(2);
  expect(state.added).toEqual(['vis_00002', 'vis_00001']);
});

it('sweeps in turns: under a lease of two turns, one sweep at a time, again after one that failed', async () => {
  vi.useFakeTimers();
  try {
    const free = [true, false, true, true];
    const acquire = vi.fn(async () => free.shift() ?? false);
    const warn = vi.fn();
    let end: (error?: Error) => void = () => undefined;
    const sweep = vi.fn(
      () => new Promise<void>((done, fail) => (end = (error) => (error ? fail(error) : done()))),
    );
    const onSwept = vi.fn();
    const options = { lease: 'sweep', holder: 'me', intervalMs: 1000, sweep, onSwept };
    const stop = sweepUnderLease({
      ...options,
      leases: { acquire },
      log: { warn } as never,
    });
    await vi.advanceTimersByTimeAsync(3000);
    // The first goes on, so that nobody asked for the lease again.
    expect(acquire.mock.calls).toEqual([['sweep', 'me', 2000]]);
    end();
    await vi.advanceTimersByTimeAsync(1000);
    expect([sweep.mock.calls.length, onSwept.mock.calls.length, acquire.mock.calls.length]).toEqual([
      1, 1, 2,
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    end(new Error('away'));
    await vi.advanceTimersByTimeAsync(1000);
    expect([sweep.mock.calls.length, onSwept.mock.calls.length]).toEqual([3, 1]);
    expect(warn.mock.calls).toEqual([[{ reason: 'away' }, 'sweep']]);
    stop();
    end();
    await vi.advanceTimersByTimeAsync(5000);
    expect(sweep).toHaveBeenCalledTimes(3);
  } finally {
    vi.useRealTimers();
  }
});
