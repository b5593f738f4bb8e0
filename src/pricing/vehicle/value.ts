import { type Currency, roundHalfAway, toMajor, toMinor } from '../../domain/money.ts';
import { roundTo, toPercent } from '../../lib/numbers.ts';
import { findExchangeRate } from '../currencies.ts';
import type { PricingContext } from '../pricing-context.ts';

/** Facts of the vehicle other than its class. */
export interface ValuationFacts {
  readonly marketValue?: { readonly amount: number; readonly currency: Currency } | undefined;
  readonly year?: number | undefined;
  readonly mileageKm?: number | undefined;
  /** Year of the estimate. */
  readonly asOfYear: number;
}

type MarketValue = ReturnType<typeof findMarketValue>;

/**
 * Returns the vehicle's market value in the response currency: as given, or the region's default for class, age and
 * mileage; at least one minor unit, because costs are divided by it.
 */
export function findMarketValue(facts: ValuationFacts, ctx: PricingContext) {
  const statedValue = facts.marketValue;
  if (statedValue !== undefined) {
    const rate = findExchangeRate(ctx.tables, statedValue.currency, ctx.currency);
    const minor = Math.max(1, toMinor(statedValue.amount * rate, ctx.currency));
    return { minor, basis: 'request', formula: 'as given' } as const;
  }
  const { class_value_factor } = ctx.tables.value;
  const classFactor = class_value_factor.find((row) => row.class === ctx.vehicleClass)?.factor ?? 1;
  const { age, mileage } = computeWear(facts, ctx);
  const base = ctx.region.default_market_value * (ctx.fx?.rate ?? 1);
  const baseText = `${toMajor(toMinor(base, ctx.currency), ctx.currency)} ${ctx.currency}`;
  return {
    minor: Math.max(1, toMinor(base * classFactor * age * mileage, ctx.currency)),
    basis: 'regional_default',
    formula: `regional default ${baseText} x class ${classFactor} x age ${roundTo(age, 2)} x mileage ${roundTo(mileage, 2)}`,
  } as const;
}

/** Computes the factors of age and mileage on the value of the region's default car; 1 if unknown. */
function computeWear({ year, mileageKm, asOfYear }: ValuationFacts, ctx: PricingContext) {
  const table = ctx.tables.value.age;
  const years =
    year === undefined ? table.reference_years : Math.min(table.oldest_years, Math.max(0, asOfYear - year));
  const age = table.value_kept_per_year ** (years - table.reference_years);
  if (mileageKm === undefined) return { age, mileage: 1 };
  const usualKm = Math.max(1, years) * (ctx.region.usual_km_per_year?.km ?? table.reference_km_per_year);
  const share = ((usualKm - mileageKm) / 10_000) * table.share_per_10000_km;
  return {
    age,
    mileage: 1 + Math.min(table.most_mileage_share, Math.max(-table.most_mileage_share, share)),
  };
}

/** Compares the taxed repair cost, plus salvage under the total loss formula, with the region's threshold. */
export function judgeTotalLoss(repairMinor: number, value: MarketValue, ctx: PricingContext) {
  const { rule, threshold, near_from, is_exclusive: isExclusive = false } = ctx.region.total_loss;
  const { salvage, near_threshold } = ctx.tables.value;
  const salvageMinor = roundHalfAway(value.minor * salvage.share_of_value);
  const addsSalvage = rule === 'total_loss_formula';
  const cost = repairMinor + (addsSalvage ? salvageMinor : 0);
  const ratio = cost / value.minor;
  const isReached = isExclusive ? ratio > threshold : ratio >= threshold;
  const isNear = !isReached && ratio >= (near_from ?? threshold * near_threshold.share);
  const thresholdPercent = toPercent(threshold);
  // A ratio on one side of the threshold is not rounded to the other, where it would contradict the verdict.
  const limit = thresholdPercent + (isExclusive ? 0.01 : 0);
  const ratioPercent = isReached
    ? Math.max(toPercent(ratio), limit)
    : Math.min(toPercent(ratio), roundTo(limit - 0.01, 2));
  const sign = isExclusive ? (isReached ? '>' : '<=') : isReached ? '>=' : '<';
  const text = (minor: number) => `${toMajor(minor, ctx.currency)} ${ctx.currency}`;
  const repair = `repair with tax ${text(repairMinor)}`;
  const decided = isReached ? 'total_loss' : isNear ? 'near_threshold' : 'no_total_loss';
  // A regional default cannot justify a total loss.
  const verdict = value.basis === 'request' ? decided : 'unknown';
  return {
    verdict,
    /** True if the ratio is near the threshold, even for a default value. */
    isNear,
    /** Cost counted by the region's rule, percent of the vehicle's value; 2 decimals. */
    ratioPercent,
    thresholdPercent,
    repairMinor,
    salvageMinor,
    formula: `${addsSalvage ? `(${repair} + salvage ${text(salvageMinor)})` : repair} / value ${text(value.minor)} = ${ratioPercent} % ${sign} ${thresholdPercent} %${value.basis === 'request' ? '' : '; the value is a default, so nothing is decided'}`,
  } as const;
}
