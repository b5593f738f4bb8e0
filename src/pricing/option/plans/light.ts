import { isFaded, isMisaligned, isSurface, type PricingDamage } from '../damage.ts';
import { computeMatrixPrice, makePdrLine } from '../pdr.ts';
import type { Line, Plan, PlanPart, Reason } from '../repair-plan.ts';
import { assumeSizeCm } from '../repair-time.ts';
import { isMetalPanel } from '../target.ts';
import {
  type Job,
  makeBodyLine,
  makeConsumable,
  makeRepairPlan,
  type PricedTarget,
  timeDamages,
} from './make-plan.ts';

/** Whether a light repair suits a damage: undefined if not offered, else the reason it is inadequate, if any. */
type Evaluation = { readonly reason: Reason | undefined } | undefined;
type Evaluate = (damage: PricingDamage, of: PricedTarget) => Evaluation;

const ADEQUATE: Evaluation = { reason: undefined };

const evaluatePolish: Evaluate = (damage, { ctx }) => {
  const { polish } = ctx.tables.operations;
  if (!isSurface(damage) || damage.severityScore >= polish.offered_below) return undefined;
  const adequateBelow = isFaded(damage) ? polish.dull_adequate_below : polish.adequate_below;
  return damage.severityScore < adequateBelow ? ADEQUATE : { reason: 'through_clear_coat' };
};

const evaluateTouchUp: Evaluate = (damage, { ctx }) => {
  const { touch_up } = ctx.tables.operations;
  const isSuited = (isSurface(damage) && !isFaded(damage)) || damage.type === 'rust';
  if (!isSuited || damage.severityScore >= touch_up.offered_below) return undefined;
  if (damage.severityScore >= touch_up.adequate_below) return { reason: 'visible_after_touch_up' };
  return assumeSizeCm(damage, ctx.tables.operations) > touch_up.max_size_cm
    ? { reason: 'too_large' }
    : ADEQUATE;
};

const evaluateAlignment: Evaluate = (damage, { target, ctx }) => {
  if (target.facts.welded) return undefined;
  const { adequate_below } = ctx.tables.operations.align;
  return damage.severityScore < adequate_below ? ADEQUATE : { reason: 'critical_damage' };
};

const evaluatePdr: Evaluate = (damage, { target, ctx }) => {
  const { adequate_below_score, with_paint_below_score } = ctx.tables.pdr;
  if (damage.type !== 'dent' || !isMetalPanel(target) || damage.severityScore >= with_paint_below_score)
    return undefined;
  if (computeMatrixPrice([damage], target, ctx) === undefined) return undefined;
  return damage.severityScore < adequate_below_score ? ADEQUATE : { reason: 'paint_likely_broken' };
};

/**
 * Offers a spot repair for a short surface damage on a part where the clear coat edge does not show, unless the paint has
 * three stages. An unmeasured one gets none: published bills of such paint the whole panel.
 */
const evaluateSpot: Evaluate = (damage, { target, ctx }) => {
  const { adequate_below, max_size_cm, parts } = ctx.tables.operations.spot_repair;
  if (!isSurface(damage) || isFaded(damage) || ctx.paint === 'three_stage') return undefined;
  if (!parts.some((part) => part === target.name)) return undefined;
  const isShort = damage.sizeCm !== undefined && damage.sizeCm <= max_size_cm;
  return damage.severityScore < adequate_below && isShort ? ADEQUATE : undefined;
};

/** Repairs that keep all or most of the panel's original paint, from the lightest. */
const EVALUATE = {
  polish: evaluatePolish,
  paint_touch_up: evaluateTouchUp,
  alignment: evaluateAlignment,
  pdr: evaluatePdr,
  spot_repair: evaluateSpot,
} as const;
type LightRepair = keyof typeof EVALUATE;
const LIGHT_REPAIRS = Object.keys(EVALUATE) as readonly LightRepair[];

/** Evaluates a light repair for a damage; only alignment corrects a misaligned part, and it corrects nothing else. */
export function evaluateLightRepair(repair: LightRepair, damage: PricingDamage, of: PricedTarget) {
  if (damage.subtype === 'missing_part' || damage.subtype === 'frame_damage') return undefined;
  if (isMisaligned(damage) !== (repair === 'alignment')) return undefined;
  return EVALUATE[repair](damage, of);
}

/** Finds the lightest repair that restores the damage, if there is one; of those from `from` on where one of them does. */
export function findLightRepair(damage: PricingDamage, of: PricedTarget, from = 0) {
  const adequate = LIGHT_REPAIRS.filter((repair) => {
    const evaluation = evaluateLightRepair(repair, damage, of);
    return evaluation !== undefined && evaluation.reason === undefined;
  });
  return adequate.find((repair) => LIGHT_REPAIRS.indexOf(repair) >= from) ?? adequate[0];
}

/** Line of each light repair that takes hours of the operations table. */
const WORK = {
  polish: { operation: 'Pol', note: 'cut and polish' },
  paint_touch_up: { operation: 'Tch', note: 'touch-up by brush' },
  alignment: { operation: 'Algn', note: 'loosen, align, check gaps' },
  spot_repair: {
    operation: 'Rpr',
    // Refinish hours carry paint materials.
    department: 'refinish',
    note: 'spot repair: fill, prime, paint and blend within the panel',
  },
} as const;

/** A damage and its light repair. */
type Treated = readonly [damage: PricingDamage, repair: LightRepair];

/** Plans light repairs of one panel as one option; empty if PDR is chosen but cannot be priced. */
function planLightRepairs(repairs: readonly Treated[], { target, ctx }: Job, inadequate?: Reason): Plan[] {
  const { polish, touch_up: paint_touch_up, align: alignment, spot_repair } = ctx.tables.operations;
  const hours = { polish, paint_touch_up, alignment, spot_repair };
  const methods = LIGHT_REPAIRS.filter((method) => repairs.some(([, repair]) => repair === method));
  const lines: Line[] = [];
  const parts: PlanPart[] = [];
  for (const method of methods) {
    const damages = repairs.filter(([, repair]) => repair === method).map(([damage]) => damage);
    if (method === 'pdr') {
      const line = makePdrLine(damages, target, ctx);
      if (line === undefined) return [];
      lines.push(line);
    } else {
      const row = hours[method];
      lines.push(makeBodyLine(target, { ...WORK[method], hoursTenths: timeDamages(damages, row) }));
      if ('consumable' in row) parts.push(makeConsumable(row, ctx));
    }
  }
  const inputs = { damages: repairs.length, part: target.name };
  const trace = [{ rule: `option.${methods.join('+')}`, inputs }];
  const type = methods.includes('pdr') ? 'pdr' : 'cosmetic';
  return [makeRepairPlan({ methods }, type, { lines, parts, inadequate, trace })];
}

/**
 * Lists the light plans: one per offered repair for a single damage. Several damages each take their lightest, or none
 * lighter than the others: a mark next to a spot repair is painted with it, not also touched up.
 */
export function listLightPlans(job: Job): Plan[] {
  const { damages } = job;
  const [single] = damages;
  if (single !== undefined && damages.length === 1) {
    return LIGHT_REPAIRS.flatMap((repair) => {
      const evaluation = evaluateLightRepair(repair, single, job);
      return evaluation === undefined ? [] : planLightRepairs([[single, repair]], job, evaluation.reason);
    });
  }
  const plans = LIGHT_REPAIRS.flatMap((_, from) => {
    const repairs = damages.flatMap((damage): Treated[] => {
      const repair = findLightRepair(damage, job, from);
      return repair === undefined ? [] : [[damage, repair]];
    });
    return repairs.length === damages.length ? planLightRepairs(repairs, job) : [];
  });
  return plans.filter(({ option }, i) => plans.findIndex((plan) => plan.option === option) === i);
}
