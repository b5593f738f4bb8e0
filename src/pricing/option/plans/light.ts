import type { PricingContext } from '../../pricing-context.ts';
import { isFaded, isMisaligned, isSurface, type PricingDamage } from '../damage.ts';
import { computeMatrixPrice, makePdrLine } from '../pdr.ts';
import type { Line, Plan, Reason } from '../repair-plan.ts';
import { assumeSizeCm, type ScoredHours } from '../repair-time.ts';
import { isMetalPanel, type Target } from '../target.ts';
import { type Job, makeBodyLine, makeConsumable, makeRepairPlan, timeDamages } from './make-plan.ts';

/** Repairs that keep all or most of the panel's original paint, from the lightest. */
const LIGHT_REPAIRS = ['polish', 'touch_up', 'alignment', 'pdr', 'spot'] as const;
type LightRepair = (typeof LIGHT_REPAIRS)[number];

const OPTION_NAMES: Readonly<Record<LightRepair, string>> = {
  polish: 'polish',
  touch_up: 'paint_touch_up',
  alignment: 'alignment',
  pdr: 'pdr',
  spot: 'spot_repair',
};

/** Whether a light repair suits a damage: undefined if not offered, else the reason it is inadequate, if any. */
type Evaluation = { readonly reason: Reason | undefined } | undefined;
type Evaluate = (damage: PricingDamage, target: Target, ctx: PricingContext) => Evaluation;

const ADEQUATE: Evaluation = { reason: undefined };

const evaluatePolish: Evaluate = (damage, _target, { tables }) => {
  const { polish } = tables.operations;
  if (!isSurface(damage) || damage.severityScore >= polish.offered_below) return undefined;
  const adequateBelow = isFaded(damage) ? polish.dull_adequate_below : polish.adequate_below;
  return damage.severityScore < adequateBelow ? ADEQUATE : { reason: 'through_clear_coat' };
};

const evaluateTouchUp: Evaluate = (damage, _target, { tables }) => {
  const { touch_up } = tables.operations;
  const isSuited = (isSurface(damage) && !isFaded(damage)) || damage.type === 'rust';
  if (!isSuited || damage.severityScore >= touch_up.offered_below) return undefined;
  if (damage.severityScore >= touch_up.adequate_below) return { reason: 'visible_after_touch_up' };
  return assumeSizeCm(damage, tables.operations) > touch_up.max_size_cm ? { reason: 'too_large' } : ADEQUATE;
};

const evaluateAlignment: Evaluate = (damage, target, { tables }) => {
  if (target.facts.welded) return undefined;
  const { adequate_below } = tables.operations.align;
  return damage.severityScore < adequate_below ? ADEQUATE : { reason: 'critical_damage' };
};

const evaluatePdr: Evaluate = (damage, target, ctx) => {
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
const evaluateSpot: Evaluate = (damage, target, { tables, paint }) => {
  const { adequate_below, max_size_cm, parts } = tables.operations.spot_repair;
  if (!isSurface(damage) || isFaded(damage) || paint === 'three_stage') return undefined;
  if (!parts.some((part) => part === target.name)) return undefined;
  const isShort = damage.sizeCm !== undefined && damage.sizeCm <= max_size_cm;
  return damage.severityScore < adequate_below && isShort ? ADEQUATE : undefined;
};

const EVALUATE: Readonly<Record<LightRepair, Evaluate>> = {
  polish: evaluatePolish,
  touch_up: evaluateTouchUp,
  alignment: evaluateAlignment,
  pdr: evaluatePdr,
  spot: evaluateSpot,
};

/** Evaluates a light repair for a damage; only alignment corrects a misaligned part, and it corrects nothing else. */
export function evaluateLightRepair(
  repair: LightRepair,
  damage: PricingDamage,
  target: Target,
  ctx: PricingContext,
): Evaluation {
  if (damage.subtype === 'missing_part' || damage.subtype === 'frame_damage') return undefined;
  if (isMisaligned(damage) !== (repair === 'alignment')) return undefined;
  return EVALUATE[repair](damage, target, ctx);
}

/** Finds the lightest repair that restores the damage, if there is one. */
export const findLightRepair = (damage: PricingDamage, target: Target, ctx: PricingContext) =>
  LIGHT_REPAIRS.find((repair) => {
    const evaluation = evaluateLightRepair(repair, damage, target, ctx);
    return evaluation !== undefined && evaluation.reason === undefined;
  });

/** Creates lines and consumables for light repairs; undefined if PDR is chosen but cannot be priced. */
function planLightWork(
  repairs: readonly (readonly [PricingDamage, LightRepair])[],
  target: Target,
  ctx: PricingContext,
): Pick<Plan, 'lines' | 'parts'> | undefined {
  const listDamages = (repair: LightRepair) =>
    repairs.filter(([, used]) => used === repair).map(([damage]) => damage);
  const { polish, touch_up, align, spot_repair } = ctx.tables.operations;
  const makeLines = (
    repair: LightRepair,
    row: ScoredHours,
    line: Pick<Line, 'operation' | 'note'> & Partial<Line>,
  ): Line[] => {
    const damages = listDamages(repair);
    return damages.length === 0
      ? []
      : [makeBodyLine(target, { ...line, hoursTenths: timeDamages(damages, row) })];
  };
  const dents = listDamages('pdr');
  const pdr = makePdrLine(dents, target, ctx);
  if (dents.length > 0 && pdr === undefined) return undefined;
  // Refinish hours carry paint materials.
  const spot = {
    department: 'refinish',
    note: 'spot repair: fill, prime, paint and blend within the panel',
  } as const;
  return {
    lines: [
      ...makeLines('polish', polish, { operation: 'Pol', note: 'cut and polish' }),
      ...makeLines('touch_up', touch_up, { operation: 'Tch', note: 'touch-up by brush' }),
      ...makeLines('alignment', align, { operation: 'Algn', note: 'loosen, align, check gaps' }),
      ...(pdr === undefined ? [] : [pdr]),
      ...makeLines('spot', spot_repair, { operation: 'Rpr', ...spot }),
    ],
    parts: (['polish', 'touch_up'] as const)
      .filter((repair) => listDamages(repair).length > 0)
      .map((repair) => makeConsumable(ctx.tables.operations[repair], ctx)),
  };
}

/** Lists the light plans: one per offered repair for a single damage, else one combining the first adequate of each. */
export function listLightPlans({ damages, target, ctx }: Job): Plan[] {
  const plan = (
    repairs: readonly (readonly [PricingDamage, LightRepair])[],
    inadequate: Reason | undefined,
  ): Plan[] => {
    const work = planLightWork(repairs, target, ctx);
    if (work === undefined) return [];
    const used = LIGHT_REPAIRS.filter((repair) => repairs.some(([, chosen]) => chosen === repair));
    const name = used.map((repair) => OPTION_NAMES[repair]).join('_and_');
    const inputs = { damages: damages.length, part: target.name };
    const trace = [{ rule: `option.${used.join('+')}`, inputs }];
    const type = used.includes('pdr') ? 'pdr' : 'cosmetic';
    return [makeRepairPlan(name, type, { ...work, inadequate, trace })];
  };
  const [single] = damages;
  if (single !== undefined && damages.length === 1) {
    return LIGHT_REPAIRS.flatMap((repair) => {
      const evaluation = evaluateLightRepair(repair, single, target, ctx);
      return evaluation === undefined ? [] : plan([[single, repair]], evaluation.reason);
    });
  }
  const repairs: (readonly [PricingDamage, LightRepair])[] = [];
  for (const damage of damages) {
    const repair = findLightRepair(damage, target, ctx);
    if (repair === undefined) return [];
    repairs.push([damage, repair]);
  }
  return plan(repairs, undefined);
}
