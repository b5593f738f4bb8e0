import { DAMAGE_TYPES, SEVERITIES } from '../../domain/damage.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { ASSOCIATED_MODES } from '../../domain/repair.ts';
import { TYPE_ALIAS_NAMES } from '../../domain/type-aliases.ts';
import { NamedObject, type Static, StringEnum, Type } from '../../lib/type.ts';
import { ClaimSchema, RequestedVehicleSchema } from '../claim.ts';
import { CurrencyCode, Id, RegionCode, VehicleIdSchema } from '../common.ts';
import { LineEditSchema, Reason } from './edits.ts';

const TYPE_WORDS = [...DAMAGE_TYPES, ...TYPE_ALIAS_NAMES] as const;
export const MAX_EXTENT_CM = 1000;
const ExtentCm = Type.Number({ minimum: 0, maximum: MAX_EXTENT_CM });
export const MAX_DAMAGES = 100;

/** A damage to assess: the four fields of the contract, or an unchanged damage object of a visual inspection. */
const AssessmentDamageInputSchema = NamedObject(
  'AssessmentDamageInput',
  {
    damage_id: Id(),
    type: StringEnum(TYPE_WORDS, {
      description: 'A damage type, or an alias such as `oxidation`, which is returned in `subtype`.',
    }),
    location: Type.Union([
      StringEnum(PART_NAMES),
      Type.Object({ part: StringEnum(PART_NAMES) }, { additionalProperties: true }),
    ]),
    severity: Type.Optional(StringEnum(SEVERITIES)),
    severity_score: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
    subtype: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 400, description: 'Number of similar dents (hail).' }),
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

/** An adjuster's override of one damage (extension); the response keeps the computed value next to it. */
const OverrideSchema = NamedObject(
  'Override',
  {
    damage_id: Id('One of `damages`.'),
    type: Type.Optional(StringEnum(TYPE_WORDS)),
    severity: Type.Optional(StringEnum(SEVERITIES)),
    option: Type.Optional(
      Type.String({ minLength: 1, maxLength: 80, description: 'Name of the repair option to recommend.' }),
    ),
    reason: Reason,
  },
  { additionalProperties: false },
);
export type Override = Static<typeof OverrideSchema>;

/** Defaults of assessment options that depend on no setting. */
export const OPTION_DEFAULTS = { include_repair_timeline: true, include_part_prices: true } as const;

const AssessmentOptionsSchema = NamedObject('AssessmentOptions', {
  include_repair_timeline: Type.Optional(Type.Boolean({ default: OPTION_DEFAULTS.include_repair_timeline })),
  include_part_prices: Type.Optional(Type.Boolean({ default: OPTION_DEFAULTS.include_part_prices })),
  labor_rate_region: Type.Optional(RegionCode("Default: the service's region (usually US_MIDWEST).")),
  currency: Type.Optional(CurrencyCode('Default USD; for a region that the operator added, its currency.')),
  associated_operations: Type.Optional(
    StringEnum(ASSOCIATED_MODES, {
      description:
        'Operations that a repair usually brings: not listed; listed, and in the first bill by their share of jobs (default); listed and in the total.',
    }),
  ),
});

export const AssessmentRequestSchema = NamedObject('DamageAssessmentRequest', {
  vehicle_id: VehicleIdSchema,
  inspection_id: Type.Optional(Id('A visual inspection of this account.')),
  damages: Type.Array(AssessmentDamageInputSchema, { minItems: 1, maxItems: MAX_DAMAGES }),
  assessment_options: Type.Optional(AssessmentOptionsSchema),
  vehicle: Type.Optional(RequestedVehicleSchema),
  overrides: Type.Optional(Type.Array(OverrideSchema, { maxItems: MAX_DAMAGES })),
  line_edits: Type.Optional(Type.Array(LineEditSchema, { maxItems: 500 })),
  claim: Type.Optional(ClaimSchema),
});
export type AssessmentRequest = Static<typeof AssessmentRequestSchema>;
export type LineEditEntry = NonNullable<AssessmentRequest['line_edits']>[number];
