import { sumBy } from '../../lib/lists.ts';
import words from '../data/repair-words.json' with { type: 'json' };
import { editLines, type LineEdits } from '../lines/edit-lines.ts';
import type { EstimateLine } from '../lines/line.ts';
import { type LineTotals, totalLines } from '../lines/line-totals.ts';
import type { PricedOption } from '../option/price.ts';
import { makeSpread, type PricingContext } from '../pricing-context.ts';
import { chooseInJob } from './choose-in-job.ts';
import { decidePanels } from './decide-panels.ts';
import { weighExpected } from './expected-weight.ts';
import { listJob, relistUnpainted } from './job.ts';
import type { GradedDamage } from './override.ts';
import { requiresTeardown } from './teardown.ts';

/** Estimate of the whole vehicle with a user's line edits applied, in minor units. */
export type VehicleEstimate = ReturnType<typeof estimateVehicle>;

const sumOptions = (options: readonly PricedOption[]): Sum => ({
  total: makeSpread((end) => sumBy(options, ({ total }) => total[end])),
  hoursTenths: sumBy(options, (option) => option.hoursTenths),
});

/**
 * Estimates the repair of the whole vehicle: each target once, refinish and structural work each as one procedure.
 * `adjustments` holds the difference from the sum of individual repairs, so both totals are exact to the minor unit.
 * Item order does not matter.
 */
export function estimateVehicle(items: readonly GradedDamage[], ctx: PricingContext, edits?: LineEdits) {
  const weight = weighExpected(items, ctx);
  const job = listJob(chooseInJob(decidePanels(items, ctx), ctx), ctx);
  const { panels } = job;
  const sumLines = (lines: readonly EstimateLine[]) => totalLines(lines, weight, ctx);
  const unedited = sumLines(job.lines);
  const totals =
    edits === undefined
      ? unedited
      : sumLines(editLines(relistUnpainted(job, edits.changed, ctx), edits, ctx));
  const single = sumOptions(panels.flatMap(({ damageIds, option }) => damageIds.map(() => option)));
  const perPanel = sumOptions(panels.map((panel) => panel.option));
  // Without hours or fees of its own, a job of one panel differs from its repair only by rounding.
  const isRounding =
    panels.length === 1 &&
    unedited.hoursTenths === perPanel.hoursTenths &&
    Math.abs(unedited.total.est - perPanel.total.est) <= unedited.lines.length;
  return {
    ...totals,
    panels,
    /** Sum of the individual repairs. */
    recommended: single.total,
    /** Differences between the vehicle's repair and the sum of single repairs; negative for a saving. */
    adjustments: [
      subtract('one_repair_per_panel', perPanel, single),
      subtract(isRounding ? 'rounding' : 'one_repair_per_vehicle', unedited, perPanel),
      subtract('line_edits', totals, unedited),
    ].filter(
      ({ hoursTenths, amount }) => hoursTenths !== 0 || Object.values(amount).some((minor) => minor !== 0),
    ),
    /** True if the repair of any damage involves teardown. */
    involvesTeardown: panels.some(requiresTeardown),
  };
}

type Sum = Pick<LineTotals, 'total' | 'hoursTenths'>;

const subtract = (code: keyof typeof words.adjustments, to: Sum, from: Sum) => ({
  code,
  description: words.adjustments[code],
  hoursTenths: to.hoursTenths - from.hoursTenths,
  amount: makeSpread((end) => to.total[end] - from.total[end]),
});
