import type { LineEdits } from '../lines/edit-lines.ts';
import { priceExpected } from '../lines/line.ts';
import { listRepairLines } from '../lines/repair-lines.ts';
import type { PricingContext } from '../pricing-context.ts';
import { estimateVehicle } from './estimate-vehicle.ts';
import { type ClaimedDamage, gradeClaimedDamage } from './override.ts';
import { estimateAfterTeardown } from './teardown.ts';

/**
 * Prices the damages of an inspection as one repair, identically to an assessment of the same damages: same severity
 * floors, and class and paint from `ctx`. Ids must be unique.
 */
export function priceInspectedDamages(
  damages: readonly ClaimedDamage[],
  ctx: PricingContext,
  edits?: LineEdits,
) {
  const items = damages.map((claim) => gradeClaimedDamage(claim, ctx));
  const estimate = estimateVehicle(items, ctx, edits);
  return {
    firstBill: estimate.firstBill,
    /** Cost of the visible damages as one job. */
    asSeen: estimate.total,
    afterTeardown: estimateAfterTeardown(estimate, ctx)?.total,
    /** The first bill by row, one per part. */
    repairLines: listRepairLines(estimate, ctx),
    /** Expected operations, to accept or reject individually, each at its full cost. */
    expected: estimate.lines
      .filter(({ group }) => group === 'expected')
      .map((line) => ({ ...line, costMinor: priceExpected(line, ctx) })),
  };
}
