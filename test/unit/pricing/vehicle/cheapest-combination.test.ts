import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCheapestCombination } from '../../../../src/pricing/vehicle/cheapest-combination.ts';

/** A choice costs its own amount, and an amount of its kind once however often the kind is chosen. */
interface Priced {
  readonly own: number;
  readonly kind: number;
}
const SHARED = [0, 5, 9, 14];
const cost = (chosen: readonly Priced[]) =>
  chosen.reduce((sum, { own }) => sum + own, 0) +
  [...new Set(chosen.map(({ kind }) => kind))].reduce((sum, kind) => sum + (SHARED[kind] ?? 0), 0);
const choice: fc.Arbitrary<Priced> = fc.record({ own: fc.integer({ min: 0, max: 20 }), kind: fc.nat(3) });
const places = fc.array(fc.array(choice, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });
const firstOf = (all: readonly (readonly Priced[])[]) =>
  all.flatMap(([first]) => (first === undefined ? [] : [first]));
const every = (all: readonly (readonly Priced[])[]): Priced[][] =>
  all.reduce<Priced[][]>(
    (begun, choices) => begun.flatMap((one) => choices.map((choice) => [...one, choice])),
    [[]],
  );

describe('cheapest combination', { timeout: 60_000 }, () => {
  it('nothing costs less, each place keeps its own choice of it', () => {
    fc.assert(
      fc.property(places, (all) => {
        const best = findCheapestCombination(all, firstOf(all), cost, 10_000);
        expect(cost(best)).toBe(Math.min(...every(all).map(cost)));
        expect(all.map((choices, i) => choices.some((choice) => choice === best[i]))).not.toContain(false);
      }),
      { numRuns: 100 },
    );
  });

  it('the start stays where another costs the same', () => {
    const same = [[1, 1].map((own) => ({ own, kind: 0 }))];
    const [, second] = same[0] ?? [];
    const start = second === undefined ? [] : [second];
    expect(findCheapestCombination(same, start, cost, 10)[0]).toBe(start[0]);
  });

  it('asks for no more costs than allowed, and returns nothing worse than the start', () => {
    fc.assert(
      fc.property(places, fc.nat(12), (all, most) => {
        let asked = -1; // The start is priced first.
        const start = firstOf(all);
        const best = findCheapestCombination(
          all,
          start,
          (chosen) => {
            asked++;
            return cost(chosen);
          },
          most,
        );
        expect(asked).toBeLessThanOrEqual(most);
        expect(best).toHaveLength(all.length);
        expect(cost(best)).toBeLessThanOrEqual(cost(start));
      }),
      { numRuns: 100 },
    );
  });
});
