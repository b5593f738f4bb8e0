/** Admits at most `perTurn` callbacks per event loop turn, in FIFO order; other requests are served between turns. */
export function createTurnstile(perTurn: number): (callback: () => void) => void {
  const queue: (() => void)[] = [];
  let admittedCount = 0;

  function startTurn(): void {
    const batch = queue.splice(0, perTurn);
    admittedCount = batch.length;
    if (admittedCount > 0) setImmediate(startTurn);
    for (const callback of batch) callback();
  }

  return (callback) => {
    if (admittedCount >= perTurn) {
      queue.push(callback);
      return;
    }
    if (admittedCount++ === 0) setImmediate(startTurn);
    callback();
  };
}
