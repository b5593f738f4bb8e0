/**
 * Finds the cheapest combination of one choice per slot by branch and bound; returns `start` if none is cheaper. `cost`
 * must never fall when a slot is filled. Slots are filled in ascending order of choices, and a partial combination is
 * abandoned once it costs as much as the best so far. The result is optimal unless the search stops after `mostPriced`
 * evaluations of `cost`.
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
