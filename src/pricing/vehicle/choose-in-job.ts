import { type ExpectedWeight, sumFirstBill } from '../lines/line-totals.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import { priceOptions } from '../option/recommend.ts';
import type { PricingContext } from '../pricing-context.ts';
import { listJob } from './job.ts';

type Panels = readonly PanelRepair[];

/**
 * Chooses each panel's repair by its marginal cost in the first bill of the job, where the costs that panels share
 * (overlap, clear coat, blends, visits, fees) count once, and the operations expected with a repair by their share.
 * Each panel decides once, given the others' recommended repairs; combinations are not searched. Two equally damaged
 * panels may each be cheaper to paint only if the other is painted, and to push out only if the other is not, so the
 * choice is repeated given that the others are painted and that none is, and the cheapest of all jobs is taken. Only
 * adequate options qualify, an adjuster's choice is kept, and of jobs that are equal a panel keeps its own. So an option
 * that becomes more expensive or inadequate, or further damage, never lowers the cost of the job.
 */
export function chooseInJob(panels: Panels, weight: ExpectedWeight, ctx: PricingContext): Panels {
  const variants = panels.map((panel) => [panel, ...listOtherVariants(panel)]);
  if (variants.every(({ length }) => length === 1)) return panels;
  const addsExpected = ctx.associated === 'likely' && weight.vehicle > 0;
  const prices = new Map<string, number>();
  const price = (job: Panels, associated: PricingContext['associated']) => {
    const key = [associated, ...job.map(({ option }) => option.plan.option)].join();
    const minor = prices.get(key) ?? sumFirstBill(listJob(job, { ...ctx, associated }).lines, weight, ctx);
    prices.set(key, minor);
    return minor;
  };
  const chooseJob = <T>(all: readonly T[], toJob: (one: T) => Panels): T => {
    const priced = all.map((one) => ({
      one,
      minor: price(toJob(one), addsExpected ? 'off' : ctx.associated),
    }));
    if (!addsExpected) return findLeast(priced, ({ minor }) => minor).one;
    // Expected operations never lower a bill, so a job whose lines alone cost more needs none.
    let least = Number.POSITIVE_INFINITY;
    const billed = priced
      .toSorted((a, b) => a.minor - b.minor)
      .map(({ one, minor }) => {
        const bill = minor < least ? price(toJob(one), ctx.associated) : minor;
        least = Math.min(least, bill);
        return { one, bill };
      });
    return findLeast(billed, ({ bill }) => bill).one;
  };
  const chooseNextTo = (others: Panels) =>
    variants.map((own, i) => chooseJob(own, (variant) => others.with(i, variant)));
  const painted = variants.map((own) => findLeast(own, ({ option }) => -option.refinishTenths));
  const unpainted = variants.map((own) => findLeast(own, ({ option }) => option.refinishTenths));
  const jobs = [panels, ...[panels, painted, unpainted].map(chooseNextTo)];
  const chosen = chooseJob(jobs, (job) => job);
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
