import { toMinor } from '../../../domain/money.ts';
import type { PricingContext } from '../../pricing-context.ts';
import { isMisaligned, isSurface, type PricingDamage } from '../damage.ts';
import { combineTimes, computeSeverityFactor, scoreTenths } from '../judgement.ts';
import type { Line, Plan, Reason } from '../repair-plan.ts';
import type { Target } from '../target.ts';
import { makeConsumable, makeRepairPlan } from './parts.ts';

const isGlass = ({ facts }: Target) => facts.kind === 'laminated_glass' || facts.kind === 'tempered_glass';
const findWorst = (reasons: readonly (Reason | undefined)[]) =>
  reasons.find((reason) => reason !== undefined);

function makeLine(operation: Line['operation'], target: Target, hoursTenths: number, note: string): Line {
  return {
    operation,
    part: target.name,
    department: isGlass(target) ? 'glass' : target.facts.department,
    hoursTenths,
    basis: 'judgement',
    note,
  };
}

/**
 * Returns the plans for glass: polish where it is scratched, resin in a chip of laminated glass. Anything else is
 * replaced.
 */
export function listGlassPlans(
  damages: readonly PricingDamage[],
  target: Target,
  ctx: PricingContext,
): Plan[] {
  const { polish, glass_repair } = ctx.tables.operations;
  if (damages.some((damage) => damage.subtype === 'missing_part')) return [];
  const times = (row: { hours: number; per_point: number }) =>
    combineTimes(damages.map((damage) => scoreTenths(row, damage.severityScore)));
  if (damages.every(isSurface)) {
    const reason = damages.every((damage) => damage.severityScore < polish.offered_below)
      ? undefined
      : 'too_large';
    return [
      makeRepairPlan('glass_polish', 'cosmetic', {
        lines: [makeLine('Pol', target, times(polish), 'polish the glass')],
        parts: [makeConsumable(polish, ctx)],
        inadequate: reason,
        trace: [{ rule: 'option.glass-polish', inputs: { part: target.name } }],
      }),
    ];
  }
  if (target.facts.kind === 'tempered_glass') return [];
  const findReason = (damage: PricingDamage): Reason | undefined => {
    if (damage.severityScore >= glass_repair.adequate_below) return 'broken_glass';
    return (damage.sizeCm ?? 0) > glass_repair.max_size_cm ? 'too_large' : undefined;
  };
  const resin = makeLine('Rpr', target, times(glass_repair), 'resin');
  const { chip_repair: flat } = ctx.region;
  const each = flat && toMinor(flat.amount * (ctx.fx?.rate ?? 1), ctx.currency);
  const minor = each && combineTimes(damages.map(() => each));
  return [
    makeRepairPlan('glass_repair', 'cosmetic', {
      ...(flat === undefined || minor === undefined
        ? { lines: [resin], parts: [makeConsumable(glass_repair, ctx)] }
        : {
            lines: [{ ...resin, basis: 'table', fixed: { minor, listMinor: minor }, source: flat.source }],
          }),
      inadequate: findWorst(damages.map(findReason)),
      trace: [
        { rule: 'option.glass-repair', inputs: { part: target.name, max_size_cm: glass_repair.max_size_cm } },
      ],
    }),
  ];
}

/** Returns the plans for a lamp: restoration of a dull lens, alignment of a shifted lamp. A broken lamp is replaced. */
export function listLampPlans(
  damages: readonly PricingDamage[],
  target: Target,
  ctx: PricingContext,
): Plan[] {
  const { lens_polish, align } = ctx.tables.operations;
  if (!damages.every((damage) => isSurface(damage) || isMisaligned(damage))) return [];
  const dull = damages.filter((damage) => !isMisaligned(damage));
  const moved = damages.filter(isMisaligned);
  const time = (of: readonly PricingDamage[], row: { hours: number; per_point: number }) =>
    combineTimes(of.map((damage) => scoreTenths(row, damage.severityScore)));
  const inadequate = findWorst(
    damages.map((damage): Reason | undefined =>
      damage.severityScore >= lens_polish.adequate_below ? 'broken_lamp' : undefined,
    ),
  );
  return [
    makeRepairPlan(dull.length > 0 ? 'lens_restoration' : 'alignment', 'cosmetic', {
      lines: [
        ...(dull.length > 0
          ? [makeLine('Pol', target, time(dull, lens_polish), 'sand, polish, seal the lens')]
          : []),
        ...(moved.length > 0 ? [makeLine('Algn', target, time(moved, align), 'refit and aim')] : []),
      ],
      parts: dull.length > 0 ? [makeConsumable(lens_polish, ctx)] : [],
      inadequate,
      trace: [
        { rule: 'option.lens-restoration', inputs: { part: target.name, below: lens_polish.adequate_below } },
      ],
    }),
  ];
}

/** Returns the plans for a mechanical part: repair in place; safety parts are replaced. */
export function listMechanicalPlans(
  damages: readonly PricingDamage[],
  target: Target,
  ctx: PricingContext,
): Plan[] {
  const { operations } = ctx.tables;
  if (target.facts.repair_hours === 0 || damages.some((damage) => damage.subtype === 'missing_part'))
    return [];
  const findReason = (damage: PricingDamage): Reason | undefined => {
    const { offered_below, crack_repairable_below } = operations.mechanical_repair;
    if (target.facts.safety) return 'safety_part';
    if (damage.severityScore >= offered_below) return 'critical_damage';
    return damage.type === 'crack' && damage.severityScore >= crack_repairable_below
      ? 'crack_in_mechanical_part'
      : undefined;
  };
  const hours = (damage: PricingDamage) =>
    target.facts.repair_hours * computeSeverityFactor(damage.severityScore, operations);
  return [
    makeRepairPlan('mechanical_repair', 'panel_repair', {
      lines: [
        makeLine(
          'Rpr',
          target,
          combineTimes(damages.map((damage) => Math.max(2, Math.round(hours(damage) * 10)))),
          'judgement time',
        ),
      ],
      inadequate: findWorst(damages.map(findReason)),
      trace: [{ rule: 'option.mechanical-repair', inputs: { part: target.name } }],
    }),
  ];
}
