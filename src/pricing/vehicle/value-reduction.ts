import { KM_PER_MILE } from '../../domain/claim-file.ts';
import type { Severity } from '../../domain/damage.ts';
import { roundTo } from '../../lib/round.ts';
import type { PricedOption } from '../option/price.ts';
import type { Target } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';

const FITS_NEW: readonly string[] = ['R&R', 'Sect'];

/** Returns the mileage modifier of the 17c ladder; 1 where the mileage is unknown. */
function computeMileageModifier(mileageKm: number | undefined, ctx: PricingContext): number {
  if (mileageKm === undefined) return 1;
  const miles = mileageKm / KM_PER_MILE;
  const step = ctx.tables.value.mileage_modifier.find(
    (row) => row.below_miles === null || miles < row.below_miles,
  );
  return step?.factor ?? 0;
}

/** Returns the damage modifier of 17c: structural work by its severity, a replaced body panel, or nothing. */
export function chooseDamageModifier(
  severity: Severity,
  target: Target,
  option: PricedOption,
  ctx: PricingContext,
): number {
  const { structural, replaced_welded, replaced_bolted, repaired } = ctx.tables.value.value_reduction;
  if (option.plan.repairType === 'structural') return structural[severity];
  const panel = target.facts.kind === 'painted' && target.material !== 'plastic';
  const replaced = option.lines.some((line) => FITS_NEW.includes(line.operation));
  if (!panel || !replaced) return repaired;
  return target.facts.welded ? replaced_welded : replaced_bolted;
}

/**
 * Returns the loss of value that one damage leaves, percent of the market value, by the 17c formula: 10 % x damage
 * modifier x mileage modifier. Nothing in regions without a published rule.
 */
export function computeValueReduction(
  modifier: number,
  mileageKm: number | undefined,
  ctx: PricingContext,
): number {
  if (ctx.region.value_reduction?.rule !== '17c') return 0;
  const { base_percentage } = ctx.tables.value.value_reduction;
  return roundTo(base_percentage * modifier * computeMileageModifier(mileageKm, ctx), 2);
}

/** Returns the loss of value of the vehicle, percent: one modifier counts, the largest; never a sum. */
export function chooseValueReduction(
  modifiers: readonly number[],
  mileageKm: number | undefined,
  ctx: PricingContext,
): { readonly percent: number; readonly formula: string } {
  const largest = Math.max(0, ...modifiers);
  const percent = computeValueReduction(largest, mileageKm, ctx);
  if (ctx.region.value_reduction?.rule !== '17c') {
    const source = ctx.region.value_reduction?.source ?? 'no rule is given for this region';
    return { percent, formula: `not estimated: ${source}` };
  }
  const { base_percentage } = ctx.tables.value.value_reduction;
  const mileage = computeMileageModifier(mileageKm, ctx);
  return {
    percent,
    formula: `${base_percentage} % x damage ${largest} x mileage ${mileage} = ${percent} % (17c; a replaced panel or structural work counts, a repair does not)`,
  };
}
