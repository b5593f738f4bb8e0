import type { PricingContext } from '../../pricing-context.ts';
import { listSublets } from '../equipment.ts';
import { countTenths } from '../refinish.ts';
import { type Line, nameOption, type Plan, type Reason, type RepairMethod } from '../repair-plan.ts';
import { isGlass, type Target } from '../target.ts';
import {
  choosePart,
  type Job,
  listBlends,
  makeConsumable,
  makeLine,
  makeRepairPlan,
  type NewPartSource,
} from './make-plan.ts';

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
