import * as answers from '../../contract/answers.ts';
import { AssessmentMetaSchema, DamageAssessmentSchema } from '../../contract/assessment/assessment.ts';
import * as damages from '../../contract/assessment/damage.ts';
import { LineEditSchema } from '../../contract/assessment/edits.ts';
import { VehicleEstimateSchema } from '../../contract/assessment/estimate.ts';
import * as lines from '../../contract/assessment/lines.ts';
import * as options from '../../contract/assessment/option.ts';
import * as requests from '../../contract/assessment/request.ts';
import * as summary from '../../contract/assessment/summary.ts';
import { ClaimSchema, RequestedVehicleSchema, VehicleFactsSchema } from '../../contract/claim.ts';
import { ErrorEnvelopeSchema, FxSchema, RuleTraceSchema } from '../../contract/common.ts';
import * as inspection from '../../contract/inspection.ts';
import * as grounds from '../../contract/inspection-grounds.ts';
import { KeyRequestSchema, KeySchema } from '../../contract/keys.ts';
import * as provenance from '../../contract/provenance.ts';
import { ImageRequestSchema, VisualRequestSchema } from '../../contract/requests.ts';
import { DecisionSchema, DrawnBoxSchema } from '../../contract/review.ts';
import * as reviews from '../../contract/review-answers.ts';
import { UploadSchema } from '../../contract/uploads.ts';
import * as webhooks from '../../contract/webhooks.ts';

/** Schemas named in the OpenAPI document; generated clients use these names for their types. */
export const NAMED_SCHEMAS: Readonly<Record<string, object>> = {
  VisualInspectionRequest: VisualRequestSchema,
  ImageRequest: ImageRequestSchema,
  VisualInspection: inspection.VisualInspectionSchema,
  InspectionResults: inspection.InspectionResultsSchema,
  VehicleResult: inspection.VehicleResultSchema,
  InspectionMeta: inspection.InspectionMetaSchema,
  VisualReport: answers.VisualReportSchema,
  Damage: inspection.DamageSchema,
  DamageSummary: grounds.DamageSummarySchema,
  RepairCost: grounds.RepairCostSchema,
  RepairLine: grounds.RepairLineSchema,
  Coverage: grounds.CoverageSchema,
  GradeBasis: grounds.GradeBasisSchema,
  NextPhoto: grounds.NextPhotoSchema,
  VehicleGroup: grounds.VehicleGroupSchema,
  Claim: ClaimSchema,
  VehicleFacts: VehicleFactsSchema,
  Coordinates: inspection.CoordinatesSchema,
  Measurements: inspection.MeasurementsSchema,
  Evidence: inspection.EvidenceSchema,
  HiddenRisk: grounds.HiddenRiskSchema,
  NotAssessed: grounds.NotAssessedSchema,
  Photo: inspection.PhotoSchema,
  PhotoIssue: inspection.PhotoIssueSchema,
  RejectedImage: inspection.RejectedImageSchema,
  Warning: provenance.WarningSchema,
  ModelUsed: provenance.ModelUsedSchema,
  RegionUsed: provenance.RegionUsedSchema,
  DamageAssessmentRequest: requests.AssessmentRequestSchema,
  AssessmentDamageInput: requests.AssessmentDamageInputSchema,
  AssessmentOptions: requests.AssessmentOptionsSchema,
  Override: requests.OverrideSchema,
  Vehicle: RequestedVehicleSchema,
  EstimateLine: lines.EstimateLineSchema,
  LineEdit: LineEditSchema,
  DamageAssessment: DamageAssessmentSchema,
  AssessedDamage: damages.AssessedDamageSchema,
  RepairOption: options.RepairOptionSchema,
  PartRequired: options.PartRequiredSchema,
  AssessmentSummary: summary.AssessmentSummarySchema,
  AssessmentMeta: AssessmentMetaSchema,
  VehicleEstimate: VehicleEstimateSchema,
  Adjustment: summary.AdjustmentSchema,
  DepartmentTotal: summary.DepartmentTotalSchema,
  TotalLoss: summary.TotalLossSchema,
  OverrideApplied: damages.OverrideAppliedSchema,
  Account: answers.AccountSchema,
  AuthTest: answers.AuthTestSchema,
  Review: reviews.ReviewSchema,
  ReviewChange: reviews.ReviewChangeSchema,
  ReviewDecision: DecisionSchema,
  DrawnBox: DrawnBoxSchema,
  Placement: reviews.PlacementSchema,
  Upload: UploadSchema,
  ApiKey: KeySchema,
  ApiKeyRequest: KeyRequestSchema,
  Pagination: answers.PaginationSchema,
  Webhook: webhooks.WebhookSchema,
  WebhookRequest: webhooks.WebhookRequestSchema,
  WebhookChange: webhooks.WebhookChangeSchema,
  WebhookDelivery: webhooks.DeliverySchema,
  VisualInspectionEvent: webhooks.VisualEventSchema,
  DamageAssessmentEvent: webhooks.AssessmentEventSchema,
  RuleTrace: RuleTraceSchema,
  ExchangeRate: FxSchema,
  Error: ErrorEnvelopeSchema,
};

/** Response headers in the OpenAPI document, by name. */
export type Headers = Readonly<Record<string, { readonly type: 'string'; readonly description: string }>>;
export const describeHeader = (description: string) => ({ type: 'string', description }) as const;

/** Headers of every response. */
export const COMMON_HEADERS: Headers = {
  'X-Request-Id': describeHeader('Id of this request, for the logs on both sides.'),
  'RateLimit-Policy': describeHeader('The limit: `"hour";q=<requests>;w=<seconds>`.'),
  RateLimit: describeHeader(
    'What the account has left: `"hour";r=<left>;t=<seconds until it starts again>`.',
  ),
};
export const RETRY_HEADERS: Headers = {
  'Retry-After': describeHeader('Seconds to wait before the next try.'),
};
/** Headers that the OpenAPI document describes once. */
export const SHARED_HEADERS: Headers = { ...COMMON_HEADERS, ...RETRY_HEADERS };
