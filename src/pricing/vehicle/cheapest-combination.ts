/** One of several choices at a place, and what it adds to the cost of any others at least. */
export interface Choice<T> {
  readonly of: T;
  readonly least: number;
}

/**
 * Returns the cheapest combination of one choice per place; `start` where none costs less. Places are decided one after
 * the other, those with fewest choices first, and what is begun is given up as soon as its cost and the least of all
 * places left reach the cheapest so far. So nothing that is cheaper is missed, unless `mostPriced` costs have been asked
 * for: then it is the cheapest so far.
 */
export function findCheapestCombination<T>(
  places: readonly (readonly Choice<T>[])[],
  start: readonly T[],
  cost: (chosen: readonly T[]) => number,
  mostPriced: number,
): readonly T[] {
  const order = [...places.entries()].sort(([, a], [, b]) => a.length - b.length);
  const leastAfter = order.map((_, depth) =>
    order
      .slice(depth + 1)
      .reduce((sum, [, choices]) => sum + Math.min(...choices.map((choice) => choice.least)), 0),
  );
  let [best, least, priced] = [start, cost(start), 0];
  const extend = (depth: number, begun: readonly (T | undefined)[]) => {
    const [place = 0, choices = []] = order[depth] ?? [];
    for (const { of } of choices) {
      if (priced >= mostPriced) return;
      priced++;
      const next = begun.with(place, of);
      const chosen = next.filter((one) => one !== undefined);
      const total = cost(chosen);
      if (total + (leastAfter[depth] ?? 0) >= least) continue;
      if (chosen.length === places.length) [best, least] = [chosen, total];
      else extend(depth + 1, next);
    }
  };
  extend(
    0,
    places.map(() => undefined),
  );
  return best;
}
