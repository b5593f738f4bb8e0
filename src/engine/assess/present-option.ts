import type { PartRequired, RepairOption } from '../../contract/assessment/option.ts';
import { toMajor } from '../../domain/money.ts';
import { formatCount } from '../../lib/format-count.ts';
import { toPercent } from '../../lib/numbers.ts';
import {
  type Approach,
  type PlanPart,
  REASONS,
  REPAIR_METHODS,
  type Reason,
} from '../../pricing/option/repair-plan.ts';
import type { PricingContext } from '../../pricing/pricing-context.ts';
import type { Tables } from '../../pricing/tables/load.ts';
import type { AssessedDamage } from '../../pricing/vehicle/assess-vehicle.ts';
import { presentRepairType } from '../present-repair.ts';
import type { CheckedAssessment } from './read.ts';

/** Optional parts of an assessment's wire format. */
export type IncludedDetails = Pick<CheckedAssessment, 'partPrices' | 'timeline'>;

function presentParts(
  parts: readonly PlanPart[],
  ctx: PricingContext,
  shown: IncludedDetails,
): PartRequired[] {
  const major = (minor: number) => toMajor(minor, ctx.currency);
  return parts.map((part) => ({
    part: part.part,
    type: part.type,
    source: part.source,
    ...(shown.partPrices && {
      oem_price: major(part.priceMinor),
      aftermarket_price: major(part.aftermarketMinor ?? part.oemMinor ?? part.priceMinor),
      ...(part.recycledMinor !== undefined && { recycled_price: major(part.recycledMinor) }),
      ...(part.source !== 'oem' && part.oemMinor !== undefined && { oem_list_price: major(part.oemMinor) }),
    }),
    currency: ctx.currency,
  }));
}

/** Converts a repair option to wire format; its sums add up to the minor unit. */
export function presentOption(
  { option, recommended, reason, timeline }: AssessedDamage['options'][number],
  ctx: PricingContext,
  shown: IncludedDetails,
): RepairOption {
  const { currency } = ctx;
  const major = (minor: number) => toMajor(minor, currency);
  return {
    option: option.plan.option,
    description: describeOption(option.plan),
    recommended,
    ...presentRepairType(option.plan),
    parts_required: presentParts(option.parts, ctx, shown),
    labor: {
      hours: option.hoursTenths / 10,
      rate_per_hour: major(option.rateMinor),
      total: major(option.laborMinor),
      currency,
    },
    total_cost: {
      parts: major(option.partsMinor),
      labor: major(option.laborMinor),
      total: major(option.total.est),
      currency,
    },
    ...(shown.timeline && {
      timeline: {
        estimated_days: timeline.days,
        description: formatCount(timeline.days, 'working day'),
        formula: timeline.formula,
      },
    }),
    cost_range: { min: major(option.total.min), max: major(option.total.max), currency },
    ...(reason && {
      not_recommended_reason: { code: reason, message: listReasonWords(ctx.tables.operations)[reason] },
    }),
    explain: [...option.plan.trace],
  };
}

const SOURCE_WORDS = { aftermarket: 'an aftermarket part', recycled: 'a recycled part' } as const;

/** Describes a repair option, a sentence for each of its methods. */
function describeOption({ methods, source }: Approach): string {
  const words = methods.map((method) => REPAIR_METHODS[method]).join(' ');
  return source === undefined ? words : `${words.slice(0, -1)}, with ${SOURCE_WORDS[source]}.`;
}

/** Writes the sentence of each reason against an option. */
export const listReasonWords = ({
  replace_rule,
}: Tables['operations']): Readonly<Record<Reason, string>> => ({
  ...REASONS,
  repair_near_replacement_cost: `The repair costs ${toPercent(replace_rule.near_share)} % of this or more: ask whether a new part is worth the rest.`,
});
