import { EQUIPMENT, EQUIPMENT_FACTS } from '../../domain/vehicle/vehicle.ts';
import { ClosedObject, type Static, StringEnum, Type } from '../../lib/type.ts';
import { CurrencyCode, Hours, head, Price, Share, Source, Text } from './table-fields.ts';

/** Known facts of a vehicle, each with the values that a row applies to. */
const Facts = Type.Partial(
  ClosedObject(
    Object.fromEntries(
      EQUIPMENT_FACTS.map((fact) => [fact, Type.Array(StringEnum(EQUIPMENT[fact]), { minItems: 1 })]),
    ),
  ),
);

/** Operations that usually come with the repair of a part, each with its share of such jobs. */
export const AssociatedSchema = ClosedObject({
  ...head,
  currency: CurrencyCode,
  basis: Type.String(),
  rows: Type.Array(
    ClosedObject({
      /** Parts whose repair triggers the row; `vehicle` stands for every painted part. */
      on: Type.Array(Type.String(), { minItems: 1 }),
      /** `pushed`: PDR pushes out a dent of the part. */
      when: StringEnum(['replaced', 'removed', 'painted', 'blended', 'pushed'] as const),
      operation: StringEnum(['R&R', 'R&I', 'Refn', 'Setup', 'Subl', 'Add'] as const),
      part: Text,
      department: StringEnum(['body', 'refinish', 'mechanical', 'structural', 'glass'] as const),
      hours: Hours,
      price: Price,
      /** Tax class of a price that is neither a part nor a sublet. */
      tax_class: Type.Optional(StringEnum(['materials', 'fee'] as const)),
      frequency: Share,
      /** Applies only if one of these panels is repaired too, because a light hit does not reach deeper parts. */
      also: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
      /** Once per vehicle, whichever row of this operation and part is triggered; the most frequent row wins. */
      once: Type.Optional(Type.Literal(true)),
      only_with: Type.Optional(Facts),
      not_with: Type.Optional(Facts),
      source: Source,
    }),
  ),
});
export type AssociatedTable = Static<typeof AssociatedSchema>;
