import { SETTLEMENT_CODES } from '../../domain/settlement.ts';
import { type Static, Type } from '../../lib/type.ts';
import { StringEnum } from '../common.ts';
import { Money, Price, Reason, Signed } from './fields.ts';

const Deduction = Type.Object(
  {
    of: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'A part, or the id of a line.' }),
    ),
    percentage: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    amount: Type.Optional(Price),
    reason: Reason,
  },
  { additionalProperties: false },
);
const PerDay = Type.Object(
  { days: Type.Number({ minimum: 0, maximum: 3650 }), per_day: Price },
  { additionalProperties: false },
);

/** Settlement terms (request extension); amounts in the response currency, as billed with tax. */
export const SettlementTermsSchema = Type.Object(
  {
    deductible: Type.Optional(Price),
    betterment: Type.Optional(Type.Array(Deduction, { maxItems: 50 })),
    prior_damage: Type.Optional(Type.Array(Deduction, { maxItems: 50 })),
    towing: Type.Optional(Price),
    storage: Type.Optional(PerDay),
    rental: Type.Optional(PerDay),
  },
  { additionalProperties: false },
);

export type StatedSettlementTerms = Static<typeof SettlementTermsSchema>;

/** Settlement: insurer and owner together pay the repair with tax and its side costs, to the minor unit. */
export const SettlementSchema = Type.Object({
  lines: Type.Array(
    Type.Object({
      code: StringEnum(SETTLEMENT_CODES),
      description: Type.String(),
      amount: Type.Number({ minimum: 0, description: 'Amount added to the bill.' }),
      insurer: Signed,
      owner: Signed,
      reason: Type.Optional(Type.String()),
    }),
  ),
  total: Type.Number({ minimum: 0, description: 'The repair with tax, towing, storage and rental.' }),
  insurer_pays: Money,
  owner_pays: Money,
  currency: Type.String(),
  terms: Type.Optional(SettlementTermsSchema),
});
export type Settlement = Static<typeof SettlementSchema>;
