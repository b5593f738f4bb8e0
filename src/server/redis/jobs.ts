import type { Redis } from 'ioredis';
import type { Environment } from '../../domain/choices.ts';

/** Where work waits; a job has the id of its record in both. */
export const QUEUE = 'inspections';
/** Work that may end the process that does it. */
export const QUARANTINE = 'quarantine';

/** Returns what begins the keys of the queues of an environment; `keys` begins all keys of a service. */
export const makeQueuePrefix = (keys: string, environment: Environment): string => `${keys}:${environment}`;

/** Returns those of the ids that have a job in neither queue. */
export async function listWithoutJob(
  client: Redis,
  prefix: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const asked = client.pipeline();
  for (const id of ids) asked.exists(`${prefix}:${QUEUE}:${id}`, `${prefix}:${QUARANTINE}:${id}`);
  const answers = (await asked.exec()) ?? [];
  return ids.filter((_id, i) => {
    const [error, found] = answers[i] ?? [];
    if (error) throw error;
    return found === 0;
  });
}
