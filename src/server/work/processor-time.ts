import { cpuUsage } from 'node:process';

/** Measures the processor time of jobs. */
export interface ProcessorMeter {
  /** Starts a measurement. The returned function ends it and returns the processor time in seconds. */
  start(): () => number;
}

/**
 * Creates a meter that splits the process's time among its running jobs: time in which several run counts equally for
 * each, because all of them share the threads.
 * @param readSeconds reads the processor time so far, in seconds
 */
export function createProcessorMeter(readSeconds: () => number): ProcessorMeter {
  const running = new Set<{ seconds: number }>();
  let attributedSeconds = readSeconds();

  function attributeTime(): void {
    const nowSeconds = readSeconds();
    for (const measurement of running) measurement.seconds += (nowSeconds - attributedSeconds) / running.size;
    attributedSeconds = nowSeconds;
  }

  return {
    start() {
      attributeTime();
      const measurement = { seconds: 0 };
      running.add(measurement);
      return () => {
        attributeTime();
        running.delete(measurement);
        return measurement.seconds;
      };
    },
  };
}

/** Returns the processor time of this process over all its threads, in seconds. */
export function readProcessorSeconds(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}
