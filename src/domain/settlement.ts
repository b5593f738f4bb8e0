/** Terms of a settlement that are one amount each. */
export const TERM_AMOUNTS = ['deductible', 'towing'] as const;
/** Terms that are days at a price a day. */
export const TERM_STAYS = ['storage', 'rental'] as const;
/** Terms that the owner bears a share of. */
export const TERM_DEDUCTIONS = ['betterment', 'prior_damage'] as const;

/** Codes of the lines of a settlement. */
export const SETTLEMENT_CODES = [
  'repair',
  'towing',
  ...TERM_STAYS,
  ...TERM_DEDUCTIONS,
  'deductible',
] as const;
export type SettlementCode = (typeof SETTLEMENT_CODES)[number];

/** A deduction that says too little, with the sentence that follows its field's name. */
interface DeductionFault {
  readonly field: string;
  readonly says: string;
  readonly hint?: string;
}

interface Deduction {
  readonly of?: string;
  readonly percentage?: number;
  readonly amount?: number;
}

/** Returns a fault for each deduction that leaves open what it falls on or, for betterment, how much it is. */
export function findDeductionFaults(
  terms: { readonly [T in (typeof TERM_DEDUCTIONS)[number]]?: readonly Deduction[] } = {},
): readonly DeductionFault[] {
  return TERM_DEDUCTIONS.flatMap((name) =>
    (terms[name] ?? []).flatMap(({ of, percentage, amount }, index): DeductionFault[] => {
      const field = `settlement.${name}[${index}]`;
      if (percentage !== undefined || amount !== undefined) return [];
      if (of === undefined) return [{ field, says: 'says neither a part nor a percentage nor an amount.' }];
      if (name === 'prior_damage') return [];
      const hint = 'Betterment is what a new part is better by, such as 40 % of a tyre.';
      return [{ field, says: 'says neither a percentage nor an amount.', hint }];
    }),
  );
}
