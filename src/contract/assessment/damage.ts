import { DAMAGE_TYPES, SEVERITIES } from '../../domain/damage.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { NamedObject, type Static, StringEnum, Type } from '../../lib/type.ts';
import { Money, OptionalAmount, OptionalText, RuleTraceSchema } from '../common.ts';
import { RepairOptionSchema } from './option.ts';

const Impact = StringEnum(['none', ...SEVERITIES] as const);

/** A value overridden by an adjuster, with the computed or submitted value. */
const OverrideAppliedSchema = NamedObject('OverrideApplied', {
  field: StringEnum(['type', 'severity', 'option'] as const),
  computed: Type.String(),
  value: Type.String(),
  reason: Type.Optional(Type.String()),
});

export const AssessedDamageSchema = NamedObject('AssessedDamage', {
  damage_id: Type.String(),
  type: StringEnum(DAMAGE_TYPES),
  location: StringEnum(PART_NAMES),
  severity: StringEnum(SEVERITIES),
  severity_score: Type.Number({ minimum: 0, maximum: 10 }),
  impact_assessment: Type.Object({
    structural: Impact,
    cosmetic: StringEnum(['none', 'minor', 'moderate', 'severe'] as const),
    safety: Impact,
    affects_value: Type.Boolean(),
    value_reduction_percentage: Type.Number({ minimum: 0, maximum: 100 }),
  }),
  repair_options: Type.Array(RepairOptionSchema, {
    minItems: 1,
    description: 'Ways to repair the panel with all of its damages; each of these damages has the same list.',
  }),
  recommended_repair: Type.Object({
    option: Type.String(),
    min_cost: Money,
    max_cost: Money,
    estimated_cost: Money,
    currency: Type.String(),
  }),
  subtype: Type.Optional(Type.String()),
  size_cm: Type.Optional(Type.Number()),
  size_uncertainty_cm: OptionalAmount(
    'Half-width of the interval of size_cm; absent where the request states the size without one (extension).',
  ),
  count: Type.Optional(Type.Integer()),
  severity_given: OptionalText('The submitted severity, if the service raised it.'),
  overrides: Type.Optional(Type.Array(OverrideAppliedSchema)),
  explain: Type.Array(RuleTraceSchema),
});
export type AssessedDamage = Static<typeof AssessedDamageSchema>;
