import { SEVERITIES } from '../../domain/damage.ts';
import { DEPARTMENTS } from '../../domain/repair.ts';
import { NamedObject, type Static, StringEnum, Type } from '../../lib/type.ts';
import { Money, Nullable, OptionalAmount, rangeOf } from '../common.ts';

const COST_RANGE = rangeOf(Money);
const CostRange = Type.Object(COST_RANGE);

/** Difference between the sum of single repairs and one repair of the vehicle; negative = a saving. */
const AdjustmentSchema = NamedObject('Adjustment', {
  code: Type.String(),
  description: Type.String(),
  hours: Type.Number(),
  ...rangeOf(Type.Number()),
});

const DepartmentTotalSchema = NamedObject('DepartmentTotal', {
  department: StringEnum([...DEPARTMENTS, 'parts', 'materials', 'sublet', 'fees'] as const),
  hours: Type.Number(),
  rate_per_hour: Nullable(Money),
  total: Money,
  currency: Type.String(),
});

/** Total-loss rule: repair with tax (plus salvage) against the vehicle value; `unknown` for a default value. */
const TotalLossSchema = NamedObject('TotalLoss', {
  verdict: StringEnum(['total_loss', 'near_threshold', 'no_total_loss', 'unknown'] as const),
  is_total_loss: Type.Boolean(),
  near_threshold: Type.Boolean({
    description: 'Within 15 % below the threshold, so hidden damage may exceed it.',
  }),
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

export const AssessmentSummarySchema = NamedObject('AssessmentSummary', {
  total_damages_assessed: Type.Integer({ minimum: 0 }),
  overall_severity: StringEnum(SEVERITIES),
  overall_severity_score: Type.Number({ minimum: 0, maximum: 10 }),
  total_value_reduction_percentage: Type.Number({ minimum: 0, maximum: 100 }),
  repair_cost_summary: Type.Object({
    first_bill: Type.Object(COST_RANGE, {
      description:
        "What a shop's first bill comes to, without tax: the repair as seen and, as far as such a job has them, the operations expected with it. The one figure for thresholds and total loss (extension).",
    }),
    as_seen: Type.Object(COST_RANGE, {
      description: 'The same as `adjusted_total`, under its name in an inspection (extension).',
    }),
    after_teardown: Type.Optional(
      Type.Object(
        {
          ...COST_RANGE,
          added_percentage: Type.Number({ description: 'Of the first bill.' }),
          source: Type.String(),
        },
        {
          description:
            'The first bill plus the average supplement after teardown; absent if nothing is taken apart (extension).',
        },
      ),
    ),
    first_bill_gross: Type.Number({ minimum: 0, description: 'The first bill with tax (extension).' }),
    recommended_repairs_total: CostRange,
    all_repairs_range: Type.Object({ min: Money, max: Money, currency: Type.String() }),
    adjustments: Type.Array(AdjustmentSchema),
    adjusted_total: CostRange,
    net_total: Type.Number({ minimum: 0, description: 'The adjusted total, without tax.' }),
    gross_total: Type.Number({ minimum: 0, description: 'The adjusted total with tax.' }),
    expected_total: OptionalAmount(
      'The adjusted total and the operations expected with it, each by the share of jobs it occurs in, without tax; absent where none is expected, or all are counted.',
    ),
    range_meaning: Type.String({ description: 'Meaning of `min` and `max`.' }),
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
    rule: StringEnum(['17c', 'none'] as const, { description: 'none: the loss of value is not estimated.' }),
    formula: Type.String(),
    value_formula: Type.String({ description: 'Source of the market value.' }),
  }),
  total_loss: TotalLossSchema,
});
export type AssessmentSummary = Static<typeof AssessmentSummarySchema>;
