import { PART_SOURCES } from '../../domain/purchased-part.ts';
import { COUNTED_IN, DEPARTMENTS, LINE_GROUPS, OPERATIONS, TAX_CLASSES } from '../../domain/repair.ts';
import { NamedObject, type Static, Type } from '../../lib/type.ts';
import { Nullable, OptionalText, StringEnum } from '../common.ts';
import { Money } from './fields.ts';

/** A line of an estimate; the amounts of the lines counted in the total add up to the adjusted total exactly. */
export const EstimateLineSchema = NamedObject('EstimateLine', {
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
