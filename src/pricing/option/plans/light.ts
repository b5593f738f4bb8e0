import type { PricingContext } from '../../pricing-context.ts';
import { isMisaligned, isSurface, type PricingDamage } from '../damage.ts';
import { computeMatrixPrice, makePdrLine } from '../pdr.ts';
import type { Line, Plan, Reason } from '../repair-plan.ts';
import type { ScoredHours } from '../repair-time.ts';
import type { Target } from '../target.ts';
import { type Job, makeConsumable, makeLine, makeRepairPlan, timeDamages } from './make-plan.ts';

/** Repairs that keep all or most of the panel's original paint. */
const OPTION_NAMES = {
  polish: 'polish',
  touch_up: 'paint_touch_up',
  alignment: 'alignment',
  pdr: 'pdr',
  spot: 'spot_repair',
} as const;
type LightRepair = keyof typeof OPTION_NAMES;
const LIGHT_REPAIRS = Object.keys(OPTION_NAMES) as LightRepair[];

/**
 * Returns true if a spot repair is possible: a short, measured surface damage on a part where the clear coat edge does
 * not show, and no three-stage paint.
 */
function isSpot(damage: PricingDamage, target: Target, ctx: PricingContext): boolean {
  const { adequate_below, max_size_cm, parts } = ctx.tables.operations.spot_repair;
  if (!isSurface(damage) || damage.subtype === 'oxidation' || ctx.paint === 'three_stage') return false;
  if (!parts.some((part) => part === target.name)) return false;
  return damage.severityScore < adequate_below && (damage.sizeCm ?? Number.POSITIVE_INFINITY) <= max_size_cm;
}

/** Evaluates a light repair for a damage: undefined if not offered, else the reason it is inadequate, if any. */
export function evaluateLightRepair(
  repair: LightRepair,
  damage: PricingDamage,
  target: Target,
  ctx: PricingContext,
): { readonly reason: Reason | undefined } | undefined {
  const { polish, touch_up, align } = ctx.tables.operations;
  const { severityScore: score } = damage;
  if (damage.subtype === 'missing_part' || damage.subtype === 'frame_damage') return undefined;
  if (repair === 'alignment') {
    if (!isMisaligned(damage) || target.facts.welded) return undefined;
    return score < align.adequate_below ? { reason: undefined } : { reason: 'critical_damage' };
  }
  if (isMisaligned(damage)) return undefined;
  if (repair === 'polish') {
    if (!isSurface(damage) || score >= polish.offered_below) return undefined;
    const adequateBelow = damage.subtype === 'oxidation' ? polish.dull_adequate_below : polish.adequate_below;
    return { reason: score < adequateBelow ? undefined : 'through_clear_coat' };
  }
  if (repair === 'touch_up') {
    if (!(isSurface(damage) || damage.type === 'rust') || score >= touch_up.offered_below) return undefined;
    if (score >= touch_up.adequate_below) return { reason: 'visible_after_touch_up' };
    return { reason: (damage.sizeCm ?? 0) > touch_up.max_size_cm ? 'too_large' : undefined };
  }
  if (repair === 'spot') return isSpot(damage, target, ctx) ? { reason: undefined } : undefined;
  const { adequate_below_score, with_paint_below_score } = ctx.tables.pdr;
  const isMetal = target.facts.kind === 'painted' && target.material !== 'plastic';
  if (damage.type !== 'dent' || !isMetal || score >= with_paint_below_score) return undefined;
  if (computeMatrixPrice([damage], target, ctx) === undefined) return undefined;
  return { reason: score < adequate_below_score ? undefined : 'paint_likely_broken' };
}

/** Finds the lightest repair that restores the damage, if there is one. */
export const findLightRepair = (damage: PricingDamage, target: Target, ctx: PricingContext) =>
  LIGHT_REPAIRS.find((repair) => {
    const evaluation = evaluateLightRepair(repair, damage, target, ctx);
    return evaluation !== undefined && evaluation.reason === undefined;
  });

/** Creates a body labor line; repair of aluminium goes to the aluminium department. */
export function makeBodyLine(target: Target, line: Parameters<typeof makeLine>[1]): Line {
  const isAluminium = line.operation === 'Rpr' && target.material === 'aluminium';
  return makeLine(target, { department: isAluminium ? 'aluminium' : 'body', ...line });
}

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
