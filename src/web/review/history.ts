/** A value with the ones before and the ones undone. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

/** Creates a history that starts with a value. */
export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

/** Returns the history with a new present; what was undone before is gone. */
export function record<T>({ past, present }: History<T>, next: T): History<T> {
  return { past: [...past, present], present: next, future: [] };
}

/** Returns the history one step back; the same history where there is none. */
export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), present: past.at(-1) as T, future: [present, ...future] };
}

/** Returns the history as it was with an earlier value; that value alone where it is not in the past. */
export function returnTo<T>({ past }: History<T>, present: T): History<T> {
  return { past: past.slice(0, Math.max(0, past.lastIndexOf(present))), present, future: [] };
}

/** Returns the history one step forward again; the same history where nothing was undone. */
export function redo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  const [next, ...rest] = future;
  return future.length === 0 ? history : { past: [...past, present], present: next as T, future: rest };
}
