/**
 * Finds the cheapest combination of one choice per slot by branch and bound; returns `start` if none is cheaper. `cost`
 * must never fall when a slot is filled. Slots are filled in ascending order of choices, and a partial combination is
 * abandoned once it costs as much as the best so far. The result is optimal unless the search stops after `maxPriced`
 * evaluations of `cost`.
 */
export function findCheapestCombination<T>(
  slots: readonly (readonly T[])[],
  start: readonly T[],
  cost: (chosen: readonly T[]) => number,
  maxPriced: number,
): readonly T[] {
  const order = [...slots.entries()].sort(([, a], [, b]) => a.length - b.length);
  let [best, least, priced] = [start, cost(start), 0];
  const extend = (depth: number, partial: readonly (T | undefined)[]) => {
    const [slot = 0, choices = []] = order[depth] ?? [];
    for (const choice of choices) {
      if (priced >= maxPriced) return;
      priced++;
      const next = partial.with(slot, choice);
      const chosen = next.filter((one) => one !== undefined);
      const total = cost(chosen);
      if (total >= least) continue;
      if (chosen.length === slots.length) [best, least] = [chosen, total];
      else extend(depth + 1, next);
    }
  };
  extend(
    0,
    slots.map(() => undefined),
  );
  return best;
}
