import { STATED_CLASSES } from '../../domain/vehicle/vehicle.ts';
import { NamedObject, type Static, StringEnum, Type } from '../../lib/type.ts';
import { ClaimSchema, identity, VehicleSchema } from '../claim.ts';
import { envelop, Id, metaFields, Nullable, RegionUsedSchema, WarningSchema } from '../common.ts';
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
  ...metaFields,
  tables: Type.Array(
    Type.Object({ name: Type.String(), version: Type.String(), effective_date: Type.String() }),
  ),
});

export const AssessmentEnvelopeSchema = Type.Object({
  ...envelop(DamageAssessmentSchema).properties,
  meta: AssessmentMetaSchema,
});
export type AssessmentEnvelope = Static<typeof AssessmentEnvelopeSchema>;
