import type { OperationLine, PartRequired, RepairOption } from '../../contract/assessment/option.ts';
import type { RuleTrace } from '../../domain/damage.ts';
import { toMajor } from '../../domain/money.ts';
import type { Line, PlanPart } from '../../pricing/option/repair-plan.ts';
import type { PricingContext } from '../../pricing/pricing-context.ts';
import type { AssessedOption } from '../../pricing/vehicle/assess-vehicle.ts';
import { optionWords, REASON_WORDS } from './assessment-words.ts';

/** What of an assessment's wire form the caller may leave out. */
export interface Shown {
  readonly partPrices: boolean;
  readonly timeline: boolean;
}

/** Returns rule traces as mutable wire objects. */
export function wireTrace(traces: readonly RuleTrace[]) {
  return traces.map(({ rule, inputs }) => ({ rule, inputs: { ...inputs } }));
}

/** Returns the parts of an option in their wire form. */
export function presentParts(parts: readonly PlanPart[], ctx: PricingContext, shown: Shown): PartRequired[] {
  const major = (minor: number) => toMajor(minor, ctx.currency);
  return parts.map((part) => ({
    part: part.part,
    type: part.type,
    source: part.source,
    ...(shown.partPrices
      ? {
          oem_price: major(part.priceMinor),
          aftermarket_price: major(part.aftermarketMinor ?? part.oemMinor ?? part.priceMinor),
          ...(part.recycledMinor === undefined ? {} : { recycled_price: major(part.recycledMinor) }),
          ...(part.source === 'oem' || part.oemMinor === undefined
            ? {}
            : { oem_list_price: major(part.oemMinor) }),
        }
      : {}),
    currency: ctx.currency,
  }));
}

const FITTING: readonly Line['operation'][] = ['R&R', 'Sect'];

/**
 * Returns the estimate lines in their wire form; the line that fits a part carries its price, consumables are listed
 * with the parts.
 */
export function presentLines(
  lines: readonly Line[],
  parts: readonly PlanPart[],
  ctx: PricingContext,
  shown: Shown,
): OperationLine[] {
  return lines.map((line) => {
    const fitted = FITTING.includes(line.operation)
      ? parts.find((part) => part.part === line.part && part.type !== 'consumable')
      : undefined;
    const priceMinor = fitted?.priceMinor ?? line.fixed?.minor;
    const hours = (department: Line['department']) =>
      line.department === department ? line.hoursTenths / 10 : 0;
    return {
      operation: line.operation,
      part: line.part,
      department: line.department,
      type: fitted?.source ?? null,
      price: priceMinor === undefined || !shown.partPrices ? null : toMajor(priceMinor, ctx.currency),
      body_hours: hours('body') + hours('aluminium') + hours('glass') + hours('pdr'),
      refinish_hours: hours('refinish'),
      mechanical_hours: hours('mechanical'),
      structural_hours: hours('structural'),
      basis: line.basis,
      note: line.note,
    };
  });
}

/** Returns one repair option in its wire form; its sums add up to the minor unit. */
export function presentOption(
  { option, recommended, reason, timeline }: AssessedOption,
  ctx: PricingContext,
  shown: Shown,
): RepairOption {
  const { currency } = ctx;
  const major = (minor: number) => toMajor(minor, currency);
  return {
    option: option.plan.option,
    description: optionWords(option.plan.option),
    recommended,
    repair_type: option.plan.repairType,
    parts_required: presentParts(option.parts, ctx, shown),
    labor: {
      hours: option.hoursTenths / 10,
      rate_per_hour: major(option.rateMinor),
      total: major(option.labour.est),
      currency,
    },
    total_cost: {
      parts: major(option.partsCost.est),
      labor: major(option.labour.est),
      total: major(option.total.est),
      currency,
    },
    ...(shown.timeline
      ? {
          timeline: {
            estimated_days: timeline.days,
            description: `${timeline.days} working day${timeline.days === 1 ? '' : 's'}`,
            formula: timeline.formula,
          },
        }
      : {}),
    cost_range: { min: major(option.total.min), max: major(option.total.max), currency },
    operations: presentLines(option.lines, option.parts, ctx, shown),
    ...(reason === undefined
      ? {}
      : { not_recommended_reason: { code: reason, message: REASON_WORDS[reason] } }),
    explain: wireTrace(option.plan.trace),
  };
}
