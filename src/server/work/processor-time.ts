import { cpuUsage } from 'node:process';

/** Measures the processor time of pieces of work. */
export interface ProcessorMeter {
  /** Begins to measure. The returned function ends that, and returns seconds of processor time. */
  begin(): () => number;
}

/**
 * Creates what shares processor time out among the work that runs: time in which several run counts for each in equal
 * parts, as threads serve all of them.
 * @param readSeconds processor time until now
 */
export function createProcessorMeter(readSeconds: () => number): ProcessorMeter {
  const running = new Set<{ seconds: number }>();
  let sharedSeconds = readSeconds();

  function share(): void {
    const nowSeconds = readSeconds();
    for (const one of running) one.seconds += (nowSeconds - sharedSeconds) / running.size;
    sharedSeconds = nowSeconds;
  }

  return {
    begin() {
      share();
      const one = { seconds: 0 };
      running.add(one);
      return () => {
        share();
        running.delete(one);
        return one.seconds;
      };
    },
  };
}

/** Returns the processor time of this process with all its threads, in seconds. */
export function readProcessorSeconds(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}
