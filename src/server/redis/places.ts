import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { Semaphore } from 'redis-semaphore';

/** A number of places that all processes share. */
interface SharedPlaces {
  readonly client: Redis;
  readonly key: string;
  readonly limit: number;
  /** A place of a process that died is free again after this; a living one renews it every third of it. */
  readonly lockMs: number;
}

/**
 * Takes a place, tried once; undefined where all are taken. Returns the function that gives it back.
 * @throws where Redis does not answer
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
    // A server that came back empty has lost the place.
    if (!(await place({ acquiredExternally: true }).tryAcquire())) await place({}).tryAcquire();
  };
  const timer = setInterval(() => void renew().catch(() => undefined), lockMs / 3).unref();
  return () => {
    clearInterval(timer);
    void taken.release().catch(() => undefined);
  };
}
