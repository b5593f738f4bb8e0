import { PART_SOURCES, PART_TYPES } from '../../domain/purchased-part.ts';
import { CONTRACT_REPAIR_TYPES, REPAIR_TYPES } from '../../domain/repair.ts';
import { NamedObject, type Static, StringEnum, Type } from '../../lib/type.ts';
import { Money, OptionalAmount, RuleTraceSchema, WarningSchema } from '../common.ts';

const Hours = Type.Number({ minimum: 0, description: 'Hours, one decimal.' });

const PartRequiredSchema = NamedObject('PartRequired', {
  part: Type.String(),
  part_number: Type.Optional(Type.String()),
  type: StringEnum(PART_TYPES),
  oem_price: OptionalAmount(
    'Price that counts in `total_cost.parts`. In an option that buys an aftermarket or recycled part it is the price of that part; the new OEM list price is then in `oem_list_price`. Absent with `include_part_prices: false`.',
  ),
  aftermarket_price: OptionalAmount(
    'Price of the part from another maker; the OEM price if there is none. Absent with `include_part_prices: false`.',
  ),
  recycled_price: Type.Optional(Money),
  oem_list_price: Type.Optional(Money),
  source: StringEnum(PART_SOURCES),
  currency: Type.String(),
});
export type PartRequired = Static<typeof PartRequiredSchema>;

export const RepairOptionSchema = NamedObject('RepairOption', {
  option: Type.String(),
  description: Type.String(),
  recommended: Type.Boolean(),
  repair_type: StringEnum(CONTRACT_REPAIR_TYPES),
  repair_category: Type.Optional(StringEnum(REPAIR_TYPES)),
  parts_required: Type.Array(PartRequiredSchema),
  labor: Type.Object({ hours: Hours, rate_per_hour: Money, total: Money, currency: Type.String() }),
  total_cost: Type.Object({ parts: Money, labor: Money, total: Money, currency: Type.String() }),
  timeline: Type.Optional(
    Type.Object({
      estimated_days: Type.Integer({ minimum: 1 }),
      description: Type.String(),
      formula: Type.String(),
    }),
  ),
  cost_range: Type.Object({ min: Money, max: Money, currency: Type.String() }),
  not_recommended_reason: Type.Optional(WarningSchema),
  explain: Type.Array(RuleTraceSchema),
});
export type RepairOption = Static<typeof RepairOptionSchema>;
