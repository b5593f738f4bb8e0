/**
 * Runs work at most `limit` at once, the rest in the order it came. Everything that is under way on a disk can end
 * within one turn of the event loop: a few hundred ends together keep it from all other requests.
 */
export function fewAtOnce(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < limit) running++;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
