import { type Static, Type } from 'typebox';
import { FxSchema, Nullable, RegionCode, RuleTraceSchema, StringEnum, successEnvelope } from './common.ts';
import { RegionUsedSchema, WarningSchema } from './inspection.ts';
import {
  CURRENCY_VALUES,
  DAMAGE_TYPE_VALUES,
  PART_VALUES,
  SEVERITY_VALUES,
  TYPE_ALIAS_VALUES,
} from './values.ts';

/** Values of `repair_type`: the rows of the contract's table of repair types. */
export const REPAIR_TYPE_VALUES = ['cosmetic', 'pdr', 'panel_repair', 'replacement', 'structural'] as const;
/** Impact grades; `cosmetic` stops at `severe`. */
export const IMPACT_VALUES = ['none', 'minor', 'moderate', 'severe', 'critical'] as const;
export const COSMETIC_IMPACT_VALUES = ['none', 'minor', 'moderate', 'severe'] as const;
/** Vehicle classes of the parts table; `unknown` is priced as `standard`. */
export const VEHICLE_CLASS_VALUES = ['economy', 'standard', 'premium', 'luxury', 'unknown'] as const;
/** Paint systems: they decide three-stage time and whether neighbours are blended. */
export const PAINT_VALUES = ['solid', 'metallic', 'three_stage', 'unknown'] as const;
/** Where a part is bought. */
export const PART_SOURCE_VALUES = ['oem', 'aftermarket', 'recycled', 'consumable'] as const;
/** Departments of an estimate, each with its own labour rate; `materials` is billed per refinish hour. */
export const DEPARTMENT_VALUES = ['body', 'refinish', 'mechanical', 'structural'] as const;
/**
 * Operation codes as on an estimate: replace, remove and install, repair, refinish, blend, clear coat, three-stage,
 * paintless dent removal, overhaul, aim or align, polish, touch-up, frame set-up and pull, and the difference an
 * adjuster's override makes.
 */
export const OPERATION_VALUES = [
  'R&R',
  'R&I',
  'Rpr',
  'Sect',
  'Refn',
  'Clear',
  '3-stg',
  'Blnd',
  'PDR',
  'O/H',
  'Algn',
  'Pol',
  'Tch',
  'Setup',
  'Pull',
  'Adj',
] as const;

/** What is known of the vehicle (request extension); every field is optional. */
export const VehicleSchema = Type.Object({
  make: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  model: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  year: Type.Optional(Type.Integer({ minimum: 1886, maximum: 2100 })),
  mileage_km: Type.Optional(Type.Number({ minimum: 0, maximum: 1e7 })),
  market_value: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1e10 })),
  currency: Type.Optional(
    StringEnum(CURRENCY_VALUES, {
      description: 'Currency of `market_value`; default the response currency.',
    }),
  ),
  class: Type.Optional(StringEnum(VEHICLE_CLASS_VALUES)),
  paint: Type.Optional(StringEnum(PAINT_VALUES)),
});
export type Vehicle = Static<typeof VehicleSchema>;

const TYPE_WORDS = [...DAMAGE_TYPE_VALUES, ...TYPE_ALIAS_VALUES] as const;
const ExtentCm = Type.Number({ minimum: 0, maximum: 1000 });

/** One damage to assess: the four fields of the contract, or a damage object of a visual inspection as it is. */
export const AssessmentDamageInputSchema = Type.Object(
  {
    damage_id: Type.String({ minLength: 1, maxLength: 128 }),
    type: StringEnum(TYPE_WORDS, {
      description: 'A damage type, or an alias such as `oxidation`, which is echoed in `subtype`.',
    }),
    location: Type.Union([
      StringEnum(PART_VALUES),
      Type.Object({ part: StringEnum(PART_VALUES) }, { additionalProperties: true }),
    ]),
    severity: Type.Optional(StringEnum(SEVERITY_VALUES)),
    severity_score: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
    subtype: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 400, description: 'Number of like dents (hail).' }),
    ),
    measurements: Type.Optional(
      Type.Object(
        {
          length: Type.Optional(ExtentCm),
          width: Type.Optional(ExtentCm),
          diameter: Type.Optional(ExtentCm),
          depth: Type.Optional(ExtentCm),
          unit: Type.Optional(Type.Literal('cm')),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { additionalProperties: true },
);
export type AssessmentDamageInput = Static<typeof AssessmentDamageInputSchema>;

/** An adjuster's correction of one damage (extension); the computed value stays in the answer beside it. */
export const OverrideSchema = Type.Object(
  {
    damage_id: Type.String({ minLength: 1, description: 'One of `damages`.' }),
    type: Type.Optional(StringEnum(TYPE_WORDS)),
    severity: Type.Optional(StringEnum(SEVERITY_VALUES)),
    option: Type.Optional(
      Type.String({ minLength: 1, maxLength: 80, description: 'Name of the repair option to recommend.' }),
    ),
    hours: Type.Optional(
      Type.Number({ minimum: 0, maximum: 500, description: 'Labour hours of the recommended option.' }),
    ),
    price: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e9,
        description: 'Price of all parts of the recommended option, response currency.',
      }),
    ),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  },
  { additionalProperties: false },
);
export type Override = Static<typeof OverrideSchema>;

export const AssessmentOptionsSchema = Type.Object({
  include_repair_timeline: Type.Optional(Type.Boolean({ default: true })),
  include_part_prices: Type.Optional(Type.Boolean({ default: true })),
  labor_rate_region: Type.Optional(RegionCode('Region whose rates price the repair; default US_MIDWEST.')),
  currency: Type.Optional(StringEnum(CURRENCY_VALUES, { description: 'Default USD.' })),
});

export const AssessmentRequestSchema = Type.Object({
  vehicle_id: Type.String({ minLength: 1, maxLength: 128 }),
  inspection_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'A visual inspection of this account.' }),
  ),
  damages: Type.Array(AssessmentDamageInputSchema, { minItems: 1, maxItems: 100 }),
  assessment_options: Type.Optional(AssessmentOptionsSchema),
  vehicle: Type.Optional(VehicleSchema),
  overrides: Type.Optional(Type.Array(OverrideSchema, { maxItems: 100 })),
});
export type AssessmentRequest = Static<typeof AssessmentRequestSchema>;

const Money = Type.Number({ minimum: 0 });
const Hours = Type.Number({ minimum: 0, description: 'Hours, one decimal.' });

export const PartRequiredSchema = Type.Object({
  part: Type.String(),
  part_number: Type.Optional(Type.String()),
  type: Type.String({ description: '`consumable`, `body_part`, `glass`, `lamp`, `mechanical_part`.' }),
  oem_price: Type.Optional(
    Type.Number({
      minimum: 0,
      description:
        'Price that counts in `total_cost.parts`. In an option that buys an aftermarket or recycled part it is the price of that part; the new OEM list price is then in `oem_list_price`. Absent with `include_part_prices: false`.',
    }),
  ),
  aftermarket_price: Type.Optional(Money),
  recycled_price: Type.Optional(Money),
  oem_list_price: Type.Optional(Money),
  source: StringEnum(PART_SOURCE_VALUES),
  currency: Type.String(),
});
export type PartRequired = Static<typeof PartRequiredSchema>;

/** One line of an estimate; the hours stand in the column of their department. */
export const OperationLineSchema = Type.Object({
  operation: StringEnum(OPERATION_VALUES),
  part: Type.String(),
  department: StringEnum(DEPARTMENT_VALUES),
  type: Nullable(StringEnum(PART_SOURCE_VALUES)),
  price: Nullable(Type.Number({ description: 'Price of the part this line fits; null where it fits none.' })),
  body_hours: Type.Number(),
  refinish_hours: Type.Number(),
  mechanical_hours: Type.Number(),
  structural_hours: Type.Number(),
  basis: StringEnum(['table', 'judgement', 'formula', 'override'] as const),
  note: Type.String(),
});
export type OperationLine = Static<typeof OperationLineSchema>;

export const RepairOptionSchema = Type.Object({
  option: Type.String(),
  description: Type.String(),
  recommended: Type.Boolean(),
  repair_type: StringEnum(REPAIR_TYPE_VALUES),
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
  operations: Type.Array(OperationLineSchema),
  not_recommended_reason: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
  explain: Type.Array(RuleTraceSchema),
});
export type RepairOption = Static<typeof RepairOptionSchema>;

/** A value an adjuster changed: what was computed or submitted, and what stands now. */
export const OverrideAppliedSchema = Type.Object({
  field: StringEnum(['type', 'severity', 'option', 'hours', 'price'] as const),
  computed: Type.Union([Type.String(), Type.Number(), Type.Null()]),
  value: Type.Union([Type.String(), Type.Number()]),
  reason: Type.Optional(Type.String()),
});
export type OverrideApplied = Static<typeof OverrideAppliedSchema>;

export const AssessedDamageSchema = Type.Object({
  damage_id: Type.String(),
  type: StringEnum(DAMAGE_TYPE_VALUES),
  location: StringEnum(PART_VALUES),
  severity: StringEnum(SEVERITY_VALUES),
  severity_score: Type.Number({ minimum: 0, maximum: 10 }),
  impact_assessment: Type.Object({
    structural: StringEnum(IMPACT_VALUES),
    cosmetic: StringEnum(COSMETIC_IMPACT_VALUES),
    safety: StringEnum(IMPACT_VALUES),
    affects_value: Type.Boolean(),
    value_reduction_percentage: Type.Number({ minimum: 0, maximum: 100 }),
  }),
  repair_options: Type.Array(RepairOptionSchema, { minItems: 1 }),
  recommended_repair: Type.Object({
    option: Type.String(),
    min_cost: Money,
    max_cost: Money,
    estimated_cost: Money,
    currency: Type.String(),
  }),
  subtype: Type.Optional(Type.String()),
  size_cm: Type.Optional(Type.Number()),
  count: Type.Optional(Type.Integer()),
  severity_given: Type.Optional(
    Type.String({ description: 'The severity submitted, where the service raised it.' }),
  ),
  overrides: Type.Optional(Type.Array(OverrideAppliedSchema)),
  explain: Type.Array(RuleTraceSchema),
});
export type AssessedDamage = Static<typeof AssessedDamageSchema>;

/** A difference between the sum of single repairs and one repair of the vehicle; negative = a saving. */
export const AdjustmentSchema = Type.Object({
  code: Type.String(),
  description: Type.String(),
  hours: Type.Number(),
  min: Type.Number(),
  max: Type.Number(),
  estimated: Type.Number(),
  currency: Type.String(),
});
export type Adjustment = Static<typeof AdjustmentSchema>;

const CostRange = Type.Object({ min: Money, max: Money, estimated: Money, currency: Type.String() });

export const DepartmentTotalSchema = Type.Object({
  department: StringEnum([...DEPARTMENT_VALUES, 'parts', 'materials'] as const),
  hours: Type.Number(),
  rate_per_hour: Nullable(Money),
  total: Money,
  currency: Type.String(),
});
export type DepartmentTotal = Static<typeof DepartmentTotalSchema>;

/** Rule: repair (plus salvage) against the value of the vehicle. */
export const TotalLossSchema = Type.Object({
  is_total_loss: Type.Boolean(),
  near_threshold: Type.Boolean({ description: 'Within 15 % below the threshold: hidden damage may tip it.' }),
  rule: StringEnum(['percent_of_value', 'total_loss_formula'] as const),
  threshold_percentage: Type.Number(),
  repair_cost: Money,
  salvage_value: Money,
  vehicle_value: Money,
  ratio_percentage: Type.Number(),
  currency: Type.String(),
  formula: Type.String(),
  source: Type.String(),
});
export type TotalLoss = Static<typeof TotalLossSchema>;

export const SupplementRiskSchema = Type.Object({
  level: StringEnum(['low', 'medium', 'high'] as const),
  probability_min: Type.Number({ minimum: 0, maximum: 1 }),
  probability_max: Type.Number({ minimum: 0, maximum: 1 }),
  additional_cost: Type.Object({ min: Money, max: Money, currency: Type.String() }),
  formula: Type.String(),
  source: Type.String(),
});
export type SupplementRisk = Static<typeof SupplementRiskSchema>;

/** A calibration that may be due; the amount is in no total. */
export const AdasNoteSchema = Type.Object({
  part: Type.String(),
  sensor: Type.String(),
  note: Type.String(),
  amount: Type.Object({ min: Money, max: Money, currency: Type.String() }),
  included_in_total: Type.Literal(false),
  source: Type.String(),
});
export type AdasNote = Static<typeof AdasNoteSchema>;

export const AssessmentSummarySchema = Type.Object({
  total_damages_assessed: Type.Integer({ minimum: 0 }),
  overall_severity: StringEnum(SEVERITY_VALUES),
  overall_severity_score: Type.Number({ minimum: 0, maximum: 10 }),
  total_value_reduction_percentage: Type.Number({ minimum: 0, maximum: 100 }),
  repair_cost_summary: Type.Object({
    recommended_repairs_total: CostRange,
    all_repairs_range: Type.Object({ min: Money, max: Money, currency: Type.String() }),
    adjustments: Type.Array(AdjustmentSchema),
    adjusted_total: CostRange,
    tax: Type.Optional(
      Type.Object({ rate_percentage: Type.Number(), taxable: Money, amount: Money, currency: Type.String() }),
    ),
    departments: Type.Array(DepartmentTotalSchema),
  }),
  repair_timeline: Type.Optional(
    Type.Object({
      estimated_total_days: Type.Integer({ minimum: 1 }),
      can_repair_simultaneously: Type.Boolean(),
      formula: Type.String(),
    }),
  ),
  impact_on_vehicle_value: Type.Object({
    estimated_market_value: Money,
    value_reduction: Money,
    adjusted_value: Money,
    currency: Type.String(),
    basis: StringEnum(['request', 'regional_default'] as const),
    formula: Type.String(),
  }),
  total_loss: TotalLossSchema,
  supplement_risk: SupplementRiskSchema,
  adas_notes: Type.Array(AdasNoteSchema),
});
export type AssessmentSummary = Static<typeof AssessmentSummarySchema>;

/** One repair of a panel (or of a component beside it) over all its damages. */
export const PanelRepairSchema = Type.Object({
  part: Type.String(),
  component: Type.Optional(Type.String()),
  damage_ids: Type.Array(Type.String()),
  option: Type.String(),
  repair_type: StringEnum(REPAIR_TYPE_VALUES),
  operations: Type.Array(OperationLineSchema),
  parts_required: Type.Array(PartRequiredSchema),
});
export type PanelRepair = Static<typeof PanelRepairSchema>;

/** The estimate of the whole vehicle: each panel once, refinish worked out across panels. */
export const VehicleEstimateSchema = Type.Object({
  panels: Type.Array(PanelRepairSchema),
  refinish: Type.Array(OperationLineSchema),
  paint_materials: Type.Object({
    refinish_hours: Hours,
    rate_per_hour: Money,
    total: Money,
    currency: Type.String(),
  }),
});
export type VehicleEstimate = Static<typeof VehicleEstimateSchema>;

export const DamageAssessmentSchema = Type.Object({
  assessment_id: Type.String({ pattern: '^asmt_' }),
  vehicle_id: Type.String({ minLength: 1, maxLength: 128 }),
  inspection_id: Type.Optional(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  assessed_damages: Type.Array(AssessedDamageSchema),
  summary: AssessmentSummarySchema,
  reports: Type.Object({ pdf_url: Nullable(Type.String()), json_url: Nullable(Type.String()) }),
  vehicle: Type.Object({ ...VehicleSchema.properties, class_used: StringEnum(VEHICLE_CLASS_VALUES) }),
  estimate: VehicleEstimateSchema,
  region: RegionUsedSchema,
  warnings: Type.Array(WarningSchema),
});
export type DamageAssessment = Static<typeof DamageAssessmentSchema>;

export const AssessmentMetaSchema = Type.Object({
  request_id: Type.String(),
  processing_time: Type.Number(),
  labor_rate_used: Type.Number(),
  currency: Type.String(),
  region: Type.String(),
  fx: Type.Optional(FxSchema),
  parts_fx: Type.Optional(FxSchema),
  schema_version: Type.String(),
  software_version: Type.String(),
  tables: Type.Array(
    Type.Object({ name: Type.String(), version: Type.String(), effective_date: Type.String() }),
  ),
});
export type AssessmentMeta = Static<typeof AssessmentMetaSchema>;

export const AssessmentEnvelopeSchema = successEnvelope(DamageAssessmentSchema, AssessmentMetaSchema);
export type AssessmentEnvelope = Static<typeof AssessmentEnvelopeSchema>;
