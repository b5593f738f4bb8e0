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
  discountSubmitted(submitted: number): void;
}

/** Creates the slot counter. A slot stays open until its job is submitted, which slow photos may delay. */
export function createSlotCounter(): SlotCounter {
  const openByAccount = new Map<string, number>();
  let openTotal = 0;
  let submitted = 0;
  const change = (accountId: string, delta: 1 | -1): void => {
    const count = (openByAccount.get(accountId) ?? 0) + delta;
    if (count === 0) openByAccount.delete(accountId);
    else openByAccount.set(accountId, count);
    openTotal += delta;
  };
  return {
    get size() {
      return openTotal + submitted;
    },
    get submitted() {
      return submitted;
    },
    countOpen: (accountId) => openByAccount.get(accountId) ?? 0,
    reserve(accountId) {
      let isOpen = true;
      const close = (submittedDelta: 0 | 1) => {
        if (!isOpen) return;
        isOpen = false;
        submitted += submittedDelta;
        change(accountId, -1);
      };
      change(accountId, 1);
      return { submit: () => close(1), cancel: () => close(0) };
    },
    discountSubmitted(counted) {
      submitted = Math.max(0, submitted - counted);
    },
  };
}
