import { roundHalfAway } from '../../domain/money.ts';
import type { SettlementCode } from '../../domain/settlement.ts';
import { makeFieldError } from '../../lib/errors.ts';
import { sumBy } from '../../lib/sum.ts';
import { sumDepartmentTenths } from '../option/price.ts';
import type { PricingContext } from '../pricing-context.ts';
import { computeTaxable, findTaxBase, type Tax } from '../vehicle/tax.ts';
import { type EstimateLine, isCounted, priceLine } from './line.ts';

/** A share or amount borne by the owner; `field` is its location in the request, for errors. */
export interface Deduction {
  readonly field: string;
  /** A part or line id; the whole repair if absent. */
  readonly of?: string | undefined;
  /** 0 to 1. */
  readonly share?: number | undefined;
  readonly amountMinor?: number | undefined;
  readonly reason?: string | undefined;
}

/** Settlement terms; amounts in minor units, including tax. */
export interface SettlementTerms {
  readonly deductibleMinor?: number | undefined;
  readonly betterment: readonly Deduction[];
  readonly priorDamage: readonly Deduction[];
  readonly towingMinor?: number | undefined;
  readonly storage?: { readonly days: number; readonly perDayMinor: number } | undefined;
  readonly rental?: { readonly days: number; readonly perDayMinor: number } | undefined;
}

/** A settlement line: its effect on the bill and on the insurer's and owner's shares, in minor units. */
export interface SettlementLine {
  readonly code: SettlementCode;
  readonly amountMinor: number;
  readonly insurerMinor: number;
  readonly ownerMinor: number;
  /** Part or line that a deduction applies to; absent for storage and rental. */
  readonly of?: string | undefined;
  readonly share?: number | undefined;
  readonly days?: number | undefined;
  readonly perDayMinor?: number | undefined;
  readonly reason?: string | undefined;
}

/** Split of the total between insurer and owner, in minor units. */
export interface Settlement {
  readonly lines: readonly SettlementLine[];
  readonly totalMinor: number;
  readonly insurerMinor: number;
  readonly ownerMinor: number;
}

/** The bill to settle: the lines of an estimate and their total with tax. */
interface Bill {
  readonly lines: readonly EstimateLine[];
  readonly grossMinor: number;
  readonly tax: Tax | undefined;
}

/**
 * Splits the bill. The insurer pays repair with tax, towing, storage and rental, less prior damage, betterment and one
 * deductible, down to zero. The owner pays the remainder.
 * @throws VehiError INVALID_REQUEST for a deduction of a part or line that is not in the estimate.
 */
export function settle(terms: SettlementTerms, bill: Bill, ctx: PricingContext): Settlement {
  const billed = [
    makeBillLine('repair', bill.grossMinor),
    ...(terms.towingMinor === undefined ? [] : [makeBillLine('towing', terms.towingMinor)]),
    ...(['storage', 'rental'] as const).flatMap((code) => {
      const stay = terms[code];
      if (stay === undefined) return [];
      return [{ ...makeBillLine(code, roundHalfAway(stay.days * stay.perDayMinor)), ...stay }];
    }),
  ];
  const totalMinor = sumBy(billed, (line) => line.amountMinor);
  let remaining = totalMinor;
  const fromInsurer = (
    code: SettlementCode,
    requested: number,
    more?: Partial<SettlementLine>,
  ): SettlementLine => {
    const minor = Math.min(remaining, requested);
    remaining -= minor;
    return { code, amountMinor: 0, insurerMinor: -minor || 0, ownerMinor: minor, ...more };
  };
  const deducted = (code: SettlementCode, of: readonly Deduction[]) =>
    of.map((one) => {
      const { of: part, share, reason, amountMinor } = one;
      const minor = amountMinor ?? roundHalfAway(computeBase(one, bill, ctx) * (share ?? 1));
      return fromInsurer(code, minor, { of: part, share, reason });
    });
  const deductions = [
    ...deducted('prior_damage', terms.priorDamage),
    ...deducted('betterment', terms.betterment),
    ...(terms.deductibleMinor === undefined ? [] : [fromInsurer('deductible', terms.deductibleMinor)]),
  ];
  return {
    lines: [...billed, ...deductions],
    totalMinor,
    insurerMinor: remaining,
    ownerMinor: totalMinor - remaining,
  };
}

const makeBillLine = (code: SettlementCode, amountMinor: number): SettlementLine => ({
  code,
  amountMinor,
  insurerMinor: amountMinor,
  ownerMinor: 0,
});

/**
 * Computes the taxed cost of a part or line, including its share of paint materials by refinish hours; the whole repair
 * if the deduction names neither.
 */
function computeBase(
  { of, field }: Deduction,
  { lines, grossMinor, tax }: Bill,
  ctx: PricingContext,
): number {
  if (of === undefined) return grossMinor;
  const counted = lines.filter(isCounted);
  const matched = counted.filter((line) => [line.id, line.requiredBy, line.part].includes(of));
  if (matched.length === 0) {
    const parts = [...new Set(lines.flatMap((line) => line.requiredBy ?? []))];
    throw makeFieldError(
      `${field}.of`,
      `${field}.of is "${of}", which is not in the estimate.`,
      `A part (${parts.join(', ')}) or the id of a line.`,
    );
  }
  const base = findTaxBase(ctx);
  const computeGross = (some: readonly EstimateLine[]) =>
    sumBy(some, (line) => priceLine(line, ctx) + computeTaxable(line, base, ctx) * (tax?.rate ?? 0));
  const materials = counted.filter((line) => line.group === 'materials' && !matched.includes(line));
  const painted = sumDepartmentTenths(counted, 'refinish');
  return (
    computeGross(matched) +
    (painted === 0 ? 0 : (computeGross(materials) * sumDepartmentTenths(matched, 'refinish')) / painted)
  );
}
