import type { Redis } from 'ioredis';
import type { EngineFacts } from '../metrics.ts';
import { readInfo } from './connect.ts';

type ServerFacts = Omit<EngineFacts, 'substituted'>;

/** Returns what reads how the server is, and counts how often it was found to be another one than before. */
export function createServerReader(client: Pick<Redis, 'info'>): () => Promise<ServerFacts> {
  let runId: string | undefined;
  let restarts = 0;
  return async () => {
    let info: string;
    try {
      info = await client.info();
    } catch {
      return { up: false, memoryBytes: 0, memoryMaxBytes: 0, restarts };
    }
    const found = readInfo(info, 'run_id');
    if (runId !== undefined && found !== runId) restarts++;
    runId = found;
    const readNumber = (name: string) => Number(readInfo(info, name) ?? 0);
    const memoryMaxBytes = readNumber('maxmemory') || readNumber('total_system_memory');
    return { up: true, memoryBytes: readNumber('used_memory'), memoryMaxBytes, restarts };
  };
}
