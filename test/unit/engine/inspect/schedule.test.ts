import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createScheduler, type Schedule } from '../../../../src/engine/inspect/schedule.ts';

/** Looks at so many photos, two at a time, and notes the name at each. */
async function inspect(name: string, photos: number, inTurn: Schedule, seen: string[]): Promise<void> {
  let begun = 0;
  let done = 0;
  const lane = async () => {
    while (begun < photos) {
      begun++;
      await inTurn(photos - done, async () => {
        seen.push(name);
        await tick();
      });
      done++;
    }
  };
  await Promise.all([lane(), lane()]);
}

test('the smaller of two inspections has two of three turns, and the larger one goes on', async () => {
  const seen: string[] = [];
  const inTurn = createScheduler(2);
  const large = inspect('large', 30, inTurn, seen);
  await inspect('small', 8, inTurn, seen);
  const meanwhile = seen.filter((name) => name === 'large').length;
  expect(meanwhile).toBeGreaterThanOrEqual(3);
  expect(meanwhile).toBeLessThanOrEqual(8);
  await large;
  expect(seen).toHaveLength(38);
});

test('a failure gives its turn to the next', async () => {
  const inTurn = createScheduler(1);
  const fails = inTurn(1, () => Promise.reject(new Error('unreadable')));
  const next = inTurn(1, async () => 'looked at');
  await expect(fails).rejects.toThrow('unreadable');
  expect(await next).toBe('looked at');
});
