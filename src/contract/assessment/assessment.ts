import { STATED_CLASSES } from '../../domain/vehicle/vehicle.ts';
import { NamedObject, type Static, Type } from '../../lib/type.ts';
import { ClaimSchema, identity, VehicleSchema } from '../claim.ts';
import { defineSuccessEnvelope, FxSchema, Id, Nullable, StringEnum } from '../common.ts';
import { IgnoredFieldsSchema, RegionUsedSchema, WarningSchema } from '../provenance.ts';
import { AssessedDamageSchema } from './damage.ts';
import { VehicleEstimateSchema } from './estimate.ts';
import { AssessmentSummarySchema } from './summary.ts';

export const DamageAssessmentSchema = NamedObject('DamageAssessment', {
  assessment_id: Type.String({ pattern: '^asmt_' }),
  vehicle_id: Id(),
  inspection_id: Type.Optional(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  assessed_damages: Type.Array(AssessedDamageSchema),
  summary: AssessmentSummarySchema,
  reports: Type.Object({ pdf_url: Nullable(Type.String()), json_url: Nullable(Type.String()) }),
  claim: Type.Optional(ClaimSchema),
  vehicle: Type.Object({ ...VehicleSchema.properties, ...identity, class_used: StringEnum(STATED_CLASSES) }),
  estimate: VehicleEstimateSchema,
  region: RegionUsedSchema,
  warnings: Type.Array(WarningSchema),
});
export type DamageAssessment = Static<typeof DamageAssessmentSchema>;

const AssessmentMetaSchema = NamedObject('AssessmentMeta', {
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
  warnings: Type.Optional(IgnoredFieldsSchema),
});

export const AssessmentEnvelopeSchema = defineSuccessEnvelope(DamageAssessmentSchema, AssessmentMetaSchema);
export type AssessmentEnvelope = Static<typeof AssessmentEnvelopeSchema>;
