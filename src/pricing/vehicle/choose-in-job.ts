import { type ExpectedWeight, sumFirstBill } from '../lines/line-totals.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import { priceOptions } from '../option/recommend.ts';
import type { PricingContext } from '../pricing-context.ts';
import { listJob } from './job.ts';

type Panels = readonly PanelRepair[];

/**
 * Chooses each panel's repair by its marginal cost in the first bill of the job, where the costs that panels share
 * (overlap, clear coat, blends, visits, fees) count once, and the operations expected with a repair by their share. The
 * panels decide in turn, each given the others' choices, until none changes; combinations are not searched. Two equally
 * damaged panels may each be cheaper to paint only if the other is painted, and to push out only if the other is not, so
 * this starts from the recommended repairs, from all painted and from none painted, and the cheapest of the three jobs is
 * taken. Only adequate options qualify, an adjuster's choice is kept, and at equal cost a panel keeps its own. So an
 * option that becomes more expensive or inadequate, or further damage, does not lower the first bill.
 */
export function chooseInJob(panels: Panels, weight: ExpectedWeight, ctx: PricingContext): Panels {
  const variants = panels.map((panel) => [panel, ...listOtherVariants(panel)]);
  if (variants.every(({ length }) => length === 1)) return panels;
  const prices = new Map<string, number>();
  const price = (job: Panels) => {
    const key = job.map(({ option }) => option.plan.option).join();
    const minor = prices.get(key) ?? sumFirstBill(listJob(job, ctx).lines, weight, ctx);
    prices.set(key, minor);
    return minor;
  };
  const decide = (job: Panels, own: Panels, i: number) => {
    const jobs = own.map((variant) => job.with(i, variant));
    return findLeast(jobs, price);
  };
  const settle = (start: Panels): Panels => {
    const next = variants.reduce(decide, start);
    return price(next) < price(start) ? settle(next) : next;
  };
  const painted = variants.map((own) => findLeast(own, ({ option }) => -option.refinishTenths));
  const unpainted = variants.map((own) => findLeast(own, ({ option }) => option.refinishTenths));
  const chosen = findLeast([panels, painted, unpainted].map(settle), price);
  return chosen.map((variant, i) => (variant === panels[i] ? variant : explainChoice(variant, ctx)));
}

/** Lists the variants of the panel with each other adequate option; none if an adjuster chose the option. */
const listOtherVariants = (panel: PanelRepair): Panels =>
  panel.options.options
    .filter((option) => option !== panel.option && !panel.isOverridden)
    .filter(({ plan }) => plan.inadequate === undefined && plan.role !== 'alternative_part')
    .map((option) => ({ ...panel, option }));

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
