/** A value with its past and undone values. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

/** Creates a history that starts with a value. */
export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

/** Returns the history with a new present, without undone values. */
export function record<T>({ past, present }: History<T>, next: T): History<T> {
  return { past: [...past, present], present: next, future: [] };
}

/** Returns the history one step back; unchanged without a past. */
export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), present: past.at(-1) as T, future: [present, ...future] };
}

/** Returns the history at an earlier value; a history of that value alone if it is not in the past. */
export function returnTo<T>({ past }: History<T>, present: T): History<T> {
  return { past: past.slice(0, Math.max(0, past.lastIndexOf(present))), present, future: [] };
}

/** Returns the history one step forward; unchanged without undone values. */
export function redo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  const [next, ...rest] = future;
  return future.length === 0 ? history : { past: [...past, present], present: next as T, future: rest };
}
