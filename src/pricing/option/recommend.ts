import type { RuleTrace } from '../../domain/damage.ts';
import { roundTo } from '../../lib/numbers.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { PricingDamage } from './damage.ts';
import { listGlassPlans, listLampPlans, listMechanicalPlans } from './plans/glass-lamps-mechanical.ts';
import type { Job } from './plans/make-plan.ts';
import { listPaintedPlans } from './plans/painted.ts';
import { listReplacementPlans } from './plans/replace.ts';
import { listStructuralPlans } from './plans/structural.ts';
import { type PricedOption, pricePlan } from './price.ts';
import type { Plan, Reason } from './repair-plan.ts';
import { findTarget, isGlass, type Target } from './target.ts';

/** All repair options of one target, the recommended one, and why the others are not. */
export interface Options {
  readonly options: readonly PricedOption[];
  readonly recommended: PricedOption;
  /** Keyed by option name, for every option but the recommended one. */
  readonly reasons: ReadonlyMap<string, Reason>;
  /** Why the cheapest adequate option is chosen, before a preference. */
  readonly trace: RuleTrace;
}

function listPlans(job: Job) {
  const { kind } = job.target.facts;
  if (isGlass(job.target)) return listGlassPlans(job);
  if (kind === 'lamp') return listLampPlans(job);
  return kind === 'mechanical' ? listMechanicalPlans(job) : listPaintedPlans(job);
}

const findCheapest = (options: readonly PricedOption[]) =>
  options.toSorted((a, b) => a.total.est - b.total.est).at(0);

/**
 * Chooses the cheapest adequate option among repair, sectioning and a new OEM part. For safety parts, broken glass and
 * broken lamps only the new part is adequate. A repair near the cost of the new part is flagged but kept: switching at
 * that share would let a more expensive part lower the repair cost.
 */
function chooseOption(options: readonly PricedOption[], ctx: PricingContext) {
  const adequate = options.filter((option) => option.plan.inadequate === undefined);
  const repair = findCheapest(adequate.filter((option) => option.plan.role === 'repair'));
  const replacement = findCheapest(adequate.filter((option) => option.plan.role === 'replacement'));
  if (repair === undefined || replacement === undefined) {
    const chosen = repair ?? replacement;
    if (chosen === undefined) throw new Error('no adequate way of repair');
    return { chosen, trace: { rule: 'recommend.only-adequate-way', inputs: { option: chosen.plan.option } } };
  }
  const inputs = {
    repair: repair.plan.option,
    replacement: replacement.plan.option,
    repair_share_of_replacement: roundTo(repair.total.est / replacement.total.est, 3),
    near_from: ctx.tables.operations.replace_rule.near_share,
  };
  if (repair.total.est > replacement.total.est) {
    return { chosen: replacement, trace: { rule: 'recommend.replacement-costs-less', inputs } };
  }
  const near = isNear(repair, replacement, ctx) ? 'repair-near-replacement' : 'repair-costs-less';
  return { chosen: repair, trace: { rule: `recommend.${near}`, inputs } };
}

/** Returns true if a repair costs at least the `near_share` of the replacement. */
const isNear = (repair: PricedOption, replacement: PricedOption, ctx: PricingContext): boolean =>
  repair.total.est >= ctx.tables.operations.replace_rule.near_share * replacement.total.est;

function findReasonAgainst(option: PricedOption, chosen: PricedOption, ctx: PricingContext): Reason {
  if (option.plan.inadequate !== undefined) return option.plan.inadequate;
  if (option.plan.role === 'alternative_part' && option.total.est < chosen.total.est)
    return 'oem_part_preferred';
  if (option.plan.role !== 'replacement') return 'cheaper_way_exists';
  if (chosen.plan.role === 'repair')
    return isNear(chosen, option, ctx) ? 'repair_near_replacement_cost' : 'cheaper_way_exists';
  return chosen.plan.methods.includes('section_replacement') ? 'section_suffices' : 'cheaper_way_exists';
}

/** An option chosen for a reason other than its own price; the reason is also that against cheaper options. */
export interface Preference {
  readonly option: string;
  readonly reason: Reason;
}

/**
 * Prices the options for all damages of one target together; structural work makes all others inadequate. `prefer` names
 * an option that replaces the cheapest.
 */
export function priceOptions(
  damages: readonly PricingDamage[],
  target: Target,
  ctx: PricingContext,
  prefer?: Preference,
): Options {
  const worstScore = Math.max(...damages.map((damage) => damage.severityScore));
  const isMissing = damages.some((damage) => damage.subtype === 'missing_part');
  const job: Job = { damages, target, ctx, worstScore, isMissing };
  const structural = listStructuralPlans(job);
  const exclude = (plans: readonly Plan[]): readonly Plan[] =>
    structural.length === 0 ? plans : plans.map((plan) => ({ ...plan, inadequate: 'structure_affected' }));
  const plans = [...exclude(listPlans(job)), ...structural, ...exclude(listReplacementPlans(job))];
  const options = plans.map((plan) => pricePlan(plan, ctx));
  const { chosen, trace } = chooseOption(options, ctx);
  const preferred = options.find((option) => option.plan.option === prefer?.option);
  const recommended = preferred ?? chosen;
  const reasons = new Map<string, Reason>();
  for (const option of options) {
    if (option === recommended) continue;
    const isCheaper =
      option.plan.inadequate === undefined &&
      option.plan.role !== 'alternative_part' &&
      option.total.est < recommended.total.est;
    const reason = option === chosen || isCheaper ? prefer?.reason : undefined;
    reasons.set(option.plan.option, reason ?? findReasonAgainst(option, recommended, ctx));
  }
  return { options, recommended, reasons, trace };
}

/** Recommended repair of one damage on its own, in minor units of `currency`. */
export type RepairEstimate = ReturnType<typeof estimateRepair>;

/**
 * Prices the recommended repair of one damage at its given severity, ignoring other damages, so the sums of an
 * inspection are exact to the minor unit.
 */
export function estimateRepair(damage: PricingDamage, ctx: PricingContext) {
  const { recommended, trace } = priceOptions([damage], findTarget(damage, ctx), ctx);
  return {
    total: recommended.total,
    currency: ctx.currency,
    repairType: recommended.plan.repairType,
    contractType: recommended.plan.contractType,
    /** Name of the recommended option, such as `pdr`, `panel_repair` or `bumper_replacement`. */
    option: recommended.plan.option,
    explain: [...recommended.plan.trace, trace],
  };
}
