import { monotonicFactory } from 'ulid';
import { toSeconds } from '../lib/durations.ts';
import { createRandom } from '../lib/random.ts';

/**
 * `now` and `newId` produce values that callers see and can be fixed to make test runs repeatable. `wallMs` is the real
 * time, used for limits, key expiry and retries.
 */
export type ServerClock = Readonly<ReturnType<typeof createClock>>;

/** Creates a clock with system time and random ids, or with fixed `seed` and `now`. */
export function createClock(overrides: { seed?: number; now?: Date } = {}) {
  const ulid =
    overrides.seed === undefined ? monotonicFactory() : monotonicFactory(createRandom(overrides.seed));
  const now = () => new Date(overrides.now ?? Date.now());
  return {
    now,
    /** Returns a time-sortable id, e.g. `newId('vis')` → `vis_01J…`. */
    newId: (prefix: string) => `${prefix}_${ulid(now().getTime())}`,
    wallMs: () => Date.now(),
    /** Monotonic milliseconds, for durations; constant if `now` is fixed. */
    monotonicMs: () => (overrides.now === undefined ? performance.now() : 0),
  };
}

/** Times work: its completion (ISO 8601, never before the creation), and its seconds with two decimals. */
export function measureSince(createdAt: string, clock: Pick<ServerClock, 'now'>) {
  const createdMs = Date.parse(createdAt);
  const completedMs = Math.max(createdMs, clock.now().getTime());
  const completedAt = new Date(completedMs).toISOString();
  return { completedAt, processingTime: toSeconds(completedMs - createdMs) };
}
