/** Schedules one photo's job; `photosLeft` is the number of photos left in its inspection. */
export type Schedule = <T>(photosLeft: number, job: () => Promise<T>) => Promise<T>;

/** Maximum consecutive jobs chosen by fewest photos left before the longest-waiting job runs. */
const MAX_BEFORE_LONGEST = 2;

/**
 * Creates a scheduler shared by all inspections of an engine, with at most `maxParallel` jobs in parallel. Of two
 * inspections, the one with fewer photos left gets about two thirds of the jobs if there are several slots (half with
 * one) and finishes soon, while the larger one still progresses.
 */
export function createScheduler(maxParallel: number): Schedule {
  const waiting: { readonly photosLeft: number; readonly start: () => void }[] = [];
  let running = 0;
  let sinceLongest = 0;
  const takeNext = () => {
    const isLongest = sinceLongest === MAX_BEFORE_LONGEST;
    sinceLongest = isLongest ? 0 : sinceLongest + 1;
    const fewest = Math.min(...waiting.map(({ photosLeft }) => photosLeft));
    const at = isLongest ? 0 : waiting.findIndex(({ photosLeft }) => photosLeft === fewest);
    return waiting.splice(at, 1)[0];
  };
  return async (photosLeft, job) => {
    if (running < maxParallel) running++;
    else await new Promise<void>((start) => void waiting.push({ photosLeft, start }));
    try {
      return await job();
    } finally {
      const next = waiting.length === 0 ? undefined : takeNext();
      if (next) next.start();
      else running--;
    }
  };
}
