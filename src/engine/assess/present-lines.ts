import type { VehicleEstimate } from '../../contract/assessment/estimate.ts';
import type {
  EstimateVersion,
  EstimateLine as WireLine,
  Supplement as WireSupplement,
} from '../../contract/assessment/lines.ts';
import type { Settlement as WireSettlement } from '../../contract/assessment/settlement.ts';
import { type Currency, findExponent, toMajor } from '../../domain/money.ts';
import { defined } from '../../lib/defined.ts';
import { formatCount } from '../../lib/format-count.ts';
import { toPercent } from '../../lib/round.ts';
import type { EstimateDifference } from '../../pricing/lines/difference.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import { resolveCountedIn } from '../../pricing/lines/line.ts';
import type { PricedLine } from '../../pricing/lines/priced-line.ts';
import type { Settlement, SettlementLine } from '../../pricing/lines/settlement.ts';
import type { PricingContext } from '../../pricing/pricing-context.ts';
import type { VehicleAssessment } from '../../pricing/vehicle/assess-vehicle.ts';
import type { IncludedDetails } from './present-option.ts';
import type { EarlierVersion } from './read.ts';

/** Converts estimate lines to wire format; the amounts of the lines counted in the total add up to it. */
export function presentEstimateLines(
  lines: readonly PricedLine[],
  { currency }: PricingContext,
  shown: IncludedDetails,
): WireLine[] {
  const major = (minor: number) => toMajor(minor, currency);
  return lines.map((line) => {
    const { computed, frequency, rateMinor, priceMinor } = line;
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
      labor: major(line.laborMinor),
      price: priceMinor === undefined || !shown.partPrices ? null : major(priceMinor),
      part_source: line.partSource ?? null,
      amount: major(line.amountMinor),
      tax_class: line.taxClass,
      taxable: major(line.taxableMinor),
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
              counted_in: computed.countedIn === 'removed' ? 'none' : computed.countedIn,
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

/** Presents this version of an estimate with its history and, for a supplement, the differences. */
export function presentVersion(
  { version, difference, estimate, grossMinor }: VehicleAssessment,
  earlier: EarlierVersion | undefined,
  now: { readonly id: string; readonly createdAt: string },
  { currency }: PricingContext,
): { version: string; history: EstimateVersion[]; supplement?: WireSupplement } {
  const own: EstimateVersion = {
    version,
    assessment_id: now.id,
    created_at: now.createdAt,
    net_total: toMajor(estimate.total.est, currency),
    gross_total: toMajor(grossMinor, currency),
  };
  if (earlier === undefined || difference === undefined) return { version, history: [own] };
  const history = earlier.history.length === 0 ? [earlier.of] : [...earlier.history];
  const supplement = presentDifference(difference, earlier.of, currency);
  return { version, history: [...history, own], supplement };
}

function presentDifference(
  { lines, netMinor, grossMinor }: EstimateDifference,
  of: EstimateVersion,
  currency: Currency,
): WireSupplement {
  const major = (minor: number) => toMajor(minor, currency);
  return {
    of,
    lines: lines.map(({ change, id, operation, part, hoursTenths, amountMinor, differenceMinor }) => ({
      change,
      line_id: id,
      operation,
      part,
      hours_before: hoursTenths[0] / 10,
      hours_after: hoursTenths[1] / 10,
      amount_before: major(amountMinor[0]),
      amount_after: major(amountMinor[1]),
      difference: major(differenceMinor),
    })),
    net_difference: major(netMinor),
    gross_difference: major(grossMinor),
    currency,
  };
}

/** Converts a settlement to its wire format. */
export function presentSettlement(settlement: Settlement, ctx: PricingContext): WireSettlement {
  const { currency } = ctx;
  const major = (minor: number) => toMajor(minor, currency);
  return {
    lines: settlement.lines.map((line) => ({
      code: line.code,
      description: describeSettlement(line, ctx),
      amount: major(line.amountMinor),
      insurer: major(line.insurerMinor),
      owner: major(line.ownerMinor),
      ...defined({ reason: line.reason }),
    })),
    total: major(settlement.totalMinor),
    insurer_pays: major(settlement.insurerMinor),
    owner_pays: major(settlement.ownerMinor),
    currency,
  };
}

const WORDS = {
  repair: 'Repair, with tax',
  towing: 'Towing',
  storage: 'Storage',
  rental: 'Rental car',
  betterment: 'Betterment',
  prior_damage: 'Prior damage',
  deductible: 'Deductible',
} as const satisfies Record<SettlementLine['code'], string>;

function describeSettlement(
  { code, of, share, days, perDayMinor }: SettlementLine,
  ctx: PricingContext,
): string {
  const percent = share === undefined ? '' : `, ${toPercent(share)} %`;
  const stay =
    days === undefined || perDayMinor === undefined
      ? ''
      : `, ${formatCount(days, 'day')} at ${toMajor(perDayMinor, ctx.currency).toFixed(findExponent(ctx.currency))} ${ctx.currency}`;
  return `${WORDS[code]}${of === undefined ? '' : `: ${formatPart(of)}`}${percent}${stay}`;
}

/** Formats a part for a sentence: `front door, left`. */
const formatPart = (part: string) => part.replace(/_(left|right)$/, ', $1').replaceAll('_', ' ');
