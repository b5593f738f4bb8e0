import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFairOrder } from '../../../../src/server/work/fair-order.ts';
import { computeCost, computeExtraCost, type JobSize } from '../../../../src/server/work/job-cost.ts';
import { isBaseFarBehind, toPriority } from '../../../../src/server/work/shared-order.ts';

it('turns tags into priorities that BullMQ takes', () => {
  expect([toPriority(72, 64), toPriority(32, 64), toPriority(null, 64), toPriority(1e9, 0)]).toEqual([
    1, 1, 1, 2_097_151,
  ]);
  // A photo that has begun counts, and so does the tag that is the base itself.
  expect([64, 72, 73, 80, 81].map((tag) => toPriority(tag, 64))).toEqual([1, 1, 2, 2, 3]);
});

it('costs eighths of a photo over the weight, and at least one photo', () => {
  const costs = ([1, 2, 4, 8] as const).map((weight) => computeCost({ photos: 3, weight }));
  expect(costs).toEqual([24, 12, 6, 3]);
  expect(computeCost({ photos: 0, weight: 1 })).toBe(8);
});

it('charges the time beyond a second a photo', () => {
  const extra = [2, 3, 4, 137].map((seconds) => computeExtraCost({ photos: 3, weight: 4 }, seconds));
  expect(extra).toEqual([0, 0, 2, 268]);
});

it('lets an account wait longer whose work took longer', () => {
  const order = createFairOrder();
  order.markStarted(order.raiseTag('slow', 8));
  order.raiseTag('slow', 100);
  expect([order.raiseTag('slow', 8), order.raiseTag('honest', 8)]).toEqual([116, 16]);
});

it('is far from its base only beyond a million photos', () => {
  const startedTag = 8_000_000;
  expect([isBaseFarBehind({ startedTag, base: 0 }), isBaseFarBehind({ startedTag, base: -1 })]).toEqual([
    false,
    true,
  ]);
  expect(isBaseFarBehind({ startedTag, base: 1 })).toBe(false);
});

it('starts further work where the order is, and forgets only accounts that owe nothing', () => {
  const order = createFairOrder();
  expect([order.raiseTag('a', 8), order.raiseTag('a', 8), order.raiseTag('b', 8)]).toEqual([8, 16, 8]);
  order.markStarted(12);
  order.markStarted(3);
  order.prune();
  // What b had is done; a still owes what it has beyond 12.
  expect([order.raiseTag('a', 8), order.raiseTag('b', 8)]).toEqual([24, 20]);
});

it('of accounts that always have work, none gets more than its weight says but for one piece of work', () => {
  const weights = [1, 2, 4, 8] as const;
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ account: fc.nat(3), photos: fc.integer({ min: 1, max: 50 }) }) },
    { weight: 2, arbitrary: fc.constant('begin' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const order = createFairOrder();
      const waiting = weights.map((): { tag: number; cost: number }[] => []);
      // Of each pair: what each got since both have had work.
      const got = new Map<string, [number, number]>();
      const most = weights.map(() => 0);
      for (const one of steps) {
        if (one === 'begin') {
          const [next] = waiting
            .flatMap(([head], account) => (head ? [{ ...head, account }] : []))
            .sort((a, b) => a.tag - b.tag);
          if (!next) continue;
          waiting[next.account]?.shift();
          order.markStarted(next.tag);
          for (const [pair, sums] of got) {
            const side = pair.split('-').map(Number).indexOf(next.account);
            if (side >= 0) sums[side] = (sums[side] as number) + next.cost;
          }
        } else {
          const weight = weights[one.account] as JobSize['weight'];
          const cost = computeCost({ photos: one.photos, weight });
          most[one.account] = Math.max(most[one.account] as number, cost);
          waiting[one.account]?.push({ tag: order.raiseTag(String(one.account), cost), cost });
        }
        for (let a = 0; a < weights.length; a++) {
          for (let b = a + 1; b < weights.length; b++) {
            const both = waiting[a]?.length !== 0 && waiting[b]?.length !== 0;
            const sums = got.get(`${a}-${b}`);
            if (!both) got.delete(`${a}-${b}`);
            else if (!sums) got.set(`${a}-${b}`, [0, 0]);
            else expect(Math.abs(sums[0] - sums[1])).toBeLessThanOrEqual((most[a] ?? 0) + (most[b] ?? 0));
          }
        }
      }
    }),
  );
});
