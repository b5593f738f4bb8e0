import type {
  EstimateVersion,
  EstimateLine as WireLine,
  Supplement as WireSupplement,
} from '../../contract/assessment/lines.ts';
import type { Settlement as WireSettlement } from '../../contract/assessment/settlement.ts';
import { type Currency, toMajor, toMinor } from '../../domain/money.ts';
import { VehiError } from '../../lib/errors.ts';
import { differenceOf, type EarlierLine, nextVersion } from '../../pricing/lines/difference.ts';
import { amountOf, type EstimateLine, labourOf, rateOf } from '../../pricing/lines/line.ts';
import type { Settlement, SettlementLine } from '../../pricing/lines/settlement.ts';
import type { PricingContext } from '../../pricing/pricing-context.ts';
import { taxableOf, taxBaseOf } from '../../pricing/vehicle/tax.ts';
import type { Shown } from './present-option.ts';
import type { EarlierVersion } from './supplement-request.ts';

const countedIn = (counted: EstimateLine['counted']) => (counted === 'removed' ? 'none' : counted);

/** Returns the lines of an estimate in their wire form; the amounts of those in the total add up to it. */
export function presentEstimateLines(
  lines: readonly EstimateLine[],
  ctx: PricingContext,
  shown: Shown,
): WireLine[] {
  const { currency } = ctx;
  const major = (minor: number) => toMajor(minor, currency);
  const base = taxBaseOf(ctx);
  return lines.map((line) => {
    const rate = rateOf(line, ctx);
    const { computed, frequency } = line;
    const priced = line.goodsMinor !== 0 || line.taxClass !== 'labour';
    return {
      line_id: line.id,
      number: line.number,
      group: line.group,
      operation: line.operation,
      part: line.part,
      ...(line.because === undefined ? {} : { because_of: line.because }),
      damage_ids: [...line.damageIds],
      department: line.department,
      hours: line.hoursTenths / 10,
      rate_per_hour: rate === null ? null : major(rate),
      labor: major(labourOf(line, ctx)),
      price: priced && shown.partPrices && line.group !== 'rounding' ? major(line.goodsMinor) : null,
      part_source: line.partSource ?? null,
      amount: major(amountOf(line, ctx)),
      tax_class: line.taxClass,
      taxable: major(taxableOf(line, base, ctx)),
      currency,
      counted_in: countedIn(line.counted),
      ...(frequency === undefined ? {} : { share_of_jobs: frequency }),
      basis: line.basis,
      note: line.note,
      source: line.source,
      set_by: line.setByPerson ? ('person' as const) : ('rule' as const),
      ...(computed === undefined
        ? {}
        : {
            computed: {
              hours: computed.hoursTenths / 10,
              price: major(computed.priceMinor),
              counted_in: countedIn(computed.counted),
            },
          }),
      ...(line.reason === undefined ? {} : { reason: line.reason }),
    };
  });
}

/** Returns this version of an estimate with those before it, and what it changes; `net` and `gross` in minor units. */
export function presentVersion(
  earlier: EarlierVersion | undefined,
  now: { id: string; createdAt: string; lines: readonly EstimateLine[]; net: number; gross: number },
  ctx: PricingContext,
): { version: string; history: EstimateVersion[]; supplement?: WireSupplement } {
  const { currency } = ctx;
  const version = earlier === undefined ? 'E01' : nextVersion(earlier.of.version);
  const own: EstimateVersion = {
    version,
    assessment_id: now.id,
    created_at: now.createdAt,
    net_total: toMajor(now.net, currency),
    gross_total: toMajor(now.gross, currency),
  };
  if (earlier === undefined) return { version, history: [own] };
  const history = earlier.history.length === 0 ? [earlier.of] : [...earlier.history];
  return { version, history: [...history, own], supplement: supplementOf(earlier, now, ctx) };
}

function supplementOf(
  earlier: EarlierVersion,
  now: { lines: readonly EstimateLine[]; net: number; gross: number },
  ctx: PricingContext,
): WireSupplement {
  const { currency } = ctx;
  if (earlier.currency !== currency)
    throw new VehiError(
      'input',
      'INVALID_CURRENCY',
      `supplement_to is in ${earlier.currency}, this estimate in ${currency}.`,
      { field: 'assessment_options.currency', hint: `Ask for ${earlier.currency}.` },
    );
  const before = earlier.lines.map(({ amount, ...line }) => ({
    ...line,
    amountMinor: toMinor(amount, currency),
  }));
  const lines = differenceOf(before, earlierLines(now.lines, ctx));
  const major = (minor: number) => toMajor(minor, currency);
  return {
    of: earlier.of,
    lines: lines.map(({ change, id, operation, part, hoursTenths, amountMinor }) => ({
      change,
      line_id: id,
      operation,
      part,
      hours_before: hoursTenths[0] / 10,
      hours_after: hoursTenths[1] / 10,
      amount_before: major(amountMinor[0]),
      amount_after: major(amountMinor[1]),
      difference: major(amountMinor[1] - amountMinor[0]),
    })),
    net_difference: major(now.net - minorOf(earlier.of.net_total, currency)),
    gross_difference: major(now.gross - minorOf(earlier.of.gross_total, currency)),
    currency,
  };
}

const minorOf = (amount: number, currency: Currency) => toMinor(amount, currency);

/** Returns the lines that count, as a later version compares with them. */
function earlierLines(lines: readonly EstimateLine[], ctx: PricingContext): EarlierLine[] {
  return lines
    .filter((line) => line.counted === 'total')
    .map((line) => ({
      id: line.id,
      operation: line.operation,
      part: line.part,
      hoursTenths: line.hoursTenths,
      amountMinor: amountOf(line, ctx),
    }));
}

/** Returns in wire form who pays what. */
export function presentSettlement(settlement: Settlement, ctx: PricingContext): WireSettlement {
  const { currency } = ctx;
  const major = (minor: number) => toMajor(minor, currency);
  return {
    lines: settlement.lines.map((line) => ({
      code: line.code,
      description: settlementWords(line, ctx),
      amount: major(line.amountMinor),
      insurer: major(line.insurerMinor),
      owner: major(line.ownerMinor),
      ...(line.reason === undefined ? {} : { reason: line.reason }),
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

function settlementWords(
  { code, of, share, days, perDayMinor }: SettlementLine,
  ctx: PricingContext,
): string {
  const percent = share === undefined ? '' : `, ${Math.round(share * 10000) / 100} %`;
  const stay =
    days === undefined || perDayMinor === undefined
      ? ''
      : `, ${days} day${days === 1 ? '' : 's'} at ${toMajor(perDayMinor, ctx.currency)} ${ctx.currency}`;
  return `${WORDS[code]}${of === undefined ? '' : `: ${of.replaceAll('_', ' ')}`}${percent}${stay}`;
}
