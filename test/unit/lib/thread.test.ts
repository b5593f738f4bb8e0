import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIdleThread } from '../../../src/lib/thread.ts';

const IDLE_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const started: { readonly log: string[] }[] = [];
  const start = () => {
    const log: string[] = [];
    started.push({ log });
    const note = (what: string) => () => void log.push(what);
    return { ref: note('ref'), unref: note('unref'), terminate: note('end') } as unknown as Worker;
  };
  return { thread: createIdleThread(start, IDLE_MS), logs: () => started.map(({ log }) => log.join(' ')) };
}

test('one thread serves all work, and ends after a time without any', async () => {
  const { thread, logs } = open();
  const first = thread.acquire();
  thread.release(first);
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(thread.acquire()).toBe(first);
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(logs()).toEqual(['ref unref ref']);
  thread.release(first);
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(logs()).toEqual(['ref unref ref unref end']);
  expect(thread.acquire()).not.toBe(first);
});

test('a thread that was forgotten is replaced, and can neither rest nor be forgotten again', async () => {
  const { thread, logs } = open();
  const lost = thread.acquire();
  expect(thread.discard(lost)).toBe(true);
  const next = thread.acquire();
  expect(thread.discard(lost)).toBe(false);
  thread.release(lost);
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(thread.acquire()).toBe(next);
  await thread.terminate();
  expect(logs()).toEqual(['ref', 'ref ref end']);
});
