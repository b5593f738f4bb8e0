import { sumCounted } from '../lines/line-totals.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import { priceOptions } from '../option/recommend.ts';
import type { PricingContext } from '../pricing-context.ts';
import { listJob } from './job.ts';

/**
 * Chooses each panel's repair by its marginal cost in the job, where the costs that panels share (overlap, clear coat,
 * blends, visits, fees) count once. Each panel decides once, given the others' recommended repairs; combinations are
 * not searched. Two equally damaged panels may each be cheaper to paint only if the other is painted, and to push out only
 * if the other is not, so the choice is repeated given that the others are painted and that none is, and the cheapest of
 * all jobs is taken. Only adequate options qualify, an adjuster's choice is kept, and at equal cost a panel keeps its own.
 * So an option that becomes more expensive or inadequate, or further damage, never lowers the cost of the job.
 */
export function chooseInJob(panels: readonly PanelRepair[], ctx: PricingContext): readonly PanelRepair[] {
  const variants = panels.map((panel) => [panel, ...listOtherVariants(panel)]);
  const isShared = panels.length > 1 || (ctx.region.fees ?? []).length > 0 || ctx.associated === 'all';
  if (!isShared || variants.every(({ length }) => length === 1)) return panels;
  const price = createJobPricing(ctx);
  const chooseNextTo = (others: readonly PanelRepair[]) =>
    variants.map((own, i) => findLeast(own, (variant) => price(others.with(i, variant))));
  const painted = variants.map((own) => findLeast(own, ({ option }) => -option.refinishTenths));
  const unpainted = variants.map((own) => findLeast(own, ({ option }) => option.refinishTenths));
  const chosen = findLeast([panels, ...[panels, painted, unpainted].map(chooseNextTo)], price);
  return chosen.map((variant, i) => (variant === panels[i] ? variant : explainChoice(variant, ctx)));
}

/** Lists the variants of the panel with each other adequate option; none if an adjuster chose the option. */
const listOtherVariants = (panel: PanelRepair): readonly PanelRepair[] =>
  panel.options.options
    .filter((option) => option !== panel.option && !panel.isOverridden)
    .filter(({ plan }) => plan.inadequate === undefined && plan.role !== 'alternative_part')
    .map((option) => ({ ...panel, option }));

/** Creates a function that prices panels as one job, each once, with expected operations only where they count in full. */
function createJobPricing(ctx: PricingContext) {
  const counted = ctx.associated === 'all' ? ctx : ({ ...ctx, associated: 'off' } as const);
  const prices = new Map<string, number>();
  return (panels: readonly PanelRepair[]): number => {
    const key = panels.map(({ option }) => option.plan.option).join();
    const price = prices.get(key) ?? sumCounted(listJob(panels, counted).lines, ctx);
    prices.set(key, price);
    return price;
  };
}

/** Returns the item with the lowest value, the first one on a tie. */
function findLeast<T>(all: readonly T[], read: (one: T) => number): T {
  const values = all.map(read);
  return all[values.indexOf(Math.min(...values))] as T;
}

/** Makes the chosen option the panel's recommendation, with reasons against options that cost less on their own. */
function explainChoice({ damages, target, option, ...panel }: PanelRepair, ctx: PricingContext): PanelRepair {
  const prefer = { option: option.plan.option, reason: 'dearer_in_the_job' } as const;
  const options = priceOptions(damages, target, ctx, prefer);
  return { ...panel, damages, target, options, option: options.recommended };
}
