import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { Semaphore } from 'redis-semaphore';

/** A semaphore shared by all processes. */
interface SharedSemaphore {
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
export async function acquireSlot({
  client,
  key,
  limit,
  lockMs,
}: SharedSemaphore): Promise<(() => void) | undefined> {
  const options = { identifier: randomUUID(), lockTimeout: lockMs, acquireAttemptsLimit: 1 };
  // The library's own renewal ends the process when Redis is unreachable.
  const create = (overrides: { acquiredExternally?: true }) =>
    new Semaphore(client, key, limit, { ...options, ...overrides, refreshInterval: 0 });
  const semaphore = create({});
  if (!(await semaphore.tryAcquire())) return undefined;
  const renew = async () => {
    // A server that restarted empty has lost the slot.
    if (!(await create({ acquiredExternally: true }).tryAcquire())) await create({}).tryAcquire();
  };
  const timer = setInterval(() => void renew().catch(() => undefined), lockMs / 3).unref();
  return () => {
    clearInterval(timer);
    void semaphore.release().catch(() => undefined);
  };
}
