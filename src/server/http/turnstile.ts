/**
 * Lets at most `perTurn` pass at every turn of the event loop, in the order they came; the others wait for later turns,
 * and other requests are answered in between.
 */
export function createTurnstile(perTurn: number): (pass: () => void) => void {
  const waiting: (() => void)[] = [];
  let passed = 0;

  function turn(): void {
    const group = waiting.splice(0, perTurn);
    passed = group.length;
    if (passed > 0) setImmediate(turn);
    for (const pass of group) pass();
  }

  return (pass) => {
    if (passed >= perTurn) {
      waiting.push(pass);
      return;
    }
    if (passed++ === 0) setImmediate(turn);
    pass();
  };
}
