/** Bytes of uploads under way, over the process and per account. */
export interface UploadBudget {
  /** False where the bytes would pass what is allowed; else they count until `give`. */
  take(accountId: string, bytes: number): boolean;
  give(accountId: string, bytes: number): void;
  readonly used: number;
}

/** Creates a budget of which one account may use half, so that its uploads do not keep out those of others. */
export function createUploadBudget(limitBytes: number): UploadBudget {
  const byAccount = new Map<string, number>();
  let used = 0;
  return {
    take(accountId, bytes) {
      const own = (byAccount.get(accountId) ?? 0) + bytes;
      if (used + bytes > limitBytes || own > limitBytes / 2) return false;
      byAccount.set(accountId, own);
      used += bytes;
      return true;
    },
    give(accountId, bytes) {
      const own = (byAccount.get(accountId) ?? 0) - bytes;
      if (own > 0) byAccount.set(accountId, own);
      else byAccount.delete(accountId);
      used -= bytes;
    },
    get used() {
      return used;
    },
  };
}
