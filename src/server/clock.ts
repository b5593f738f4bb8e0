import { monotonicFactory } from 'ulid';
import type { EngineClock } from '../engine/engine.ts';

/**
 * `now` and `newId` make what a caller sees and can be fixed, so that a test run can be repeated; `wallMs` is the real
 * time, which limits, expiries of keys, retries and signatures go by.
 */
export interface ServerClock extends EngineClock {
  wallMs(): number;
  /** Milliseconds of a clock that never steps, for durations; stands still where `now` is fixed. */
  monotonicMs(): number;
}

/**
 * Returns a generator of pseudo-random numbers in [0, 1) from a seed (mulberry32): for ids in tests, never for secrets.
 */
function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Creates a clock with the system's time and random ids, or those of `seed` and `now`. */
export function createClock(fixed: { seed?: number; now?: Date } = {}): ServerClock {
  const ulid =
    fixed.seed === undefined ? monotonicFactory() : monotonicFactory(createSeededRandom(fixed.seed));
  const now = () => new Date(fixed.now ?? Date.now());
  return {
    now,
    newId: (prefix) => `${prefix}_${ulid(now().getTime())}`,
    wallMs: () => Date.now(),
    monotonicMs: () => (fixed.now === undefined ? performance.now() : 0),
  };
}
