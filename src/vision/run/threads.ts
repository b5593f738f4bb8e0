import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

/**
 * Returns the processors allowed by a cgroup v2 quota (`cpu.max`: "quota period" in microseconds, or "max …");
 * undefined without a quota.
 */
export function readQuota(cpuMax: string): number | undefined {
  const [quota, period] = cpuMax.trim().split(/\s+/).map(Number);
  if (quota === undefined || period === undefined || !(quota > 0) || !(period > 0)) return undefined;
  return Math.max(1, Math.floor(quota / period));
}

/** Returns the default number of inference threads: the available processors, respecting container limits. */
export async function countDefaultThreads(): Promise<number> {
  const cpuMax = await readFile('/sys/fs/cgroup/cpu.max', 'utf8').catch(() => '');
  return Math.min(availableParallelism(), readQuota(cpuMax) ?? Number.POSITIVE_INFINITY);
}
