/** Runs work on one photo when its turn comes; `photosLeft` counts the photos that its inspection has left. */
export type InTurn = <T>(photosLeft: number, work: () => Promise<T>) => Promise<T>;

/** Turns by fewest photos left after which one goes to the photo that has waited longest. */
const BEFORE_LONGEST = 2;

/**
 * Returns what gives photos of all inspections of an engine their turns, at most `most` in the works at once. Of two
 * inspections the one with fewer photos left has two thirds of the turns: it is over soon, and the larger one goes on.
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
