export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

export const startHistory = <T>(present: T): History<T> => ({ past: [], present, future: [] });

export function record<T>({ past, present }: History<T>, next: T): History<T> {
  return { past: [...past, present], present: next, future: [] };
}

/** Undoes one step; unchanged if there is no past. */
export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  const last = past.at(-1);
  if (last === undefined) return history;
  return { past: past.slice(0, -1), present: last, future: [present, ...future] };
}

/** Reverts to an earlier value; if it is not in the past, the history restarts with it. */
export function returnTo<T>({ past }: History<T>, present: T): History<T> {
  return { past: past.slice(0, Math.max(0, past.lastIndexOf(present))), present, future: [] };
}

/** Redoes one step; unchanged if nothing was undone. */
export function redo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  const [next, ...rest] = future;
  return next === undefined ? history : { past: [...past, present], present: next, future: rest };
}
