/** Schedules one photo's job; `photosLeft` is the number of photos left in its inspection. */
export type InTurn = <T>(photosLeft: number, work: () => Promise<T>) => Promise<T>;

/** Consecutive jobs chosen by fewest photos left, before the longest-waiting one runs. */
const BEFORE_LONGEST = 2;

/**
 * Creates a scheduler for the photos of all inspections of an engine, with at most `most` jobs in parallel. Of two
 * inspections, the one with fewer photos left gets two thirds of the slots and finishes soon, while the larger one
 * still progresses.
 */
export function createTurns(most: number): InTurn {
  const waiting: { readonly photosLeft: number; readonly begin: () => void }[] = [];
  let busy = 0;
  let sinceLongest = 0;
  const takeNext = () => {
    const isLongest = sinceLongest === BEFORE_LONGEST;
    sinceLongest = isLongest ? 0 : sinceLongest + 1;
    const fewest = Math.min(...waiting.map(({ photosLeft }) => photosLeft));
    const at = isLongest ? 0 : waiting.findIndex(({ photosLeft }) => photosLeft === fewest);
    return waiting.splice(at, 1)[0];
  };
  return async (photosLeft, work) => {
    if (busy < most) busy++;
    else await new Promise<void>((begin) => void waiting.push({ photosLeft, begin }));
    try {
      return await work();
    } finally {
      const next = waiting.length === 0 ? undefined : takeNext();
      if (next) next.begin();
      else busy--;
    }
  };
}
