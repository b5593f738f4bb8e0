import { toMinor } from '../../domain/money.ts';
import { sumBy } from '../../lib/lists.ts';
import { totalLines } from '../lines/line-totals.ts';
import { listVehicleLines } from '../lines/vehicle-lines.ts';
import { findBlendBase } from '../option/plans/parts.ts';
import type { PricedOption } from '../option/price.ts';
import { priceOptions } from '../option/recommend.ts';
import { countTenths } from '../option/refinish.ts';
import type { PricingContext } from '../pricing-context.ts';
import { listAssociatedOperations } from './associated.ts';
import { findCheapestCombination } from './cheapest-combination.ts';
import type { PanelRepair } from './panel-repair.ts';
import { joinRepairs } from './vehicle-price.ts';

/** Maximum number of combinations priced; with more, the cheapest found may not be the cheapest there is. */
const MAX_COMBINATIONS = 2000;
/** The choice is by the lines alone; what is expected with them follows. */
const NO_WEIGHT = { vehicle: 0, zones: [] };

/**
 * Chooses each panel's repair with the fees and with what the panels share counted before the choice: overlap, clear coat,
 * blends, set-up and visits. Only adequate options qualify, an adjuster's choice is kept, and at equal cost each panel
 * keeps its own. The job is then the cheapest there is, so a worse damage, which only makes options more expensive or inadequate,
 * never lowers it, nor does a further one.
 */
export function chooseTogether(panels: readonly PanelRepair[], ctx: PricingContext): readonly PanelRepair[] {
  const slots = panels.map((panel) => [panel, ...listAlternatives(panel, panels, ctx)]);
  if (slots.every(({ length }) => length === 1)) return panels;
  const cost = (chosen: readonly PanelRepair[]) => priceJob(chosen, ctx);
  return findCheapestCombination(slots, panels, cost, MAX_COMBINATIONS);
}

/** Prices the lines of these panels as one job, with expected operations only where they are in the total. */
function priceJob(panels: readonly PanelRepair[], ctx: PricingContext): number {
  const { work, refinish } = joinRepairs(panels, ctx);
  const repaired = panels.map((panel, i) => ({ ...panel, work: work[i] ?? [] }));
  const associated = ctx.associated === 'all' ? listAssociatedOperations(repaired, refinish, ctx) : [];
  const lines = listVehicleLines({ panels: repaired, refinish, associated }, ctx);
  return totalLines(lines, NO_WEIGHT, ctx).total.est;
}

/** Lists the panel's other options that may be the cheapest with other panels, each as chosen. */
function listAlternatives(
  { isPreferred, ...panel }: PanelRepair,
  panels: readonly PanelRepair[],
  ctx: PricingContext,
): readonly PanelRepair[] {
  const { target, damages, option: own, options } = panel;
  const { fees = [] } = ctx.region;
  const isExpectedCounted = ctx.associated === 'all';
  if (isPreferred || (panels.length + fees.length === 1 && !isExpectedCounted)) return [];
  const ownFees = sumBy(
    fees,
    ({ amount, share_of_parts: share = 0 }) =>
      toMinor(amount * (ctx.fx?.rate ?? 1), ctx.currency) + share * own.partsMinor,
  );
  const isBlended = panels.some(({ options: { options: all } }) =>
    all.some(({ plan }) => plan.blends.includes(target.name)),
  );
  return options.options
    .filter(
      (option) =>
        option !== own &&
        option.plan.inadequate === undefined &&
        option.plan.role !== 'alternative_part' &&
        (isExpectedCounted ||
          option.total.est - computeShareable(option, isBlended, ctx) < own.total.est + ownFees),
    )
    .map(({ plan }) => {
      const chosen = priceOptions(damages, target, ctx, { option: plan.option, reason: 'dearer_in_the_job' });
      return { ...panel, options: chosen, option: chosen.recommended, isPreferred };
    });
}

/** Computes the most that other panels of a job can take off an option, in minor units. */
function computeShareable({ lines, plan }: PricedOption, isBlended: boolean, ctx: PricingContext): number {
  const { refinish: table } = ctx.tables;
  const isPainted = plan.refinish.length > 0;
  const paintTenths = sumBy(lines, ({ operation, hoursTenths }) => {
    if (operation === 'Refn')
      return (1 + table.clear_first) * Math.min(hoursTenths, countTenths(table.overlap_adjacent_hours));
    return ['Clear', '3-stg', 'Blnd'].includes(operation) ? hoursTenths : 0;
  });
  const ownBlend = isPainted && isBlended ? findBlendBase(plan.refinish[0]?.part ?? '', ctx) : 0;
  const structuralTenths = sumBy(lines, ({ operation, hoursTenths }) =>
    operation === 'Setup' || operation === 'Pull' ? hoursTenths : 0,
  );
  const visits = sumBy(lines, ({ fixed }) => (fixed === undefined ? 0 : fixed.minor - fixed.listMinor));
  const paintRate = ctx.rates.refinish.est + ctx.materials.est;
  return (
    visits +
    ((paintTenths + ownBlend) * paintRate + structuralTenths * ctx.rates.structural.est) / 10 +
    // Rounding of departments.
    10
  );
}
