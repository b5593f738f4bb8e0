import type { RuleTrace } from '../../../domain/damage.ts';
import { roundTo } from '../../../lib/numbers.ts';
import { convertTablePrice, type PricingContext } from '../../pricing-context.ts';
import { isMisaligned, isSurface, type PricingDamage } from '../damage.ts';
import { makePdrLine } from '../pdr.ts';
import { countTenths } from '../refinish.ts';
import type { Line, Plan, Reason } from '../repair-plan.ts';
import { combineTimes, computeRepairTenths, findRepairFactors, scoreTenths } from '../repair-time.ts';
import type { Target } from '../target.ts';
import { evaluateLightRepair, listLightPlans } from './light.ts';
import { type Job, listBlends, makeBodyLine, makeRepairPlan } from './make-plan.ts';
import { isStructural } from './structural.ts';

/** Returns the reason that rules out repairing the panel in place; undefined if repair is possible. */
function findReasonAgainstRepair(
  damage: PricingDamage,
  target: Target,
  ctx: PricingContext,
): Reason | undefined {
  const { operations } = ctx.tables;
  if (isStructural(damage, target, ctx)) return 'structure_affected';
  if (isSurface(damage)) return undefined;
  if (target.facts.repair_hours === 0) return 'not_repaired';
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

/**
 * Computes the body time of one damage before refinishing, in tenths of an hour; several similar dents count as
 * separate jobs.
 */
function computeBodyTenths(damage: PricingDamage, target: Target, ctx: PricingContext): number {
  const { operations } = ctx.tables;
  if (isMisaligned(damage)) return scoreTenths(operations.align, damage.severityScore);
  if (isPlasticScratch(damage, target)) return scoreTenths(operations.plastic_scratch, damage.severityScore);
  const eachTenths = computeRepairTenths(damage, target.facts.repair_hours, operations);
  return combineTimes(Array.from({ length: damage.count ?? 1 }, () => eachTenths));
}

const isPlasticScratch = (damage: PricingDamage, { material }: Target) =>
  isSurface(damage) && material === 'plastic';

/** Traces the factors of a damage's judgment time; empty if the time does not come from them. */
function explainBodyTime(damage: PricingDamage, target: Target, ctx: PricingContext): readonly RuleTrace[] {
  if (isMisaligned(damage) || isPlasticScratch(damage, target)) return [];
  const { type, severity, size } = findRepairFactors(damage, ctx.tables.operations);
  const inputs = {
    part_hours: target.facts.repair_hours,
    type: roundTo(type, 3),
    severity: roundTo(severity, 3),
    size: roundTo(size, 3),
    hours: computeBodyTenths(damage, target, ctx) / 10,
  };
  return [{ rule: 'judgement.repair-hours', inputs }];
}

/** Base time to refinish the repaired panel, in tenths of an hour. */
const readBaseTenths = ({ facts }: Target) => countTenths(facts.refinish_repair_hours);

/** Makes the line of the body time of these damages of a panel. */
function makeBodyWork(damages: readonly PricingDamage[], { target, ctx }: Job): Line {
  const times = (timed: readonly PricingDamage[]) =>
    timed.map((damage) => computeBodyTenths(damage, target, ctx));
  // Scratches never take longer than sanding and priming the whole panel.
  const mostTenths = Math.max(2, readBaseTenths(target));
  const surface = Math.min(mostTenths, combineTimes(times(damages.filter(isSurface))));
  const others = times(damages.filter((damage) => !isSurface(damage)));
  return makeBodyLine(target, {
    operation: 'Rpr',
    hoursTenths: combineTimes([...others, surface]),
    note: 'judgment time',
  });
}

/** Returns the line that takes a badly damaged bolted plastic panel off; none if it is repaired on the car. */
function listRemovals({ damages, target, ctx, worstScore }: Job): readonly Line[] {
  const isRemoved =
    worstScore >= ctx.tables.operations.plastic_off.from_score &&
    target.material === 'plastic' &&
    !target.facts.welded &&
    !damages.every(isSurface);
  const hoursTenths = countTenths(target.facts.remove_install_hours);
  const note = 'off the car for repair and paint';
  return isRemoved ? [makeBodyLine(target, { operation: 'R&I', hoursTenths, basis: 'table', note })] : [];
}

/** Methods that end with painting the whole panel. */
const PAINTED = { panel_refinish: 'cosmetic', pdr_and_paint: 'pdr', panel_repair: 'panel_repair' } as const;

/** Plans a repair that paints the panel and, from a score on, blends its neighbors; `timed` damages take body time. */
function planWithPaint(
  job: Job,
  method: keyof typeof PAINTED,
  basis: string,
  lines: readonly Line[],
  timed = job.damages,
): Plan {
  const { damages, target, ctx, worstScore } = job;
  const baseTenths = readBaseTenths(target);
  const blendFrom = ctx.tables.operations.blend_from_score.score;
  const blends = worstScore >= blendFrom ? listBlends(target, ctx) : [];
  const reasons = damages.map((damage) => findReasonAgainstRepair(damage, target, ctx));
  // Pulling a welded panel is structural work; filler and paint are not.
  const isStructural = method === 'panel_repair' && target.facts.welded && !damages.every(isSurface);
  return makeRepairPlan({ methods: [method] }, PAINTED[method], {
    lines: lines.filter((line) => line.hoursTenths > 0),
    refinish: baseTenths > 0 ? [{ part: target.name, baseTenths }] : [],
    blends,
    inadequate: reasons.find((reason) => reason !== undefined),
    ...(isStructural ? { contractType: 'structural' } : {}),
    trace: [
      { rule: `option.${method}`, inputs: { part: target.name, basis, highest_score: worstScore } },
      ...timed.flatMap((one) => explainBodyTime(one, target, ctx)),
      ...(blends.length > 0 ? [{ rule: 'refinish.blend-adjacent', inputs: { from_score: blendFrom } }] : []),
    ],
  });
}

/** Lists the plans that paint the panel: refinish only, PDR with paint, conventional repair. */
function listPaintPlans(job: Job): Plan[] {
  const { damages, target, ctx, worstScore, isMissing } = job;
  if (isMissing) return [];
  const { operations, pdr } = ctx.tables;
  const work = makeBodyWork(damages, job);
  if (damages.every(isSurface) && worstScore < operations.refinish_panel.offered_below)
    return [planWithPaint(job, 'panel_refinish', 'feather, prime, paint', [work])];
  const dents = damages.filter((damage) => damage.type === 'dent' && !isMisaligned(damage));
  const others = damages.filter((damage) => !dents.includes(damage));
  const isPdrPossible = dents.every((dent) => evaluateLightRepair('pdr', dent, target, ctx) !== undefined);
  const pushing = isPdrPossible ? makePdrLine(dents, target, ctx) : undefined;
  const pdrBasis = `dents below score ${pdr.with_paint_below_score}`;
  return [
    ...(pushing === undefined
      ? []
      : [planWithPaint(job, 'pdr_and_paint', pdrBasis, [pushing, makeBodyWork(others, job)], others)]),
    planWithPaint(job, 'panel_repair', 'hours x type x severity x size', [...listRemovals(job), work]),
  ];
}

/** Lists the repair plans of a painted panel, or of a component repaired like one, for all its damages. */
export const listPaintedPlans = (job: Job): Plan[] =>
  job.target.component === job.ctx.tables.operations.wheel_refurbish.component
    ? [planRefurbishment(job)]
    : [...listLightPlans(job), ...listPaintPlans(job)];

/** Plans flat-price refurbishment at a wheel shop, for scuffs and corrosion but not for possible cracks or bends. */
function planRefurbishment({ damages, target, ctx, worstScore }: Job): Plan {
  const { price, adequate_below } = ctx.tables.operations.wheel_refurbish;
  const isScuffed =
    damages.every((one) => isSurface(one) || one.type === 'rust') && worstScore < adequate_below;
  const method = 'wheel_refurbishment';
  const priceMinor = convertTablePrice(price, ctx);
  return makeRepairPlan({ methods: [method] }, 'cosmetic', {
    lines: [],
    parts: [{ part: method, type: 'sublet', source: 'sublet', priceMinor }],
    inadequate: isScuffed ? undefined : 'safety_part',
    trace: [{ rule: `option.${method}`, inputs: { part: target.name, adequate_below } }],
  });
}
