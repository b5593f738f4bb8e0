import type { RuleTrace } from '../../../domain/damage.ts';
import type { RepairType } from '../../../domain/repair.ts';
import { convertTablePrice, type PricingContext } from '../../pricing-context.ts';
import { isMisaligned, isSurface, type PricingDamage } from '../damage.ts';
import { makePdrLine } from '../pdr.ts';
import { countTenths } from '../refinish.ts';
import type { Line, Plan, Reason, RepairMethod } from '../repair-plan.ts';
import { combineTimes, computeRepairTenths, findRepairFactors, scoreTenths } from '../repair-time.ts';
import type { Target } from '../target.ts';
import { evaluateLightRepair, listLightPlans } from './light.ts';
import { type Job, listBlends, makeBodyLine, makeRepairPlan } from './make-plan.ts';
import { needsStructure } from './structural.ts';

/** Returns the reason that rules out repairing the panel in place; undefined if repair is possible. */
function findReasonAgainstRepair(
  damage: PricingDamage,
  target: Target,
  ctx: PricingContext,
): Reason | undefined {
  const { operations } = ctx.tables;
  if (damage.subtype === 'missing_part') return 'part_missing';
  if (needsStructure(damage, target, ctx)) return 'structure_affected';
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
  const round = (factor: number) => Math.round(factor * 1000) / 1000;
  const { type, severity, size } = findRepairFactors(damage, ctx.tables.operations);
  const inputs = {
    part_hours: target.facts.repair_hours,
    type: round(type),
    severity: round(severity),
    size: round(size),
    hours: computeBodyTenths(damage, target, ctx) / 10,
  };
  return [{ rule: 'judgement.repair-hours', inputs }];
}

/** Lists the plans that paint the panel: refinish only, PDR with paint, conventional repair. */
function listPaintPlans({ damages, target, ctx, worstScore, isMissing }: Job): Plan[] {
  if (isMissing) return [];
  const { operations, pdr } = ctx.tables;
  const { facts, name } = target;
  const base = countTenths(facts.refinish_repair_hours);
  const reasons = damages.map((damage) => findReasonAgainstRepair(damage, target, ctx));
  const blendFrom = operations.blend_from_score.score;
  const blends = worstScore >= blendFrom ? listBlends(target, ctx) : [];
  const dents = damages.filter((damage) => damage.type === 'dent' && !isMisaligned(damage));
  const others = damages.filter((damage) => !dents.includes(damage));
  const toPlan = (method: RepairMethod, repairType: RepairType, lines: readonly Line[], basis: string) =>
    makeRepairPlan({ methods: [method] }, repairType, {
      lines: lines.filter((line) => line.hoursTenths > 0),
      refinish: base > 0 ? [{ part: name, baseTenths: base }] : [],
      blends,
      inadequate: reasons.find((reason) => reason !== undefined),
      // Pulling a welded panel is structural work; filler and paint are not.
      ...(repairType === 'panel_repair' && facts.welded && !damages.every(isSurface)
        ? { contractType: 'structural' as const }
        : {}),
      trace: [
        { rule: `option.${method}`, inputs: { part: name, basis, highest_score: worstScore } },
        ...(method === 'pdr_and_paint' ? others : damages).flatMap((one) =>
          explainBodyTime(one, target, ctx),
        ),
        ...(blends.length > 0
          ? [{ rule: 'refinish.blend-adjacent', inputs: { from_score: blendFrom } }]
          : []),
      ],
    });
  const bodyWork = (bodyDamages: readonly PricingDamage[]) => {
    const times = (timed: readonly PricingDamage[]) =>
      timed.map((damage) => computeBodyTenths(damage, target, ctx));
    // Scratches never take longer than sanding and priming the whole panel.
    const surface = Math.min(Math.max(2, base), combineTimes(times(bodyDamages.filter(isSurface))));
    const others = times(bodyDamages.filter((damage) => !isSurface(damage)));
    return makeBodyLine(target, {
      operation: 'Rpr',
      hoursTenths: combineTimes([...others, surface]),
      note: 'judgment time',
    });
  };
  if (damages.every(isSurface) && worstScore < operations.refinish_panel.offered_below)
    return [toPlan('panel_refinish', 'cosmetic', [bodyWork(damages)], 'feather, prime, paint')];
  const isPdrPossible = dents.every((dent) => evaluateLightRepair('pdr', dent, target, ctx) !== undefined);
  const pdrWork = isPdrPossible ? makePdrLine(dents, target, ctx) : undefined;
  const basis = `dents below score ${pdr.with_paint_below_score}`;
  const isRemoved =
    worstScore >= operations.plastic_off.from_score &&
    target.material === 'plastic' &&
    !facts.welded &&
    !damages.every(isSurface);
  const removal = makeBodyLine(target, {
    operation: 'R&I',
    hoursTenths: countTenths(facts.remove_install_hours),
    basis: 'table',
    note: 'off the car for repair and paint',
  });
  const repairLines = [...(isRemoved ? [removal] : []), bodyWork(damages)];
  return [
    ...(pdrWork === undefined ? [] : [toPlan('pdr_and_paint', 'pdr', [pdrWork, bodyWork(others)], basis)]),
    toPlan('panel_repair', 'panel_repair', repairLines, 'hours x type x severity x size'),
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
