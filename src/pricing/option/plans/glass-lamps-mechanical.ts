import { toMinor } from '../../../domain/money.ts';
import { isSafetyPart } from '../../../domain/parts.ts';
import { compact } from '../../../lib/lists.ts';
import type { PricingContext } from '../../pricing-context.ts';
import { isMisaligned, isSurface, type PricingDamage } from '../damage.ts';
import type { Line, Plan, Reason } from '../repair-plan.ts';
import { assumeSizeCm, combineJobs, type ScoredHours, timeMechanicalRepair } from '../repair-time.ts';
import { type Job, makeConsumable, makeLine, makeRepairPlan, timeDamages } from './make-plan.ts';

/**
 * Lists the repair plans of glass: polishing for scratches, resin for chips in laminated glass. Other damage requires
 * replacement.
 */
export function listGlassPlans({ damages, target, ctx, worstScore, isMissing }: Job): Plan[] {
  const { polish, glass_repair } = ctx.tables.operations;
  if (isMissing) return [];
  if (damages.every(isSurface)) {
    const hoursTenths = timeDamages(damages, polish);
    return [
      makeRepairPlan({ methods: ['glass_polish'] }, 'cosmetic', {
        lines: [makeLine(target, { operation: 'Pol', hoursTenths, note: 'polish the glass' })],
        parts: [makeConsumable(polish, ctx)],
        inadequate: worstScore < polish.offered_below ? undefined : 'too_large',
        trace: [{ rule: 'option.glass_polish', inputs: { part: target.name } }],
      }),
    ];
  }
  if (target.facts.kind === 'tempered_glass') return [];
  const findReason = (damage: PricingDamage): Reason | undefined => {
    if (damage.severityScore >= glass_repair.adequate_below) return 'broken_glass';
    return assumeSizeCm(damage, ctx.tables.operations) > glass_repair.max_size_cm ? 'too_large' : undefined;
  };
  const hoursTenths = timeDamages(damages, glass_repair);
  const resin = makeLine(target, { operation: 'Rpr', hoursTenths, note: 'resin' });
  const fixedPrice = priceChipRepair(damages.length, ctx);
  return [
    makeRepairPlan({ methods: ['glass_repair'] }, 'cosmetic', {
      lines: [{ ...resin, ...fixedPrice }],
      ...(fixedPrice === undefined ? { parts: [makeConsumable(glass_repair, ctx)] } : {}),
      inadequate: compact(damages.map(findReason))[0],
      trace: [
        { rule: 'option.glass_repair', inputs: { part: target.name, max_size_cm: glass_repair.max_size_cm } },
      ],
    }),
  ];
}

/** Returns the region's fixed price for repairing chips, resin included; undefined if it has none. */
function priceChipRepair(chips: number, { region, fx, currency }: PricingContext) {
  const { chip_repair: price } = region;
  if (price === undefined) return undefined;
  const eachMinor = toMinor(price.amount * (fx?.rate ?? 1), currency);
  const minor = combineJobs(Array<number>(chips).fill(eachMinor));
  return { basis: 'table', fixed: { minor, listMinor: minor }, source: price.source } as const;
}

/** Lists the repair plans of a lamp: lens restoration and realignment. A broken lamp is replaced. */
export function listLampPlans({ damages, target, ctx, worstScore }: Job): Plan[] {
  const { lens_polish, align } = ctx.tables.operations;
  if (!damages.every((damage) => isSurface(damage) || isMisaligned(damage))) return [];
  const dull = damages.filter((damage) => !isMisaligned(damage));
  const displaced = damages.filter(isMisaligned);
  const make = (all: readonly PricingDamage[], row: ScoredHours, line: Pick<Line, 'operation' | 'note'>) =>
    all.length === 0 ? [] : [makeLine(target, { ...line, hoursTenths: timeDamages(all, row) })];
  const method = dull.length > 0 ? 'lens_restoration' : 'alignment';
  return [
    makeRepairPlan({ methods: [method] }, 'cosmetic', {
      lines: [
        ...make(dull, lens_polish, { operation: 'Pol', note: 'sand, polish, seal the lens' }),
        ...make(displaced, align, { operation: 'Algn', note: 'refit and aim' }),
      ],
      parts: dull.length > 0 ? [makeConsumable(lens_polish, ctx)] : [],
      inadequate: worstScore >= lens_polish.adequate_below ? 'broken_lamp' : undefined,
      trace: [{ rule: `option.${method}`, inputs: { part: target.name, below: lens_polish.adequate_below } }],
    }),
  ];
}

/** Lists the repair plans of a mechanical part: repair in place, inadequate for safety parts. */
export function listMechanicalPlans({ damages, target, ctx, isMissing }: Job): Plan[] {
  const { operations } = ctx.tables;
  const { repair_hours } = target.facts;
  if (repair_hours === 0 || isMissing) return [];
  const findReason = (damage: PricingDamage): Reason | undefined => {
    const { offered_below, crack_repairable_below } = operations.mechanical_repair;
    if (isSafetyPart(target.name)) return 'safety_part';
    if (damage.severityScore >= offered_below) return 'critical_damage';
    return damage.type === 'crack' && damage.severityScore >= crack_repairable_below
      ? 'crack_in_mechanical_part'
      : undefined;
  };
  const hoursTenths = combineJobs(
    damages.map(({ severityScore }) => timeMechanicalRepair(severityScore, repair_hours, operations)),
  );
  return [
    makeRepairPlan({ methods: ['mechanical_repair'] }, 'panel_repair', {
      lines: [makeLine(target, { operation: 'Rpr', hoursTenths, note: 'judgment time' })],
      inadequate: compact(damages.map(findReason))[0],
      trace: [{ rule: 'option.mechanical_repair', inputs: { part: target.name } }],
    }),
  ];
}
