import { OPERATIONS, REPAIR_LINE_KINDS } from '../domain/repair.ts';
import { NamedObject, type Static, StringEnum, Type } from '../lib/type.ts';
import { CountOf, Nullable, OptionalText, rangeOf } from './common.ts';

const Ends = rangeOf(Type.Number());

/** Cost of the vehicle's repair as one job, without tax, in major units of its currency. */
export const RepairCostSchema = NamedObject(
  'RepairCost',
  {
    ...Ends,
    first_bill: Type.Object(Ends, {
      description:
        "What a shop's first bill comes to: the damages seen and, as far as such a job has them, the operations expected with them. The figure of `estimated`.",
    }),
    as_seen: Type.Object(Ends, { description: 'The visible damages only, as one job.' }),
    after_teardown: Type.Optional(
      Type.Object(Ends, {
        description:
          'The first bill plus the average supplement after teardown; absent if nothing is taken apart.',
      }),
    ),
    vehicle_class: Type.String({ description: 'Vehicle class that the price applies to.' }),
    items: CountOf('Number of damages and places to check it covers.'),
    range_meaning: Type.String({
      description: 'Meaning of `min` and `max`, and the average addition after teardown.',
    }),
  },
  {
    description:
      'Cost of repairing the vehicle in one go, where `total_estimated_repair` is the sum of the damages by themselves (extension).',
  },
);
export type RepairCost = Static<typeof RepairCostSchema>;

export const RepairLineSchema = NamedObject(
  'RepairLine',
  {
    kind: StringEnum(REPAIR_LINE_KINDS, {
      description:
        'A part at the price of its chosen repair; fees; what several parts share as one job (negative); what usually comes with the repair: parts behind and access to them, scans and calibrations, small parts and preparation.',
    }),
    part: Nullable(Type.String({ description: 'Repaired part; null for the whole job.' })),
    damage_ids: Type.Array(Type.String()),
    words: Type.String({
      description:
        'Damage in words, most severe first: `dent 46 cm, scratches`; for rows without a part, what they cover.',
    }),
    action: Type.String({
      description: 'Repair in words: `replace, paint`; for rows without a part, their `kind`.',
    }),
    hours: Type.Number({ minimum: 0, description: 'Labor hours of the repair on its own.' }),
    cost: Type.Number({
      description: 'Price of the repair on its own, without tax; negative for what parts share.',
    }),
    currency: Type.String(),
    image_urls: Type.Array(Type.String(), { description: 'Photos of its damages, best first.' }),
  },
  {
    description:
      'One row of the repair as people read it, one per part; the costs add up to `repair_cost.estimated` exactly (extension).',
  },
);
export type RepairLine = Static<typeof RepairLineSchema>;

export const ExpectedOperationSchema = Type.Object(
  {
    line_id: Type.String({ description: 'Stable id: `scan_before_repair/subl`.' }),
    operation: StringEnum(OPERATIONS),
    part: Type.String(),
    because_of: OptionalText('The panel whose repair requires it.'),
    hours: Type.Number({ minimum: 0 }),
    cost: Type.Number({ minimum: 0, description: 'Labor, price and paint materials, in full.' }),
    currency: Type.String(),
    share_of_jobs: Type.Number({ minimum: 0, maximum: 1 }),
    counted_in: StringEnum(['first_bill', 'total', 'none'] as const, {
      description:
        'In the first bill, weighted by its share of jobs; in the total if accepted; in no sum if excluded, or if the damage indicates nothing behind the panel.',
    }),
  },
  { description: 'An operation that such a repair usually includes, to accept or exclude (extension).' },
);
export type ExpectedOperation = Static<typeof ExpectedOperationSchema>;
