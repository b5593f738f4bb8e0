import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fewAtOnce } from '../../../src/lib/few-at-once.ts';

it('runs no more than its limit at once, in order, and goes on after a failure', async () => {
  const inTurn = fewAtOnce(3);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const all = Array.from({ length: 20 }, (_, i) =>
    inTurn(async () => {
      begun.push(i);
      most = Math.max(most, ++running);
      await nextTurn();
      running--;
      if (i % 4 === 1) throw new Error(`no ${i}`);
      return i;
    }),
  );
  const ends = await Promise.allSettled(all);
  expect(most).toBe(3);
  expect(begun).toEqual(begun.map((_, i) => i));
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : String(end.reason)))).toEqual(
    begun.map((i) => (i % 4 === 1 ? `Error: no ${i}` : i)),
  );
  expect(await inTurn(async () => 'later')).toBe('later');
});
