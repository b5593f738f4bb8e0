/**
 * Returns the cheapest combination of one choice per place; `start` where none costs less. `cost` never falls when a place
 * is added. Places are decided one after the other, those with fewest choices first, and what is begun is given up as soon
 * as it costs as much as the cheapest so far. So nothing that is cheaper is missed, unless `mostPriced` costs have been
 * asked for: then it is the cheapest so far.
 */
export function findCheapestCombination<T>(
  places: readonly (readonly T[])[],
  start: readonly T[],
  cost: (chosen: readonly T[]) => number,
  mostPriced: number,
): readonly T[] {
  const order = [...places.entries()].sort(([, a], [, b]) => a.length - b.length);
  let [best, least, priced] = [start, cost(start), 0];
  const extend = (depth: number, begun: readonly (T | undefined)[]) => {
    const [place = 0, choices = []] = order[depth] ?? [];
    for (const choice of choices) {
      if (priced >= mostPriced) return;
      priced++;
      const next = begun.with(place, choice);
      const chosen = next.filter((one) => one !== undefined);
      const total = cost(chosen);
      if (total >= least) continue;
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
