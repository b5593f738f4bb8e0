import type { PricingContext } from '../../context.ts';
import type { PricingDamage } from '../damage.ts';
import { repairTenths, scoreTenths, together } from '../judgement.ts';
import { pdrLine, pdrPriceMinor } from '../pdr.ts';
import type { Line, Plan, Reason } from '../plan.ts';
import { type Target, tenths } from '../target.ts';
import { blendsOf, consumable, repairPlan } from './parts.ts';

/** Ways of repair that leave the paint of the panel as it is. */
const LIGHT_WAYS = ['polish', 'touch_up', 'alignment', 'pdr'] as const;
type LightWay = (typeof LIGHT_WAYS)[number];

/** Damage to paint alone, however deep: it never makes a metal panel new. */
export const isSurface = (damage: PricingDamage) =>
  damage.type === 'scratch' || damage.type === 'paint_damage';
const isMisaligned = (damage: PricingDamage) => damage.subtype === 'misaligned_part';

/** Structural work is due: the frame is named, or a welded panel is critically bent. A bolted part is not pulled. */
export function needsStructure(damage: PricingDamage, target: Target, ctx: PricingContext): boolean {
  if (damage.subtype === 'frame_damage') return true;
  const shaped = damage.type === 'dent' || damage.type === 'panel_damage' || damage.type === 'rust';
  return shaped && target.facts.welded && damage.severityScore >= ctx.tables.operations.structural.from_score;
}

/** What stands against every repair of the panel in place: nothing, or the reason to replace it. */
function againstRepair(damage: PricingDamage, target: Target, ctx: PricingContext): Reason | undefined {
  const { operations } = ctx.tables;
  if (damage.subtype === 'missing_part') return 'part_missing';
  if (needsStructure(damage, target, ctx)) return 'structure_affected';
  if (target.facts.safety) return 'safety_part';
  if (isSurface(damage)) return undefined;
  if (damage.severityScore >= operations.structural.from_score) return 'critical_damage';
  if (
    damage.type === 'crack' &&
    target.material === 'plastic' &&
    damage.severityScore >= operations.plastic_crack.repairable_below
  ) {
    return 'crack_in_plastic';
  }
  return undefined;
}

/** Whether a light way is offered for a damage, and what stands against it. */
function lightWay(
  way: LightWay,
  damage: PricingDamage,
  target: Target,
  ctx: PricingContext,
): { readonly reason: Reason | undefined } | undefined {
  const { polish, touch_up, align } = ctx.tables.operations;
  const { severityScore: score } = damage;
  if (damage.subtype === 'missing_part' || damage.subtype === 'frame_damage') return undefined;
  if (way === 'alignment') {
    if (!isMisaligned(damage) || target.facts.welded) return undefined;
    return score < align.adequate_below ? { reason: undefined } : { reason: 'critical_damage' };
  }
  if (isMisaligned(damage)) return undefined;
  if (way === 'polish') {
    if (!isSurface(damage) || score >= polish.offered_below) return undefined;
    const below = damage.subtype === 'oxidation' ? polish.dull_adequate_below : polish.adequate_below;
    return { reason: score < below ? undefined : 'through_clear_coat' };
  }
  if (way === 'touch_up') {
    if (!(isSurface(damage) || damage.type === 'rust') || score >= touch_up.offered_below) return undefined;
    if (score >= touch_up.adequate_below) return { reason: 'visible_after_touch_up' };
    return { reason: (damage.sizeCm ?? 0) > touch_up.max_size_cm ? 'too_large' : undefined };
  }
  const { adequate_below_score, with_paint_below_score } = ctx.tables.pdr;
  const metal = target.facts.kind === 'painted' && target.material !== 'plastic';
  if (damage.type !== 'dent' || !metal || score >= with_paint_below_score) return undefined;
  if (pdrPriceMinor([damage], target, ctx) === undefined) return undefined;
  return { reason: score < adequate_below_score ? undefined : 'paint_likely_broken' };
}

function bodyLine(operation: Line['operation'], target: Target, hoursTenths: number, note: string): Line {
  const department = operation === 'Rpr' && target.material === 'aluminium' ? 'aluminium' : 'body';
  return { operation, part: target.name, department, hoursTenths, basis: 'judgement', note };
}

/** Lines and consumables of a set of damages, each mended in the light way given for it. */
function lightWork(
  ways: readonly (readonly [PricingDamage, LightWay])[],
  target: Target,
  ctx: PricingContext,
): Pick<Plan, 'lines' | 'parts'> | undefined {
  const of = (way: LightWay) => ways.filter(([, used]) => used === way).map(([damage]) => damage);
  const { polish, touch_up, align } = ctx.tables.operations;
  const times = (way: LightWay, row: { hours: number; per_point: number }) =>
    together(of(way).map((damage) => scoreTenths(row, damage.severityScore)));
  const dents = of('pdr');
  const pdr = pdrLine(dents, target, ctx);
  if (dents.length > 0 && pdr === undefined) return undefined;
  const polished = of('polish').length > 0;
  const touched = of('touch_up').length > 0;
  const aligned = of('alignment').length > 0;
  return {
    lines: [
      ...(polished ? [bodyLine('Pol', target, times('polish', polish), 'cut and polish')] : []),
      ...(touched ? [bodyLine('Tch', target, times('touch_up', touch_up), 'touch-up by brush')] : []),
      ...(aligned ? [bodyLine('Algn', target, times('alignment', align), 'loosen, align, check gaps')] : []),
      ...(pdr === undefined ? [] : [pdr]),
    ],
    parts: [...(polished ? [consumable(polish, ctx)] : []), ...(touched ? [consumable(touch_up, ctx)] : [])],
  };
}

const LIGHT_NAME: Readonly<Record<LightWay, string>> = {
  polish: 'polish',
  touch_up: 'paint_touch_up',
  alignment: 'alignment',
  pdr: 'pdr',
};

/** Light plans: one per way for a single damage; for several, each mended by its first adequate way. */
function lightPlans(damages: readonly PricingDamage[], target: Target, ctx: PricingContext): Plan[] {
  const plan = (
    ways: readonly (readonly [PricingDamage, LightWay])[],
    inadequate: Reason | undefined,
  ): Plan[] => {
    const work = lightWork(ways, target, ctx);
    if (work === undefined) return [];
    const used = LIGHT_WAYS.filter((way) => ways.some(([, chosen]) => chosen === way));
    return [
      repairPlan(
        used.map((way) => LIGHT_NAME[way]).join('_and_'),
        used.includes('pdr') ? 'pdr' : 'cosmetic',
        {
          ...work,
          inadequate,
          trace: [
            { rule: `option.${used.join('+')}`, inputs: { damages: damages.length, part: target.name } },
          ],
        },
      ),
    ];
  };
  const [only] = damages;
  if (only !== undefined && damages.length === 1) {
    return LIGHT_WAYS.flatMap((way) => {
      const offered = lightWay(way, only, target, ctx);
      return offered === undefined ? [] : plan([[only, way]], offered.reason);
    });
  }
  const ways: (readonly [PricingDamage, LightWay])[] = [];
  for (const damage of damages) {
    const way = LIGHT_WAYS.find((candidate) => {
      const offered = lightWay(candidate, damage, target, ctx);
      return offered !== undefined && offered.reason === undefined;
    });
    if (way === undefined) return [];
    ways.push([damage, way]);
  }
  return plan(ways, undefined);
}

/** Body time of one damage under new paint; many like dents count as that many jobs. */
function bodyTenths(damage: PricingDamage, target: Target, ctx: PricingContext): number {
  const { operations } = ctx.tables;
  if (isMisaligned(damage)) return scoreTenths(operations.align, damage.severityScore);
  const one = repairTenths(damage, target.facts.repair_hours * target.hoursFactor, operations);
  return together(Array.from({ length: damage.count ?? 1 }, () => one));
}

/** Plans that paint the panel: refinish only, PDR and paint, conventional repair. */
function paintPlans(damages: readonly PricingDamage[], target: Target, ctx: PricingContext): Plan[] {
  const { operations, pdr } = ctx.tables;
  const base = tenths(target.facts.refinish_repair_hours, target.hoursFactor);
  if (damages.some((damage) => damage.subtype === 'missing_part')) return [];
  const inadequate = damages
    .map((damage) => againstRepair(damage, target, ctx))
    .find((reason) => reason !== undefined);
  const gravest = Math.max(...damages.map((damage) => damage.severityScore));
  const blends = gravest >= operations.blend_from_score.score ? blendsOf(target, ctx) : [];
  const refinish = base > 0 ? [{ part: target.name, baseTenths: base }] : [];
  const painted = (
    option: string,
    repairType: Plan['repairType'],
    lines: readonly Line[],
    note: string,
  ): Plan =>
    repairPlan(option, repairType, {
      lines: lines.filter((line) => line.hoursTenths > 0),
      refinish,
      blends,
      inadequate,
      trace: [
        { rule: `option.${option}`, inputs: { part: target.name, basis: note, gravest_score: gravest } },
        ...(blends.length > 0
          ? [{ rule: 'refinish.blend-adjacent', inputs: { from_score: operations.blend_from_score.score } }]
          : []),
      ],
    });
  const times = (of: readonly PricingDamage[]) => of.map((damage) => bodyTenths(damage, target, ctx));
  const body = (of: readonly PricingDamage[]) => {
    const surface = together(times(of.filter(isSurface)));
    // Sanding and priming the whole panel is the most that any number of scratches takes.
    const whole = Math.max(2, base);
    const rest = times(of.filter((damage) => !isSurface(damage)));
    return bodyLine('Rpr', target, together([...rest, Math.min(whole, surface)]), 'judgement time');
  };
  const onlyPaint = damages.every(
    (damage) => isSurface(damage) && damage.severityScore < operations.refinish_panel.offered_below,
  );
  if (onlyPaint) return [painted('panel_refinish', 'cosmetic', [body(damages)], 'feather, prime, paint')];
  const plans: Plan[] = [];
  const dents = damages.filter((damage) => damage.type === 'dent' && !isMisaligned(damage));
  const rest = damages.filter((damage) => !dents.includes(damage));
  const reachable = dents.every((dent) => lightWay('pdr', dent, target, ctx) !== undefined);
  const pushed = reachable ? pdrLine(dents, target, ctx) : undefined;
  if (pushed !== undefined) {
    plans.push(
      painted(
        'pdr_and_paint',
        'pdr',
        [pushed, body(rest)],
        `dents below score ${pdr.with_paint_below_score}`,
      ),
    );
  }
  const removed: Line[] =
    gravest >= operations.deep_from_score.score && target.material === 'plastic' && !target.facts.welded
      ? [
          {
            operation: 'R&I',
            part: target.name,
            department: 'body',
            hoursTenths: tenths(target.facts.remove_install_hours, target.hoursFactor),
            basis: 'table',
            note: 'off the car for repair and paint',
          },
        ]
      : [];
  plans.push(
    painted('panel_repair', 'panel_repair', [...removed, body(damages)], 'hours x type x severity x size'),
  );
  return plans;
}

/** Every way to repair a painted panel, or a component like it, with all its damages. */
export function paintedPlans(damages: readonly PricingDamage[], target: Target, ctx: PricingContext): Plan[] {
  return [...lightPlans(damages, target, ctx), ...paintPlans(damages, target, ctx)];
}

/** Why the panel cannot simply be sectioned or replaced: structural work is due. */
export function structuralDemand(
  damages: readonly PricingDamage[],
  target: Target,
  ctx: PricingContext,
): boolean {
  return damages.some((damage) => needsStructure(damage, target, ctx));
}
