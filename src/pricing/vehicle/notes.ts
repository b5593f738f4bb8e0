import { roundHalfAway } from '../../domain/money.ts';
import type { EstimateLine } from '../lines/line.ts';
import { convertTablePrice, makeSpread, type PricingContext, type Spread } from '../pricing-context.ts';
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

export interface AdasNote {
  readonly part: string;
  readonly sensor: string;
  readonly note: string;
  readonly amountMinor: readonly [number, number];
  /** Estimate line that covers the calibration; undefined if there is none and the amount is in no total. */
  readonly line: EstimateLine | undefined;
  readonly source: string;
}

const isCalibration = (line: EstimateLine) => line.operation === 'Subl' && line.part.endsWith('_calibration');

/** Lists calibrations that may be required because a part with sensors is replaced, removed or painted. */
export function listAdasNotes(estimate: VehicleEstimate, ctx: PricingContext): AdasNote[] {
  const triggering: readonly string[] = ['R&R', 'R&I', 'Refn', 'Sect'];
  const { parts = 1, calibration = 1 } = ctx.region.price_level ?? {};
  const calibrations = estimate.lines.filter((line) => isCalibration(line) && line.countedIn !== 'removed');
  return estimate.panels.flatMap(({ target, option }) => {
    const row = ctx.tables.value.adas.find((one) => one.parts.includes(target.name));
    if (row === undefined || !option.lines.some((line) => triggering.includes(line.operation))) return [];
    const [low = 0, high = 0] = row.amount;
    return [
      {
        part: target.component === undefined ? target.name : `${target.part} (${target.name})`,
        sensor: row.sensor,
        note: row.note,
        // The upper amount may include a new sensor, which is priced as a part.
        amountMinor: [
          convertTablePrice(low * calibration, ctx),
          convertTablePrice(high * Math.max(calibration, parts), ctx),
        ] as const,
        line: calibrations.find((line) => line.requiredBy === target.name),
        source: row.source,
      },
    ];
  });
}
