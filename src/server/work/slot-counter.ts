/** A reserved slot, open until its job is submitted or it is canceled. */
interface Reservation {
  submit(): void;
  cancel(): void;
}

/** Slots reserved by this process that the last queue count does not include. */
interface SlotCounter {
  /** Open slots plus those submitted since the last count. */
  readonly size: number;
  readonly submitted: number;
  countOpen(accountId: string): number;
  reserve(accountId: string): Reservation;
  /** Subtracts the slots submitted before a queue count started, because the count includes them. */
  subtract(submitted: number): void;
}

/** Creates the slot counter. A slot stays open until its job is submitted, which slow photos may delay. */
export function createSlotCounter(): SlotCounter {
  const open = new Map<string, number>();
  let openTotal = 0;
  let submitted = 0;
  const change = (accountId: string, by: 1 | -1): void => {
    const now = (open.get(accountId) ?? 0) + by;
    if (now === 0) open.delete(accountId);
    else open.set(accountId, now);
    openTotal += by;
  };
  return {
    get size() {
      return openTotal + submitted;
    },
    get submitted() {
      return submitted;
    },
    countOpen: (accountId) => open.get(accountId) ?? 0,
    reserve(accountId) {
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
    subtract(seen) {
      submitted = Math.max(0, submitted - seen);
    },
  };
}
