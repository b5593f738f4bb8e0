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
  const first = thread.wake();
  thread.rest(first);
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(thread.wake()).toBe(first);
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(logs()).toEqual(['ref unref ref']);
  thread.rest(first);
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(logs()).toEqual(['ref unref ref unref end']);
  expect(thread.wake()).not.toBe(first);
});

test('a thread that was forgotten is replaced, and can neither rest nor be forgotten again', async () => {
  const { thread, logs } = open();
  const lost = thread.wake();
  expect(thread.forget(lost)).toBe(true);
  const next = thread.wake();
  expect(thread.forget(lost)).toBe(false);
  thread.rest(lost);
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(thread.wake()).toBe(next);
  await thread.end();
  expect(logs()).toEqual(['ref', 'ref ref end']);
});
