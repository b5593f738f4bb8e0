import type { SeverityClaim } from '../../domain/judge/severity-floor.ts';
import type { LineEdits } from '../lines/edit-lines.ts';
import { type EstimateLine, priceExpected } from '../lines/line.ts';
import { listRepairLines, type RepairLine } from '../lines/repair-lines.ts';
import type { PricingContext, Spread } from '../pricing-context.ts';
import { estimateAfterTeardown } from './notes.ts';
import { decideDamage } from './override.ts';
import { estimateVehicle } from './vehicle.ts';

/** The damages of an inspection as one repair, minor units of the response currency. */
export interface InspectionPrice {
  /** What a shop's first bill for the vehicle comes to. */
  readonly firstBill: Spread;
  /** What the damages seen cost as one job: panels once, refinish shared. */
  readonly asSeen: Spread;
  /** The first bill with what teardown usually adds; undefined where nothing is taken apart. */
  readonly afterTeardown: Spread | undefined;
  /** `firstBill.est` as one row per part. */
  readonly repairLines: readonly RepairLine[];
  /** Operations that usually come with the repair, to be accepted or refused one by one. */
  readonly expected: readonly (EstimateLine & { readonly amountMinor: number })[];
}

/**
 * Prices the damages of an inspection as one repair, exactly as an assessment of the same damages does: same severity
 * floors, same class and paint (those of `ctx`). Ids must differ; `count` is of similar dents.
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
    repairLines: listRepairLines(estimate.lines, estimate.firstBill.est, ctx),
    expected: estimate.lines
      .filter(({ group }) => group === 'expected')
      .map((line) => ({ ...line, amountMinor: priceExpected(line, ctx) })),
  };
}
