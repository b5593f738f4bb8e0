import type { Database } from './database.ts';

/** Works per commit: so many answers leave in one turn of the event loop at the most. */
const GROUP_MAX = 16;

interface Waiting {
  readonly work: () => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Commits what one turn of the event loop asks for together: a commit waits for the disk, and a burst of requests that
 * each wait for their own keeps the loop from all others. What is returned resolves when the work is on the disk;
 * work that fails undoes itself alone.
 */
export function groupCommit(db: Database): (work: () => void) => Promise<void> {
  const waiting: Waiting[] = [];

  function commit(): void {
    const group = waiting.splice(0, GROUP_MAX);
    if (waiting.length > 0) setImmediate(commit);
    try {
      const outcomes = db.transaction(() => group.map(({ work }) => db.attempt(work)));
      for (const [i, { done, failed }] of group.entries()) {
        const failure = outcomes[i];
        if (failure) failed(failure.error);
        else done();
      }
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  }

  return (work) =>
    new Promise((done, failed) => {
      if (waiting.push({ work, done, failed }) === 1) setImmediate(commit);
    });
}
