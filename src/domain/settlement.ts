/** Settlement terms given as a single amount. */
export const TERM_AMOUNTS = ['deductible', 'towing'] as const;
/** Settlement terms given as days at a daily rate. */
export const TERM_STAYS = ['storage', 'rental'] as const;
/** Settlement terms of which the owner pays a share. */
export const TERM_DEDUCTIONS = ['betterment', 'prior_damage'] as const;

/** Line codes of a settlement. */
export const SETTLEMENT_CODES = [
  'repair',
  'towing',
  ...TERM_STAYS,
  ...TERM_DEDUCTIONS,
  'deductible',
] as const;
export type SettlementCode = (typeof SETTLEMENT_CODES)[number];

/** An incomplete deduction, with the sentence that follows its field's name. */
interface DeductionFault {
  readonly field: string;
  readonly problem: string;
  readonly hint?: string;
}

interface Deduction {
  readonly of?: string;
  readonly percentage?: number;
  readonly amount?: number;
}

/** Reports deductions without part, percentage and amount, and betterment without percentage and amount. */
export function findDeductionFaults(
  terms: { readonly [T in (typeof TERM_DEDUCTIONS)[number]]?: readonly Deduction[] } = {},
): readonly DeductionFault[] {
  return TERM_DEDUCTIONS.flatMap((name) =>
    (terms[name] ?? []).flatMap(({ of, percentage, amount }, index): DeductionFault[] => {
      const field = `settlement.${name}[${index}]`;
      if ((percentage ?? amount) !== undefined || (of !== undefined && name === 'prior_damage')) return [];
      if (of === undefined)
        return [{ field, problem: 'says neither a part nor a percentage nor an amount.' }];
      const hint = 'Betterment is what a new part is better by, such as 40 % of a tyre.';
      return [{ field, problem: 'says neither a percentage nor an amount.', hint }];
    }),
  );
}
