/** Admits at most `perTurn` callbacks per event loop turn, in FIFO order; other requests are served between turns. */
export function createTurnstile(perTurn: number): (pass: () => void) => void {
  const queue: (() => void)[] = [];
  let passed = 0;

  function turn(): void {
    const group = queue.splice(0, perTurn);
    passed = group.length;
    if (passed > 0) setImmediate(turn);
    for (const pass of group) pass();
  }

  return (pass) => {
    if (passed >= perTurn) {
      queue.push(pass);
      return;
    }
    if (passed++ === 0) setImmediate(turn);
    pass();
  };
}
