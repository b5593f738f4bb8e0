import { roundHalfAway } from '../../domain/money.ts';
import { makeSpread, type PricingContext, type Spread } from '../pricing-context.ts';
import type { VehicleEstimate } from './vehicle.ts';

/** The first bill plus the usual supplement after teardown. */
export interface AfterTeardown {
  readonly total: Spread;
  /** Supplement as a share of the first bill. */
  readonly share: number;
  readonly source: string;
}

/**
 * Adds the usual supplement after teardown to the first bill, using a published share. Undefined if the repair involves
 * no teardown, as for glass, PDR or scratches.
 */
export function estimateAfterTeardown(
  { involvesTeardown, firstBill }: Pick<VehicleEstimate, 'involvesTeardown' | 'firstBill'>,
  ctx: PricingContext,
): AfterTeardown | undefined {
  if (!involvesTeardown) return undefined;
  const { share, source } = ctx.tables.spreads.teardown;
  return { total: makeSpread((end) => roundHalfAway(firstBill[end] * (1 + share))), share, source };
}
