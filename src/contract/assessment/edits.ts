import { DEPARTMENTS, OPERATIONS, TAX_CLASSES } from '../../domain/repair.ts';
import { ClosedObject, SCHEMA_NAME, StringEnum, Type } from '../../lib/type.ts';

/** Reason for a figure that a user sets. */
export const Reason = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }));
const Price = Type.Number({ minimum: 0, maximum: 1e9, description: 'Response currency.' });
const EditHours = Type.Number({ minimum: 0, maximum: 500 });

/** Agreed repair price of one part. */
export const AgreedPriceSchema = ClosedObject({
  part: Type.String({
    minLength: 1,
    maxLength: 80,
    description:
      'Part of a row of `repair_lines`; the price covers all its lines with paint materials and its share of the clear coat.',
  }),
  price: Price,
  reason: Reason,
});

/** An edited line, an added line, or an agreed part price (request extension). */
export const LineEditSchema = Type.Union(
  [
    ClosedObject({
      line: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Integer({ minimum: 1 })], {
        description: '`line_id` or `number` of a line of the estimate.',
      }),
      hours: Type.Optional(EditHours),
      price: Type.Optional(Price),
      action: Type.Optional(
        StringEnum(['remove', 'accept'] as const, {
          description: '`remove` removes the line; `accept` adds an expected line to the total.',
        }),
      ),
      reason: Reason,
    }),
    ClosedObject({
      add: ClosedObject({
        operation: StringEnum(OPERATIONS),
        part: Type.String({ minLength: 1, maxLength: 80 }),
        department: Type.Optional(StringEnum(DEPARTMENTS)),
        hours: Type.Optional(EditHours),
        price: Type.Optional(Price),
        tax_class: Type.Optional(StringEnum(TAX_CLASSES)),
      }),
      reason: Reason,
    }),
    AgreedPriceSchema,
  ],
  { [SCHEMA_NAME]: 'LineEdit' },
);
