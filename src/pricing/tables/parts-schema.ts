import { PART_NAMES } from '../../domain/parts.ts';
import { EQUIPMENT_FACTS, VEHICLE_CLASSES } from '../../domain/vehicle/vehicle.ts';
import { ClosedObject, type Static, StringEnum, Type } from '../../lib/type.ts';
import { CurrencyCode, Factor, Hours, head, Price, Share, Source, Text } from './table-fields.ts';

const Part = StringEnum(PART_NAMES);

const Ratio = Type.Union([Share, Type.Null()]);
const partFields = {
  kind: StringEnum(['painted', 'module', 'laminated_glass', 'tempered_glass', 'lamp', 'mechanical'] as const),
  material: StringEnum(['steel', 'aluminium', 'plastic', 'glass'] as const),
  oem: Price,
  replace_hours: Hours,
  remove_install_hours: Hours,
  repair_hours: Hours,
  refinish_repair_hours: Hours,
  refinish_new_hours: Hours,
  aim_hours: Hours,
  section_hours: Hours,
  department: StringEnum(['body', 'mechanical'] as const),
  aftermarket_ratio: Ratio,
  recycled_ratio: Ratio,
  welded: Type.Boolean(),
  crush_zone: Type.Boolean(),
  source: Source,
};
const PartFactsSchema = ClosedObject(partFields);
/** Hours, material and price ratios of one part of a standard car; prices in the table's currency. */
export type PartFacts = Static<typeof PartFactsSchema>;

/** A part's price and hours on a vehicle with this equipment; omitted fields are those of the median car. */
const EquipmentRowSchema = ClosedObject({
  fact: StringEnum(EQUIPMENT_FACTS),
  values: Type.Array(Type.String(), { minItems: 1 }),
  parts: Type.Array(Type.String(), { minItems: 1 }),
  oem: Type.Optional(Price),
  replace_hours: Type.Optional(Hours),
  section_hours: Type.Optional(Hours),
  refinish_repair_hours: Type.Optional(Hours),
  refinish_new_hours: Type.Optional(Hours),
  /** Sublet operation required by a new part, priced separately. */
  sublet: Type.Optional(ClosedObject({ part: Text, price: Price })),
  source: Source,
});
export type EquipmentRow = Static<typeof EquipmentRowSchema>;

const ModelYear = Type.Integer({ minimum: 1980, maximum: 2100 });

/** Parts and components of a standard car, and the factors of classes, model years and equipment on their prices. */
export const PartsSchema = ClosedObject({
  ...head,
  currency: CurrencyCode,
  basis: Type.String(),
  classes: Type.Array(
    ClosedObject({
      class: StringEnum(VEHICLE_CLASSES),
      price_factors: ClosedObject({
        panel: Factor,
        cover: Factor,
        lamp: Factor,
        glass: Factor,
        other: Factor,
      }),
      aluminium: Type.Array(Part),
      source: Source,
    }),
  ),
  model_year: ClosedObject({
    table_year: ModelYear,
    from: ModelYear,
    to: ModelYear,
    each_year: Type.Number({ minimum: 1, maximum: 1.1 }),
    source: Source,
  }),
  rows: Type.Array(ClosedObject({ parts: Type.Array(Part, { minItems: 1 }), ...partFields })),
  components: Type.Array(
    ClosedObject({ component: Text, subtypes: Type.Array(Type.String()), ...partFields }),
  ),
  equipment: Type.Array(EquipmentRowSchema),
  nearest_glass: Type.Record(Type.String(), Part),
  nearest_glass_source: Source,
  adjacent: Type.Array(Type.Array(Part, { minItems: 2, maxItems: 2 })),
  blend: Type.Record(Type.String(), Type.Array(Part)),
  adjacent_source: Source,
});
export type PartsTable = Static<typeof PartsSchema>;
