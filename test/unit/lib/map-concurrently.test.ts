import { expect, test } from 'vitest';
import { mapConcurrently } from '../../../src/lib/map-concurrently.ts';

test('keeps the order, never runs more at once than allowed', async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrently([30, 5, 20, 1, 10], 2, undefined, async (ms) => {
    most = Math.max(most, ++running);
    await new Promise((done) => setTimeout(done, ms));
    running--;
    return ms * 2;
  });
  expect(results).toEqual([60, 10, 40, 2, 20]);
  expect(most).toBe(2);
});

test('a failure waits for what is running, then is thrown', async () => {
  let finished = 0;
  const work = async (n: number) => {
    if (n === 1) throw new Error('one');
    await new Promise((done) => setTimeout(done, 5));
    finished++;
  };
  await expect(mapConcurrently([0, 1, 2, 3], 2, undefined, work)).rejects.toThrow('one');
  expect(finished).toBe(1);
});
