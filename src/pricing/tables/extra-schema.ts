import { EQUIPMENT_FACTS } from '../../domain/vehicle.ts';
import { type Static, Type } from '../../lib/type.ts';
import { CurrencyCode } from './currency-schema.ts';
import { SPREAD_KINDS } from './kinds.ts';
import { closed, head, literals, Share, Source } from './schema-parts.ts';

const Hours = Type.Number({ minimum: 0, maximum: 500 });
/** Facts of a vehicle, each with the values meant. */
const Facts = Type.Partial(
  closed(
    Object.fromEntries(EQUIPMENT_FACTS.map((fact) => [fact, Type.Array(Type.String(), { minItems: 1 })])),
  ),
);

/** What a part costs and takes on a vehicle of this equipment; what a row leaves out is that of the median car. */
export const EquipmentRowSchema = closed({
  fact: literals(EQUIPMENT_FACTS),
  values: Type.Array(Type.String(), { minItems: 1 }),
  parts: Type.Array(Type.String(), { minItems: 1 }),
  oem: Type.Optional(Type.Number({ minimum: 0 })),
  replace_hours: Type.Optional(Hours),
  section_hours: Type.Optional(Hours),
  refinish_repair_hours: Type.Optional(Hours),
  refinish_new_hours: Type.Optional(Hours),
  /** Work of others that a new part needs, at a price of its own. */
  sublet: Type.Optional(closed({ part: Source, price: Type.Number({ minimum: 0 }) })),
  source: Source,
});
export type EquipmentRow = Static<typeof EquipmentRowSchema>;

export const AssociatedSchema = closed({
  ...head,
  currency: CurrencyCode,
  basis: Type.String(),
  rows: Type.Array(
    closed({
      on: Type.Array(Type.String(), { minItems: 1 }),
      when: literals(['replaced', 'removed', 'painted', 'blended', 'pushed'] as const),
      operation: literals(['R&R', 'R&I', 'Refn', 'Setup', 'Subl', 'Add'] as const),
      part: Type.String({ minLength: 1 }),
      department: literals(['body', 'refinish', 'mechanical', 'structural', 'glass'] as const),
      hours: Hours,
      price: Type.Number({ minimum: 0 }),
      // What the price is for tax, where it is neither a part nor sublet work.
      tax_class: Type.Optional(literals(['materials', 'fee'] as const)),
      frequency: Share,
      /** Only where one of these panels is repaired as well: what lies deeper is not reached by a light hit. */
      also: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
      /** Once a vehicle, whichever row of this operation and part asks for it: rows of one part in falling share. */
      once: Type.Optional(Type.Literal(true)),
      only_with: Type.Optional(Facts),
      not_with: Type.Optional(Facts),
      source: Source,
    }),
  ),
});
export type AssociatedTable = Static<typeof AssociatedSchema>;

export const SpreadsSchema = closed({
  ...head,
  meaning: Type.String({ minLength: 1 }),
  basis: Type.String(),
  /** How much of an estimate moves with the ends of the region's labour rate. */
  labour_share: Share,
  labour_share_source: Source,
  /** What teardown adds to a first bill: a share of it. */
  teardown: closed({ share: Type.Number({ minimum: 0, maximum: 5 }), source: Source }),
  rows: Type.Array(
    closed({
      of: literals(SPREAD_KINDS),
      low: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
      high: Type.Number({ minimum: 1 }),
      /** Published bills that the row was fitted to. */
      figures: Type.Integer({ minimum: 0 }),
      source: Source,
    }),
  ),
  /** By which power a fact that is known narrows both ends of the parts it touches. */
  narrows: Type.Array(
    closed({
      fact: literals(['class', 'paint', ...EQUIPMENT_FACTS] as const),
      of: Type.Array(literals(SPREAD_KINDS), { minItems: 1 }),
      by: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
      source: Source,
    }),
  ),
});
export type SpreadsTable = Static<typeof SpreadsSchema>;
