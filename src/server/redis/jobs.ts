import type { Redis } from 'ioredis';
import type { Environment } from '../../domain/account.ts';

/** Queue of ordinary jobs; a job has the id of its record in both queues. */
export const QUEUE = 'inspections';
/** Queue of jobs that may crash their process. */
export const QUARANTINE = 'quarantine';

/** Returns the key prefix of an environment's queues; `keys` is the key prefix of the service. */
export const makeQueuePrefix = (keys: string, environment: Environment): string => `${keys}:${environment}`;

/** Returns the ids that have a job in neither queue. */
export async function listIdsWithoutJob(
  client: Redis,
  prefix: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const pipeline = client.pipeline();
  for (const id of ids) pipeline.exists(`${prefix}:${QUEUE}:${id}`, `${prefix}:${QUARANTINE}:${id}`);
  const replies = (await pipeline.exec()) ?? [];
  return ids.filter((_id, i) => {
    const [error, count] = replies[i] ?? [];
    if (error) throw error;
    return count === 0;
  });
}
