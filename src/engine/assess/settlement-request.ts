import type { SettlementTermsGiven } from '../../contract/assessment/settlement.ts';
import { type Currency, toMinor } from '../../domain/money.ts';
import type { TERM_DEDUCTIONS } from '../../domain/settlement.ts';
import type { Deduction, SettlementTerms } from '../../pricing/lines/settlement.ts';

/** Reads the terms of a settlement; money needs the response currency, which is known later. */
export function readSettlement(terms: SettlementTermsGiven): (currency: Currency) => SettlementTerms {
  return (currency) => {
    const minor = (price: number | undefined) => (price === undefined ? undefined : toMinor(price, currency));
    const readStay = (stay: SettlementTermsGiven['storage']) =>
      stay && { days: stay.days, perDayMinor: toMinor(stay.per_day, currency) };
    const readDeductions = (name: (typeof TERM_DEDUCTIONS)[number]) =>
      (terms[name] ?? []).map(
        ({ of, percentage, amount, reason }, index): Deduction => ({
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
