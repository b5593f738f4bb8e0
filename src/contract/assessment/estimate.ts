import { PART_SOURCES } from '../../domain/purchased-part.ts';
import {
  ASSOCIATED_MODES,
  COUNTED_IN,
  DEPARTMENTS,
  LINE_GROUPS,
  OPERATIONS,
  TAX_CLASSES,
} from '../../domain/repair.ts';
import { NamedObject, type Static, StringEnum, Type } from '../../lib/type.ts';
import { Money, Nullable, OptionalText } from '../common.ts';
import { RepairLineSchema } from '../repair.ts';
import { AgreedPriceSchema } from './edits.ts';

/** A line of an estimate; the amounts of the lines counted in the total add up to the adjusted total exactly. */
const EstimateLineSchema = NamedObject('EstimateLine', {
  line_id: Type.String({ description: 'Stable across estimates of the same repair: `hood/rpr`.' }),
  number: Type.Integer({ minimum: 1, description: 'Position among the computed lines; unchanged by edits.' }),
  group: StringEnum(LINE_GROUPS, {
    description:
      'A part; paint over all panels; paint materials; fees; expected operations; lines added by a user; rounding.',
  }),
  operation: StringEnum(OPERATIONS),
  part: Type.String(),
  because_of: OptionalText('Its panel; absent for the whole vehicle.'),
  damage_ids: Type.Array(Type.String()),
  quantity: Type.Optional(
    Type.Integer({ minimum: 2, description: 'Quantity, such as the number of dents; absent for one.' }),
  ),
  department: StringEnum(DEPARTMENTS),
  hours: Type.Number({ minimum: 0 }),
  overlap_hours: Type.Optional(
    Type.Number({
      description:
        'Refinish time deducted from `hours`, because panels painted in one job share it (extension).',
    }),
  ),
  rate_per_hour: Nullable(Money),
  labor: Type.Number({ minimum: 0, description: 'Hours x rate, or the fixed price of the work.' }),
  price: Nullable(Type.Number({ description: 'Part, material, sublet, fee; null if none or not included.' })),
  part_source: Nullable(StringEnum(PART_SOURCES)),
  amount: Type.Number({ description: 'Labor and price; negative only on the rounding line.' }),
  tax_class: StringEnum(TAX_CLASSES, {
    description: 'Tax class of the price; hours are always labor.',
  }),
  taxable: Type.Number({ description: 'Taxable share of the amount.' }),
  currency: Type.String(),
  counted_in: StringEnum(COUNTED_IN, {
    description:
      '`total`; `range`: the first bill, weighted by its share of jobs; otherwise neither, because it was removed (`computed` holds the former value) or the damage indicates nothing behind the panel.',
  }),
  share_of_jobs: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  basis: StringEnum(['table', 'judgement', 'formula', 'override'] as const),
  note: Type.String(),
  source: Type.String(),
  set_by: StringEnum(['rule', 'person'] as const),
  computed: Type.Optional(
    Type.Object(
      {
        hours: Type.Number(),
        price: Type.Optional(Type.Number()),
        counted_in: StringEnum(COUNTED_IN),
      },
      { description: 'The value before it was edited; no `price` with `include_part_prices: false`.' },
    ),
  ),
  reason: Type.Optional(Type.String()),
});
export type EstimateLine = Static<typeof EstimateLineSchema>;

/** Estimate of the whole vehicle as lines: each panel once, refinish computed across panels. */
export const VehicleEstimateSchema = NamedObject('VehicleEstimate', {
  lines: Type.Array(EstimateLineSchema, {
    description: 'Lines counted in the total add up to `adjusted_total` exactly.',
  }),
  repair_lines: Type.Array(RepairLineSchema, {
    description: '`first_bill.estimated` as one row per part (extension).',
  }),
  agreed_prices: Type.Optional(
    Type.Array(AgreedPriceSchema, {
      description: 'Agreed prices of parts; the lines of each part add up to them (extension).',
    }),
  ),
  associated_operations: StringEnum(ASSOCIATED_MODES),
});
export type VehicleEstimate = Static<typeof VehicleEstimateSchema>;
