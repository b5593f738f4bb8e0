import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { Semaphore } from 'redis-semaphore';

/** A semaphore shared by all processes. */
interface SharedPlaces {
  readonly client: Redis;
  readonly key: string;
  readonly limit: number;
  /** Lease of a slot in milliseconds, renewed every third of that; the slot of a dead process expires. */
  readonly lockMs: number;
}

/**
 * Tries once to take a slot. Returns the function that releases it, or undefined if all are taken.
 * @throws if Redis does not respond
 */
export async function takePlace({
  client,
  key,
  limit,
  lockMs,
}: SharedPlaces): Promise<(() => void) | undefined> {
  const options = { identifier: randomUUID(), lockTimeout: lockMs, acquireAttemptsLimit: 1 };
  // The library's own renewal ends the process when Redis is unreachable.
  const place = (held: { acquiredExternally?: true }) =>
    new Semaphore(client, key, limit, { ...options, ...held, refreshInterval: 0 });
  const taken = place({});
  if (!(await taken.tryAcquire())) return undefined;
  const renew = async () => {
    // A server that restarted empty has lost the slot.
    if (!(await place({ acquiredExternally: true }).tryAcquire())) await place({}).tryAcquire();
  };
  const timer = setInterval(() => void renew().catch(() => undefined), lockMs / 3).unref();
  return () => {
    clearInterval(timer);
    void taken.release().catch(() => undefined);
  };
}
