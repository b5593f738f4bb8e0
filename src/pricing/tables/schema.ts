import { PART_NAMES } from '../../domain/parts.ts';
import { EQUIPMENT_FACTS, VEHICLE_CLASSES } from '../../domain/vehicle.ts';
import { type Static, Type } from '../../lib/type.ts';
import {
  CurrencyCode,
  closed,
  Factor,
  Hours,
  head,
  literals,
  PDR_SIZES,
  Price,
  pdrRow,
  rangeEnds,
  Share,
  Source,
  Text,
} from './region-schema.ts';

export { type RegionRow, RegionsSchema, type RegionsTable } from './region-schema.ts';

/** Schemas of the pricing tables. Every row carries its source; unknown fields are rejected to catch typos. */
const Score = Type.Number({ minimum: 0, maximum: 10 });
const Part = literals(PART_NAMES);

const ClassName = literals(VEHICLE_CLASSES);

/** One figure per severity. */
const perSeverity = { minor: Price, moderate: Price, severe: Price, critical: Price };
const Ratio = Type.Union([Share, Type.Null()]);
const partFields = {
  kind: literals(['painted', 'module', 'laminated_glass', 'tempered_glass', 'lamp', 'mechanical'] as const),
  material: literals(['steel', 'aluminium', 'plastic', 'glass'] as const),
  oem: Price,
  replace_hours: Hours,
  remove_install_hours: Hours,
  repair_hours: Hours,
  refinish_repair_hours: Hours,
  refinish_new_hours: Hours,
  aim_hours: Hours,
  section_hours: Hours,
  department: literals(['body', 'mechanical'] as const),
  aftermarket_ratio: Ratio,
  recycled_ratio: Ratio,
  welded: Type.Boolean(),
  crush_zone: Type.Boolean(),
  source: Source,
};
const PartFactsSchema = closed(partFields);
/** Hours, material and price ratios of one part of a standard car; prices in the table's currency. */
export type PartFacts = Static<typeof PartFactsSchema>;

/** Vehicle facts, each with its accepted values. */
const Facts = Type.Partial(
  closed(
    Object.fromEntries(EQUIPMENT_FACTS.map((fact) => [fact, Type.Array(Type.String(), { minItems: 1 })])),
  ),
);

/** A part's price and hours on a vehicle with this equipment; omitted fields are those of the median car. */
const EquipmentRowSchema = closed({
  fact: literals(EQUIPMENT_FACTS),
  values: Type.Array(Type.String(), { minItems: 1 }),
  parts: Type.Array(Type.String(), { minItems: 1 }),
  oem: Type.Optional(Price),
  replace_hours: Type.Optional(Hours),
  section_hours: Type.Optional(Hours),
  refinish_repair_hours: Type.Optional(Hours),
  refinish_new_hours: Type.Optional(Hours),
  /** Sublet operation required by a new part, priced separately. */
  sublet: Type.Optional(closed({ part: Text, price: Price })),
  source: Source,
});
export type EquipmentRow = Static<typeof EquipmentRowSchema>;

const ModelYear = Type.Integer({ minimum: 1980, maximum: 2100 });

export const PartsSchema = closed({
  ...head,
  currency: CurrencyCode,
  basis: Type.String(),
  classes: Type.Array(
    closed({
      class: ClassName,
      price_factors: closed({ panel: Factor, cover: Factor, lamp: Factor, glass: Factor, other: Factor }),
      aluminium: Type.Array(Part),
      source: Source,
    }),
  ),
  model_year: closed({
    table_year: ModelYear,
    from: ModelYear,
    to: ModelYear,
    each_year: Type.Number({ minimum: 1, maximum: 1.1 }),
    source: Source,
  }),
  rows: Type.Array(closed({ parts: Type.Array(Part, { minItems: 1 }), ...partFields })),
  components: Type.Array(closed({ component: Text, subtypes: Type.Array(Type.String()), ...partFields })),
  equipment: Type.Array(EquipmentRowSchema),
  nearest_glass: Type.Record(Type.String(), Part),
  nearest_glass_source: Source,
  adjacent: Type.Array(Type.Array(Part, { minItems: 2, maxItems: 2 })),
  blend: Type.Record(Type.String(), Type.Array(Part)),
  adjacent_source: Source,
});
export type PartsTable = Static<typeof PartsSchema>;

const perScore = { hours: Hours, per_point: Hours, adequate_below: Score };
const consumable = { consumable: Text, consumable_price: Price };
export const OperationsSchema = closed({
  ...head,
  basis: Type.String(),
  severity_hours: closed({ at_zero: Price, per_point: Price, source: Source }),
  size_hours: closed({
    reference_cm: Factor,
    exponent: Type.Number({ minimum: 0 }),
    min: Factor,
    max: Factor,
    unmeasured_cm: closed(perSeverity),
    source: Source,
  }),
  typical_size_cm: closed({ ...perSeverity, source: Source }),
  type_factor: Type.Array(closed({ type: Type.String(), factor: Price, deep_factor: Price, source: Source })),
  /** Score ramps for including expected operations in the first bill, for one part or adjacent parts of a zone. */
  first_bill: closed({
    types: Type.Array(Type.String(), { minItems: 1 }),
    whole: Type.Array(Type.String()),
    /** Types that count even where no neighbor is hit. */
    alone: Type.Array(Type.String(), { minItems: 1 }),
    from_score: Score,
    full_score: Score,
    zones: Type.Array(Type.Array(Part, { minItems: 2 })),
    source: Source,
  }),
  polish: closed({
    ...perScore,
    offered_below: Score,
    dull_adequate_below: Score,
    ...consumable,
    source: Source,
  }),
  touch_up: closed({ ...perScore, offered_below: Score, max_size_cm: Price, ...consumable, source: Source }),
  spot_repair: closed({
    ...perScore,
    max_size_cm: Price,
    parts: Type.Array(Part, { minItems: 1 }),
    source: Source,
  }),
  wheel_refurbish: closed({
    component: Type.String(),
    price: Price,
    adequate_below: Score,
    source: Source,
  }),
  refinish_panel: closed({ offered_below: Score, source: Source }),
  deep_from_score: closed({ score: Score, source: Source }),
  blend_from_score: closed({ score: Score, source: Source }),
  plastic_scratch: closed({ hours: Hours, per_point: Hours, source: Source }),
  /** Score from which a plastic part is removed for repair and paint. */
  plastic_off: closed({ from_score: Score, source: Source }),
  plastic_crack: closed({ repairable_below: Score, source: Source }),
  align: closed({ ...perScore, source: Source }),
  glass_repair: closed({ ...perScore, max_size_cm: Price, ...consumable, source: Source }),
  glass_replacement: closed({ ...consumable, source: Source }),
  lens_polish: closed({ ...perScore, ...consumable, source: Source }),
  mechanical_repair: closed({ offered_below: Score, crack_repairable_below: Score, source: Source }),
  structural: closed({
    setup_hours: Hours,
    pull_hours: Hours,
    pull_per_point_squared: Hours,
    pull_above_score: Score,
    from_score: Score,
    source: Source,
  }),
  aluminium: closed({ rate_factor: Type.Number({ minimum: 1 }), source: Source }),
  replace_rule: closed({ near_share: Share, source: Source }),
  materials: closed({ share_of_labour_rate: Share, consumable: Type.String(), source: Source }),
});
export type OperationsTable = Static<typeof OperationsSchema>;

export const RefinishSchema = closed({
  ...head,
  overlap_adjacent_hours: Hours,
  overlap_other_hours: Hours,
  overlap_minor_hours: Hours,
  minor_panel_below_hours: Hours,
  clear_first: Share,
  clear_additional: Share,
  clear_cap_hours: Hours,
  three_stage_first: Share,
  three_stage_additional: Share,
  blend_two_stage: Share,
  blend_three_stage: Share,
  sources: closed({ overlap: Source, minor: Source, clear: Source, three_stage: Source, blend: Source }),
});
export type RefinishTable = Static<typeof RefinishSchema>;

export const PdrSchema = closed({
  ...head,
  currency: CurrencyCode,
  minimum_charge: Price,
  minimum_source: Source,
  hour_price: Factor,
  hour_price_source: Source,
  sizes: Type.Array(closed({ size: literals(PDR_SIZES), up_to_cm: Factor }), {
    minItems: 4,
    maxItems: 4,
  }),
  sizes_source: Source,
  oversize_each: Price,
  oversize_step_cm: Factor,
  oversize_source: Source,
  max_cm: Price,
  adequate_below_score: Score,
  with_paint_below_score: Score,
  reach_source: Source,
  aluminium: Type.Number({ minimum: 1 }),
  depth: closed(perSeverity),
  markup_source: Source,
  flat_panels: Type.Array(Part),
  rows: Type.Array(closed({ ...pdrRow, source: Source }), { minItems: 1 }),
});
export type PdrTable = Static<typeof PdrSchema>;

const Days = Type.Array(Type.Integer({ minimum: 1 }), { minItems: 2, maxItems: 2 });
export const ValueSchema = closed({
  ...head,
  value_reduction: closed({
    base_percentage: Price,
    cap_percentage: Price,
    structural: closed({ minor: Share, moderate: Share, severe: Share, critical: Share }),
    replaced_welded: Share,
    replaced_bolted: Share,
    repaired: Share,
    source: Source,
  }),
  age: closed({
    reference_years: Price,
    value_kept_per_year: Share,
    oldest_years: Price,
    reference_km_per_year: Price,
    share_per_10000_km: Share,
    most_mileage_share: Share,
    source: Source,
  }),
  mileage_modifier: Type.Array(
    closed({ below_miles: Type.Union([Price, Type.Null()]), factor: Share, source: Source }),
    { minItems: 1 },
  ),
  salvage: closed({ share_of_value: Share, source: Source }),
  near_threshold: closed({ share: Share, source: Source }),
  class_value_factor: Type.Array(closed({ class: ClassName, factor: Price, source: Source })),
  timeline: closed({ hours_per_day: Price, parts_days: Price, refinish_days: Price, source: Source }),
  timeline_clamp: Type.Array(closed({ repair_type: Type.String(), days: Days, source: Source })),
});
export type ValueTable = Static<typeof ValueSchema>;

export const ClassesSchema = closed({
  ...head,
  rows: Type.Array(closed({ class: ClassName, makes: Type.Array(Type.String()), source: Source })),
});
export type ClassesTable = Static<typeof ClassesSchema>;

/** Units of the currency per unit of the base currency. */
const FxRow = closed({ currency: CurrencyCode, per_base: Factor });

export const FxTableSchema = closed({
  ...head,
  base: CurrencyCode,
  source: Source,
  rows: Type.Array(FxRow),
});
export type FxTable = Static<typeof FxTableSchema>;

export const AssociatedSchema = closed({
  ...head,
  currency: CurrencyCode,
  basis: Type.String(),
  rows: Type.Array(
    closed({
      on: Type.Array(Type.String(), { minItems: 1 }),
      when: literals(['replaced', 'removed', 'painted', 'blended', 'pushed'] as const),
      operation: literals(['R&R', 'R&I', 'Refn', 'Setup', 'Subl', 'Add'] as const),
      part: Text,
      department: literals(['body', 'refinish', 'mechanical', 'structural', 'glass'] as const),
      hours: Hours,
      price: Price,
      // Tax class of a price that is neither a part nor a sublet.
      tax_class: Type.Optional(literals(['materials', 'fee'] as const)),
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

/** Categories with a measured estimate range: parts by kind, and parts hit together. */
const SpreadKind = literals(['panel', 'glass', 'lamp', 'mechanical'] as const);
export type SpreadKind = Static<typeof SpreadKind>;

export const SpreadsSchema = closed({
  ...head,
  meaning: Text,
  basis: Type.String(),
  /** Power by which the ranges of several parts add up: 1 as a sum, 2 as of independent parts. */
  joint: closed({
    power: Type.Number({ minimum: 1, maximum: 2 }),
    figures: Type.Integer({ minimum: 0 }),
    source: Source,
  }),
  /** Supplement found at teardown, as a share of the first bill. */
  teardown: closed({ share: Type.Number({ minimum: 0, maximum: 5 }), source: Source }),
  rows: Type.Array(
    closed({
      of: SpreadKind,
      ...rangeEnds,
      /** Number of published bills used to fit the row. */
      figures: Type.Integer({ minimum: 0 }),
      source: Source,
    }),
  ),
});
export type SpreadsTable = Static<typeof SpreadsSchema>;
