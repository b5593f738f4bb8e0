import { type Static, Type } from 'typebox';
import { DAMAGE_TYPES, SEVERITIES } from '../domain/damage.ts';
import { PART_NAMES } from '../domain/parts.ts';
import { DEPARTMENTS, OPERATIONS, REPAIR_TYPES } from '../domain/repair.ts';
import { STATED_CLASSES } from '../domain/vehicle.ts';
import { VehicleSchema } from './assessment-request.ts';
import { COSMETIC_IMPACT_VALUES, IMPACT_VALUES, PART_SOURCE_VALUES } from './assessment-values.ts';
import { ClaimSchema, VehicleFactsSchema } from './claim.ts';
import { FxSchema, Nullable, RuleTraceSchema, StringEnum, successEnvelope } from './common.ts';
import {
  EstimateLineSchema,
  EstimateVersionSchema,
  SettlementSchema,
  SupplementSchema,
} from './estimate-lines.ts';
import { RegionUsedSchema, WarningSchema } from './inspection.ts';

const Money = Type.Number({ minimum: 0 });
const Hours = Type.Number({ minimum: 0, description: 'Hours, one decimal.' });

export const PartRequiredSchema = Type.Object({
  part: Type.String(),
  part_number: Type.Optional(Type.String()),
  type: Type.String({
    description: '`consumable`, `body_part`, `glass`, `lamp`, `mechanical_part`, `sublet`.',
  }),
  oem_price: Type.Optional(
    Type.Number({
      minimum: 0,
      description:
        'Price that counts in `total_cost.parts`. In an option that buys an aftermarket or recycled part it is the price of that part; the new OEM list price is then in `oem_list_price`. Absent with `include_part_prices: false`.',
    }),
  ),
  aftermarket_price: Type.Optional(
    Type.Number({
      minimum: 0,
      description:
        'Price of the part from another maker; the OEM price where there is none. Absent with `include_part_prices: false`.',
    }),
  ),
  recycled_price: Type.Optional(Money),
  oem_list_price: Type.Optional(Money),
  source: StringEnum(PART_SOURCE_VALUES),
  currency: Type.String(),
});
export type PartRequired = Static<typeof PartRequiredSchema>;

/** One line of an estimate; the hours stand in the column of their department. */
export const OperationLineSchema = Type.Object({
  operation: StringEnum(OPERATIONS),
  part: Type.String(),
  department: StringEnum(DEPARTMENTS),
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
  repair_type: StringEnum(REPAIR_TYPES),
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
  operation: Type.Optional(Type.String({ description: 'Line that the hours stand on.' })),
  part: Type.Optional(Type.String({ description: 'Part that the hours or the price belong to.' })),
  reason: Type.Optional(Type.String()),
});
export type OverrideApplied = Static<typeof OverrideAppliedSchema>;

export const AssessedDamageSchema = Type.Object({
  damage_id: Type.String(),
  type: StringEnum(DAMAGE_TYPES),
  location: StringEnum(PART_NAMES),
  severity: StringEnum(SEVERITIES),
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
  department: StringEnum([...DEPARTMENTS, 'parts', 'materials', 'sublet', 'fees'] as const),
  hours: Type.Number(),
  rate_per_hour: Nullable(Money),
  total: Money,
  currency: Type.String(),
});
export type DepartmentTotal = Static<typeof DepartmentTotalSchema>;

/** Rule: repair with tax (plus salvage) against the value of the vehicle; `unknown` on a default value. */
export const TotalLossSchema = Type.Object({
  verdict: StringEnum(['total_loss', 'near_threshold', 'no_total_loss', 'unknown'] as const),
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

/** A calibration that may be due; a line of the estimate may stand for it, `amount` itself is in no sum. */
export const AdasNoteSchema = Type.Object({
  part: Type.String(),
  sensor: Type.String(),
  note: Type.String(),
  amount: Type.Object({ min: Money, max: Money, currency: Type.String() }),
  included_in_total: Type.Boolean({ description: 'A line of the estimate counts it in the total.' }),
  counted_in: Type.Optional(
    StringEnum(['total', 'range', 'none'] as const, {
      description: 'Where that line counts: the total, the upper end of the range alone, or no sum.',
    }),
  ),
  line_id: Type.Optional(Type.String({ description: 'The line of the estimate that stands for it.' })),
  source: Type.String(),
});
export type AdasNote = Static<typeof AdasNoteSchema>;

export const AssessmentSummarySchema = Type.Object({
  total_damages_assessed: Type.Integer({ minimum: 0 }),
  overall_severity: StringEnum(SEVERITIES),
  overall_severity_score: Type.Number({ minimum: 0, maximum: 10 }),
  total_value_reduction_percentage: Type.Number({ minimum: 0, maximum: 100 }),
  repair_cost_summary: Type.Object({
    recommended_repairs_total: CostRange,
    all_repairs_range: Type.Object({ min: Money, max: Money, currency: Type.String() }),
    adjustments: Type.Array(AdjustmentSchema),
    adjusted_total: CostRange,
    net_total: Type.Optional(Type.Number({ minimum: 0, description: 'The adjusted total, without tax.' })),
    gross_total: Type.Optional(Type.Number({ minimum: 0, description: 'The adjusted total with tax.' })),
    range_meaning: Type.Optional(Type.String({ description: 'What `min` and `max` are meant to hold.' })),
    tax: Type.Optional(
      Type.Object({
        name: Type.String(),
        base: StringEnum(['everything', 'parts_and_materials'] as const),
        rate_percentage: Type.Number(),
        taxable: Money,
        amount: Money,
        net_total: Type.Number({ minimum: 0, description: 'The adjusted total, without tax.' }),
        gross_total: Type.Number({ minimum: 0, description: 'The adjusted total with tax.' }),
        currency: Type.String(),
        source: Type.String(),
      }),
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
    value_formula: Type.String({ description: 'Where the market value comes from.' }),
  }),
  total_loss: TotalLossSchema,
  settlement: Type.Optional(SettlementSchema),
  supplement_risk: SupplementRiskSchema,
  adas_notes: Type.Array(AdasNoteSchema),
});
export type AssessmentSummary = Static<typeof AssessmentSummarySchema>;

/** One repair of a panel (or of a component next to it) over all its damages. */
export const PanelRepairSchema = Type.Object({
  part: Type.String(),
  component: Type.Optional(Type.String()),
  damage_ids: Type.Array(Type.String()),
  option: Type.String(),
  repair_type: StringEnum(REPAIR_TYPES),
  operations: Type.Array(OperationLineSchema),
  parts_required: Type.Array(PartRequiredSchema),
});
export type PanelRepair = Static<typeof PanelRepairSchema>;

/** An operation that a repair usually brings: in the upper end of the range, or in the total where that was asked. */
export const AssociatedLineSchema = Type.Object({
  operation: StringEnum(OPERATIONS),
  part: Type.String(),
  because_of: Type.String(),
  department: StringEnum(DEPARTMENTS),
  hours: Hours,
  price: Money,
  total: Type.Number({ minimum: 0, description: 'Labour, price and paint materials.' }),
  currency: Type.String(),
  share_of_jobs: Type.Number({ minimum: 0, maximum: 1 }),
  counted_in: StringEnum(['range', 'total'] as const),
  source: Type.String(),
});
export type AssociatedLine = Static<typeof AssociatedLineSchema>;

const { vin, vin_check_digit, plate, odometer, paint_code } = VehicleFactsSchema.properties;
const IDENTITY = { vin, vin_check_digit, plate, odometer, paint_code };

/** The estimate of the whole vehicle: each panel once, refinish worked out across panels. */
export const VehicleEstimateSchema = Type.Object({
  panels: Type.Array(PanelRepairSchema),
  refinish: Type.Array(OperationLineSchema),
  associated: Type.Optional(Type.Array(AssociatedLineSchema)),
  lines: Type.Optional(
    Type.Array(EstimateLineSchema, {
      description:
        'The whole estimate as lines; those counted in the total add up to `adjusted_total` exactly.',
    }),
  ),
  version: Type.Optional(
    Type.String({ description: '`E01`, the estimate of record, or a supplement `S01` …' }),
  ),
  history: Type.Optional(Type.Array(EstimateVersionSchema)),
  supplement: Type.Optional(SupplementSchema),
  associated_operations: Type.Optional(StringEnum(['off', 'likely', 'all'] as const)),
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
  claim: Type.Optional(ClaimSchema),
  vehicle: Type.Object({
    ...VehicleSchema.properties,
    ...IDENTITY,
    class_used: StringEnum(STATED_CLASSES),
  }),
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
