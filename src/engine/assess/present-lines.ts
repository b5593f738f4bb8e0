import type { VehicleEstimate, EstimateLine as WireLine } from '../../contract/assessment/estimate.ts';
import { toMajor } from '../../domain/money.ts';
import { defined } from '../../lib/objects.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import type { PricedLine } from '../../pricing/lines/finish-line.ts';
import type { PricingContext } from '../../pricing/pricing-context.ts';
import type { IncludedDetails } from './present-option.ts';

/** Converts estimate lines to wire format; the amounts of the lines counted in the total add up to it. */
export function presentEstimateLines(
  lines: readonly PricedLine[],
  ctx: PricingContext,
  shown: IncludedDetails,
): WireLine[] {
  const { currency } = ctx;
  const major = (minor: number) => toMajor(minor, currency);
  const majorOrNull = (minor: number | null) => (minor === null ? null : major(minor));
  return lines.map((line) => ({
    line_id: line.id,
    number: line.number,
    group: line.group,
    operation: line.operation,
    part: line.part,
    ...defined({ because_of: line.requiredBy }),
    damage_ids: [...line.damageIds],
    ...defined({ quantity: line.quantity }),
    department: line.department,
    hours: line.hoursTenths / 10,
    ...(line.overlapTenths === undefined ? {} : { overlap_hours: line.overlapTenths / 10 }),
    rate_per_hour: majorOrNull(line.rateMinor),
    labor: major(line.laborMinor),
    price: shown.partPrices ? majorOrNull(line.priceMinor) : null,
    part_source: line.partSource ?? null,
    amount: major(line.amountMinor),
    tax_class: line.taxClass,
    taxable: major(line.taxableMinor),
    currency,
    counted_in: line.countedIn,
    ...defined({ share_of_jobs: line.frequency }),
    basis: line.basis,
    note: line.note,
    source: line.source,
    set_by: line.isManual ? 'person' : 'rule',
    ...(line.computed && {
      computed: {
        hours: line.computed.hoursTenths / 10,
        ...(shown.partPrices &&
          line.computed.priceMinor !== undefined && { price: major(line.computed.priceMinor) }),
        counted_in: line.computed.countedIn,
      },
    }),
    ...defined({ reason: line.reason }),
  }));
}

/** Converts agreed part prices to wire format; omits the field if there are none. */
export function presentAgreed(
  { agreed = [] }: LineEdits,
  { currency }: PricingContext,
): Pick<VehicleEstimate, 'agreed_prices'> {
  if (agreed.length === 0) return {};
  return {
    agreed_prices: agreed.map(({ part, priceMinor, reason }) => ({
      part,
      price: toMajor(priceMinor, currency),
      ...defined({ reason }),
    })),
  };
}
