/** A place that is open until its work is submitted or it is cancelled. */
interface KeptPlace {
  submit(): void;
  cancel(): void;
}

/** Places that this process has given out and the last count of the queue has not seen. */
interface Places {
  /** Open places, and those submitted since the last count. */
  readonly size: number;
  readonly submitted: number;
  countOpen(accountId: string): number;
  keep(accountId: string): KeptPlace;
  /** Subtracts the places that were submitted before the count of the queue started: it includes them. */
  counted(submitted: number): void;
}

/** Counts places. A place that takes long to fill, as with slow photos, stays counted until it is submitted. */
export function createPlaces(): Places {
  const open = new Map<string, number>();
  let openInAll = 0;
  let submitted = 0;
  const change = (accountId: string, by: 1 | -1): void => {
    const now = (open.get(accountId) ?? 0) + by;
    if (now === 0) open.delete(accountId);
    else open.set(accountId, now);
    openInAll += by;
  };
  return {
    get size() {
      return openInAll + submitted;
    },
    get submitted() {
      return submitted;
    },
    countOpen: (accountId) => open.get(accountId) ?? 0,
    keep(accountId) {
      let isOpen = true;
      const end = (add: 0 | 1) => {
        if (!isOpen) return;
        isOpen = false;
        submitted += add;
        change(accountId, -1);
      };
      change(accountId, 1);
      return { submit: () => end(1), cancel: () => end(0) };
    },
    counted(seen) {
      submitted = Math.max(0, submitted - seen);
    },
  };
}
