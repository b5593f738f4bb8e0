import type { Severity } from '../../domain/damage.ts';
import { type Currency, roundHalfUp, toMajor, toMinor } from '../../domain/money.ts';
import { exchangeRate, type PricingContext, tablePriceMinor } from '../context.ts';
import type { PricedOption } from '../option/price.ts';
import type { Target } from '../option/target.ts';
import type { VehicleEstimate } from './vehicle.ts';

const KM_PER_MILE = 1.609344;
const round2 = (value: number) => roundHalfUp(value * 100) / 100;

/** The mileage modifier of the 17c ladder; 1 where the mileage is unknown. */
export function mileageModifier(mileageKm: number | undefined, ctx: PricingContext): number {
  if (mileageKm === undefined) return 1;
  const miles = mileageKm / KM_PER_MILE;
  const step = ctx.tables.value.mileage_modifier.find(
    (row) => row.below_miles === null || miles < row.below_miles,
  );
  return step?.factor ?? 0;
}

/** Repairs that leave original paint and metal: no loss of value. */
export function restoresFully(option: PricedOption): boolean {
  const { repairType } = option.plan;
  const touched = option.refinishTenths > 0 || option.lines.some((line) => line.operation === 'Tch');
  return (repairType === 'pdr' || repairType === 'cosmetic') && !touched;
}

/**
 * Loss of value of one damage, percent of the market value: 10 % x damage modifier x mileage modifier. The modifier
 * speaks of panels and structure: glass, lamps and mechanical parts made good leave none.
 */
export function valueReduction(
  severity: Severity,
  target: Target,
  option: PricedOption,
  mileageKm: number | undefined,
  ctx: PricingContext,
): number {
  const { kind } = target.facts;
  if (
    restoresFully(option) ||
    (kind !== 'painted' && kind !== 'module' && option.plan.repairType !== 'structural')
  )
    return 0;
  const { value_reduction } = ctx.tables.value;
  return round2(
    value_reduction.base_percentage * value_reduction[severity] * mileageModifier(mileageKm, ctx),
  );
}

/** Loss of value of the vehicle: the largest and a quarter of the rest, capped; never a plain sum. Percent. */
export function totalValueReduction(
  single: readonly number[],
  ctx: PricingContext,
): { percent: number; formula: string } {
  const { rest_share, cap_percentage } = ctx.tables.value.value_reduction;
  const [largest = 0, ...rest] = [...single].sort((a, b) => b - a);
  const others = rest.reduce((sum, one) => sum + one, 0);
  const percent = round2(Math.min(cap_percentage, largest + rest_share * others));
  return {
    percent,
    formula: `min(${cap_percentage} %, ${largest} % + ${rest_share} x ${round2(others)} %) = ${percent} % (17c)`,
  };
}

export interface MarketValue {
  readonly minor: number;
  readonly basis: 'request' | 'regional_default';
}

/** The vehicle's value in the response currency: as given, or the region's default for its class. */
export function marketValue(
  given: { amount: number; currency: Currency } | undefined,
  ctx: PricingContext,
): MarketValue {
  if (given !== undefined) {
    const rate = exchangeRate(ctx.tables, given.currency, ctx.currency);
    return { minor: toMinor(given.amount * rate, ctx.currency), basis: 'request' };
  }
  const factor =
    ctx.tables.value.class_value_factor.find((row) => row.class === ctx.vehicleClass)?.factor ?? 1;
  const amount = ctx.region.default_market_value * factor * (ctx.fx?.rate ?? 1);
  return { minor: toMinor(amount, ctx.currency), basis: 'regional_default' };
}

export interface TotalLoss {
  readonly isTotalLoss: boolean;
  readonly nearThreshold: boolean;
  readonly ratio: number;
  readonly salvageMinor: number;
  readonly formula: string;
}

/** Repair, plus salvage where the region's rule says so, against a share of the value. */
export function totalLoss(repairMinor: number, valueMinor: number, ctx: PricingContext): TotalLoss {
  const { total_loss } = ctx.region;
  const { salvage, near_threshold } = ctx.tables.value;
  const salvageMinor = roundHalfUp(valueMinor * salvage.share_of_value);
  const withSalvage = total_loss.rule === 'total_loss_formula';
  const cost = repairMinor + (withSalvage ? salvageMinor : 0);
  const ratio = valueMinor === 0 ? Number.POSITIVE_INFINITY : cost / valueMinor;
  const isTotalLoss = ratio >= total_loss.threshold;
  const text = (minor: number) => `${toMajor(minor, ctx.currency)} ${ctx.currency}`;
  const percent = (share: number) => `${round2(share * 100)} %`;
  return {
    isTotalLoss,
    nearThreshold: !isTotalLoss && ratio >= total_loss.threshold * near_threshold.share,
    ratio,
    salvageMinor,
    formula: `${withSalvage ? `(repair ${text(repairMinor)} + salvage ${text(salvageMinor)})` : `repair ${text(repairMinor)}`} / value ${text(valueMinor)} = ${percent(ratio)} ${isTotalLoss ? '>=' : '<'} ${percent(total_loss.threshold)}`,
  };
}

export interface SupplementRisk {
  readonly level: 'low' | 'medium' | 'high';
  readonly probability: readonly [number, number];
  readonly amountMinor: readonly [number, number];
  readonly formula: string;
  readonly source: string;
}

/** How likely hidden damage raises the cost, by the gravest damage; near the total-loss threshold always high. */
export function supplementRisk(
  gravest: Severity,
  nearThreshold: boolean,
  ctx: PricingContext,
): SupplementRisk {
  const rows = ctx.tables.value.supplement;
  const row = nearThreshold
    ? rows.find((one) => one.level === 'high')
    : rows.find((one) => one.severity.includes(gravest));
  if (row === undefined) throw new Error(`no supplement row for ${gravest}`);
  const [likelyLow = 0, likelyHigh = 0] = row.probability;
  const [low = 0, high = 0] = row.amount;
  return {
    level: row.level,
    probability: [likelyLow, likelyHigh],
    amountMinor: [tablePriceMinor(low, ctx), tablePriceMinor(high, ctx)],
    formula: nearThreshold
      ? 'near the total-loss threshold: high'
      : `gravest damage ${gravest}: ${row.level}`,
    source: row.source,
  };
}

export interface AdasNote {
  readonly part: string;
  readonly sensor: string;
  readonly note: string;
  readonly amountMinor: readonly [number, number];
  readonly source: string;
}

/** Calibrations that may be due where a part with sensors is replaced, or taken off or painted. In no total. */
export function adasNotes(estimate: VehicleEstimate, ctx: PricingContext): AdasNote[] {
  const moved: readonly string[] = ['R&R', 'R&I', 'Refn', 'Sect'];
  return estimate.panels.flatMap(({ target, option }) => {
    const row = ctx.tables.value.adas.find((one) => one.parts.includes(target.name));
    if (row === undefined || !option.lines.some((line) => moved.includes(line.operation))) return [];
    const [low = 0, high = 0] = row.amount;
    return [
      {
        part: target.component === undefined ? target.name : `${target.part} (${target.name})`,
        sensor: row.sensor,
        note: row.note,
        amountMinor: [tablePriceMinor(low, ctx), tablePriceMinor(high, ctx)] as const,
        source: row.source,
      },
    ];
  });
}
