import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTurnstile } from '../../../src/server/http/turnstile.ts';

describe('a turnstile', () => {
  it('lets so many pass at every turn of the event loop, in order', async () => {
    const admit = createTurnstile(3);
    const passed: number[] = [];
    for (let i = 0; i < 10; i++) admit(() => passed.push(i));
    const after: number[] = [passed.length];
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn();
      after.push(passed.length);
    }
    expect(after).toEqual([3, 6, 9, 10, 10]);
    expect(passed).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('lets those pass at once who come when nobody waits', async () => {
    const admit = createTurnstile(2);
    for (let i = 0; i < 5; i++) {
      let passed = false;
      admit(() => {
        passed = true;
      });
      expect(passed).toBe(true);
      await nextTurn();
      await nextTurn();
    }
  });

  it('counts those who come while others are let pass', async () => {
    const admit = createTurnstile(2);
    const passed: string[] = [];
    for (const name of ['a', 'b', 'c'])
      admit(() => {
        passed.push(name);
        if (name === 'c') for (const more of ['d', 'e']) admit(() => passed.push(more));
      });
    await nextTurn();
    expect(passed).toEqual(['a', 'b', 'c', 'd']);
    await nextTurn();
    expect(passed).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
