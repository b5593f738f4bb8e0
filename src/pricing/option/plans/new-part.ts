import { roundHalfAway } from '../../../domain/money.ts';
import type { PricingContext } from '../../pricing-context.ts';
import { listSublets } from '../equipment.ts';
import {
  type Line,
  nameOption,
  type Plan,
  type PlanPart,
  type Reason,
  type RepairMethod,
} from '../repair-plan.ts';
import { countTenths } from '../repair-time.ts';
import { isGlass, type Target } from '../target.ts';
import { type Job, listBlends, makeConsumable, makeLine, makeRepairPlan } from './make-plan.ts';

const TYPE_OF_KIND = {
  painted: 'body_part',
  module: 'body_part',
  laminated_glass: 'glass',
  tempered_glass: 'glass',
  lamp: 'lamp',
  mechanical: 'mechanical_part',
} as const;

export const NEW_PART_SOURCES = ['oem', 'aftermarket', 'recycled'] as const;
type NewPartSource = (typeof NEW_PART_SOURCES)[number];

/** Returns the part from one source; undefined if that source does not offer it. */
export function choosePart(source: NewPartSource, target: Target): PlanPart | undefined {
  const { facts, oemMinor } = target;
  const scaleOemPrice = (ratio: number | null) =>
    ratio === null ? undefined : roundHalfAway(oemMinor * ratio);
  const aftermarketMinor = scaleOemPrice(facts.aftermarket_ratio);
  const recycledMinor = scaleOemPrice(facts.recycled_ratio);
  const priceMinor = { oem: oemMinor, aftermarket: aftermarketMinor, recycled: recycledMinor }[source];
  const part = { part: target.name, type: TYPE_OF_KIND[facts.kind], source };
  return priceMinor === undefined
    ? undefined
    : { ...part, priceMinor, oemMinor, aftermarketMinor, recycledMinor };
}

/** Creates the labor lines for a new part: R&R or sectioning, plus aiming or alignment if the table has a time. */
function listFittingLines(target: Target, isSection: boolean, ctx: PricingContext): Line[] {
  const { kind, replace_hours, section_hours, aim_hours } = target.facts;
  const level = isGlass(target) ? (ctx.region.price_level?.glass_hours ?? 1) : 1;
  const line = (operation: Line['operation'], hours: number, note: string) =>
    makeLine(target, { operation, hoursTenths: countTenths(hours * level), basis: 'table', note });
  return [
    isSection ? line('Sect', section_hours, 'section at the window') : line('R&R', replace_hours, 'replace'),
    ...(aim_hours > 0 ? [line('Algn', aim_hours, kind === 'lamp' ? 'aim' : 'alignment')] : []),
  ];
}

/** A way to replace a part; sections and structural work always take an OEM part. */
interface NewPart {
  readonly method: RepairMethod;
  readonly source?: NewPartSource;
  readonly inadequate?: Reason | undefined;
}

/** Plans fitting a new part, painted if the table requires it; empty if the source does not offer the part. */
export function planNewPart({ target, ctx }: Job, { method, source = 'oem', inadequate }: NewPart): Plan[] {
  const part = choosePart(source, target);
  if (part === undefined) return [];
  const base = countTenths(target.facts.refinish_new_hours);
  const approach = { methods: [method], ...(source === 'oem' ? {} : { source }) };
  return [
    makeRepairPlan(approach, 'replacement', {
      role: source === 'oem' ? 'replacement' : 'alternative_part',
      lines: listFittingLines(target, method === 'section_replacement', ctx),
      refinish: base > 0 ? [{ part: target.name, baseTenths: base }] : [],
      blends: base > 0 ? listBlends(target, ctx) : [],
      parts: [
        part,
        ...(isGlass(target) ? [makeConsumable(ctx.tables.operations.glass_replacement, ctx)] : []),
        ...listSublets(target.name, ctx),
      ],
      inadequate,
      trace: [{ rule: `option.${nameOption(approach)}`, inputs: { part: target.name, source } }],
    }),
  ];
}
