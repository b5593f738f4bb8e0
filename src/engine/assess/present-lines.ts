import type { VehicleEstimate } from '../../contract/assessment/estimate.ts';
import type { EstimateLine as WireLine } from '../../contract/assessment/lines.ts';
import { toMajor } from '../../domain/money.ts';
import { defined } from '../../lib/objects.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import {
  type EstimateLine,
  findRate,
  priceLabor,
  priceLine,
  resolveCountedIn,
} from '../../pricing/lines/line.ts';
import type { PricingContext } from '../../pricing/pricing-context.ts';
import { computeTaxable } from '../../pricing/vehicle/tax.ts';
import type { IncludedDetails } from './present-option.ts';

/** Converts estimate lines to wire format; the amounts of the lines counted in the total add up to it. */
export function presentEstimateLines(
  lines: readonly EstimateLine[],
  ctx: PricingContext,
  shown: IncludedDetails,
): WireLine[] {
  const { currency } = ctx;
  const major = (minor: number) => toMajor(minor, currency);
  return lines.map((line) => {
    const { computed, frequency } = line;
    const rateMinor = findRate(line, ctx);
    const hasGoods = line.group !== 'rounding' && (line.goodsMinor !== 0 || line.taxClass !== 'labor');
    return {
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
      rate_per_hour: rateMinor === null ? null : major(rateMinor),
      labor: major(priceLabor(line, ctx)),
      price: hasGoods && shown.partPrices ? major(line.goodsMinor) : null,
      part_source: line.partSource ?? null,
      amount: major(priceLine(line, ctx)),
      tax_class: line.taxClass,
      taxable: major(computeTaxable(line, ctx)),
      currency,
      counted_in: resolveCountedIn(line),
      ...defined({ share_of_jobs: frequency }),
      basis: line.basis,
      note: line.note,
      source: line.source,
      set_by: line.isManual ? ('person' as const) : ('rule' as const),
      ...(computed === undefined
        ? {}
        : {
            computed: {
              hours: computed.hoursTenths / 10,
              price: major(computed.priceMinor),
              counted_in: resolveCountedIn({ countedIn: computed.countedIn, weight: line.weight }),
            },
          }),
      ...defined({ reason: line.reason }),
    };
  });
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
