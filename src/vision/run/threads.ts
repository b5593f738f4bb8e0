import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

/**
 * Returns how many processors a cgroup v2 quota (`cpu.max`: "quota period" in microseconds, or "max …") allows;
 * undefined without one.
 */
export function readQuota(cpuMax: string): number | undefined {
  const [quota, period] = cpuMax.trim().split(/\s+/).map(Number);
  if (quota === undefined || period === undefined || !(quota > 0) || !(period > 0)) return undefined;
  return Math.max(1, Math.floor(quota / period));
}

/**
 * Returns how many threads to infer with by default: the processors this process may use, container limits included.
 */
export async function countDefaultThreads(): Promise<number> {
  const cpuMax = await readFile('/sys/fs/cgroup/cpu.max', 'utf8').catch(() => '');
  return Math.min(availableParallelism(), readQuota(cpuMax) ?? Number.POSITIVE_INFINITY);
}
