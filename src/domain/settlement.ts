/** Terms of a settlement that are one amount each. */
export const TERM_AMOUNTS = ['deductible', 'towing'] as const;
/** Terms that are days at a price a day. */
export const TERM_STAYS = ['storage', 'rental'] as const;
/** Terms that the owner bears a share of. */
export const TERM_DEDUCTIONS = ['betterment', 'prior_damage'] as const;
/** All terms that decide who pays what. */
export const SETTLEMENT_TERMS = [...TERM_AMOUNTS, ...TERM_DEDUCTIONS, ...TERM_STAYS] as const;

/** What a deduction falls on (a part or a line; the whole repair where it names none), and how much of it. */
export interface DeductionGiven {
  of?: string;
  percentage?: number;
  amount?: number;
  reason?: string;
}

/** Terms of a settlement as a person gives them, with names as in the JSON; amounts in major units, with tax. */
export type SettlementGiven = { [T in (typeof TERM_AMOUNTS)[number]]?: number } & {
  [T in (typeof TERM_STAYS)[number]]?: { days: number; per_day: number };
} & { [T in (typeof TERM_DEDUCTIONS)[number]]?: DeductionGiven[] };
