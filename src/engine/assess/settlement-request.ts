import type { SettlementTermsGiven } from '../../contract/assessment/settlement.ts';
import { type Currency, toMinor } from '../../domain/money.ts';
import { type DeductionGiven, TERM_DEDUCTIONS } from '../../domain/settlement.ts';
import type { FieldFault } from '../../lib/fields.ts';
import type { Deduction, SettlementTerms } from '../../pricing/lines/settlement.ts';
import { REQUEST } from './request-rules.ts';

/** Returns a fault for each deduction that leaves open what it falls on or, for betterment, how much it is. */
export function findSettlementFaults(terms: SettlementTermsGiven = {}): readonly FieldFault[] {
  return TERM_DEDUCTIONS.flatMap((name) =>
    (terms[name] ?? []).flatMap(({ of, percentage, amount }, index) => {
      const field = `settlement.${name}[${index}]`;
      if (percentage !== undefined || amount !== undefined) return [];
      if (of === undefined)
        return [
          { code: REQUEST, field, message: `${field} says neither a part nor a percentage nor an amount.` },
        ];
      if (name === 'prior_damage') return [];
      return [
        {
          code: REQUEST,
          field,
          message: `${field} says neither a percentage nor an amount.`,
          hint: 'Betterment is what a new part is better by, such as 40 % of a tyre.',
        },
      ];
    }),
  );
}

/** Reads the terms of a settlement; money needs the response currency, which is known later. */
export function readSettlement(terms: SettlementTermsGiven): (currency: Currency) => SettlementTerms {
  return (currency) => {
    const minor = (price: number | undefined) => (price === undefined ? undefined : toMinor(price, currency));
    const readStay = (stay: SettlementTermsGiven['storage']) =>
      stay && { days: stay.days, perDayMinor: toMinor(stay.per_day, currency) };
    const readDeductions = (name: (typeof TERM_DEDUCTIONS)[number]) =>
      (terms[name] ?? []).map(
        ({ of, percentage, amount, reason }: DeductionGiven, index): Deduction => ({
          field: `settlement.${name}[${index}]`,
          of,
          share: percentage === undefined ? undefined : percentage / 100,
          reason,
          amountMinor: minor(amount),
        }),
      );
    return {
      deductibleMinor: minor(terms.deductible),
      betterment: readDeductions('betterment'),
      priorDamage: readDeductions('prior_damage'),
      towingMinor: minor(terms.towing),
      storage: readStay(terms.storage),
      rental: readStay(terms.rental),
    };
  };
}
