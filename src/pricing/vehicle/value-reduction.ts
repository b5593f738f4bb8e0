import type { Severity } from '../../domain/damage.ts';
import { KM_PER_MILE } from '../../domain/vehicle/claim-file.ts';
import { roundTo } from '../../lib/numbers.ts';
import type { PricedOption } from '../option/price.ts';
import { FITTING } from '../option/repair-plan.ts';
import { isMetalPanel, type Target } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { Tables } from '../tables/load.ts';

/** Returns the 17c mileage modifier; 1 if the mileage is unknown. */
function computeMileageModifier(mileageKm: number | undefined, { value }: Tables): number {
  if (mileageKm === undefined) return 1;
  const miles = mileageKm / KM_PER_MILE;
  const step = value.mileage_modifier.find((row) => row.below_miles === null || miles < row.below_miles);
  return step?.factor ?? 0;
}

/** Returns the 17c damage modifier, based on structural severity, a replaced body panel, or a plain repair. */
export function chooseDamageModifier(
  severity: Severity,
  target: Target,
  option: PricedOption,
  ctx: PricingContext,
): number {
  const { structural, replaced_welded, replaced_bolted, repaired } = ctx.tables.value.value_reduction;
  if (option.plan.repairType === 'structural') return structural[severity];
  const isReplaced = option.lines.some((line) => FITTING.includes(line.operation));
  if (!isMetalPanel(target) || !isReplaced) return repaired;
  return target.facts.welded ? replaced_welded : replaced_bolted;
}

/**
 * Computes the loss of value, in percent of the market value, by the 17c formula: 10 % x damage modifier x mileage
 * modifier. A vehicle uses its largest modifier, never a sum. 0 in regions without a published rule.
 */
export function computeValueReduction(
  modifier: number,
  mileageKm: number | undefined,
  { region, tables }: PricingContext,
) {
  const { rule, source = 'no rule is given for this region' } = region.value_reduction ?? {};
  if (rule !== '17c') return { percent: 0, formula: `not estimated: ${source}` };
  const { base_percentage } = tables.value.value_reduction;
  const mileage = computeMileageModifier(mileageKm, tables);
  const percent = roundTo(base_percentage * modifier * mileage, 2);
  return {
    percent,
    formula: `${base_percentage} % x damage ${modifier} x mileage ${mileage} = ${percent} % (17c; a replaced panel or structural work counts, a repair does not)`,
  };
}
