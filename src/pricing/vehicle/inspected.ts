import type { SeverityClaim } from '../../domain/judge/severity-floor.ts';
import type { LineEdits } from '../lines/edit-lines.ts';
import { type EstimateLine, priceExpected } from '../lines/line.ts';
import { listRepairLines, type RepairLine } from '../lines/repair-lines.ts';
import type { PricingContext, Spread } from '../pricing-context.ts';
import { decideDamage } from './override.ts';
import { estimateAfterTeardown } from './teardown.ts';
import { estimateVehicle } from './vehicle.ts';

/** The damages of an inspection priced as one repair, in minor units of the response currency. */
export interface InspectionPrice {
  /** Expected first bill of a shop for the vehicle. */
  readonly firstBill: Spread;
  /** Cost of the visible damages as one job: each panel once, refinish shared. */
  readonly asSeen: Spread;
  /** The first bill plus the usual supplement after teardown; undefined if the repair involves no teardown. */
  readonly afterTeardown: Spread | undefined;
  /** `firstBill.est` by row, one per part. */
  readonly repairLines: readonly RepairLine[];
  /** Expected operations, to accept or reject individually. */
  readonly expected: readonly (EstimateLine & { readonly amountMinor: number })[];
}

/**
 * Prices the damages of an inspection as one repair, identically to an assessment of the same damages: same severity
 * floors, and class and paint from `ctx`. Ids must be unique; `count` is the number of similar dents.
 */
export function priceInspectedDamages(
  damages: readonly (SeverityClaim & { readonly id: string; readonly count?: number | undefined })[],
  ctx: PricingContext,
  edits?: LineEdits,
): InspectionPrice {
  const items = damages.map((claim) => decideDamage(claim, undefined, ctx));
  const estimate = estimateVehicle(items, ctx, edits);
  return {
    firstBill: estimate.firstBill,
    asSeen: estimate.total,
    afterTeardown: estimateAfterTeardown(estimate, ctx)?.total,
    repairLines: listRepairLines(estimate, ctx),
    expected: estimate.lines
      .filter(({ group }) => group === 'expected')
      .map((line) => ({ ...line, amountMinor: priceExpected(line, ctx) })),
  };
}
