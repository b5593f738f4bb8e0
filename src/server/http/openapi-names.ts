import * as answers from '../../contract/answers.ts';
import * as assessment from '../../contract/assessment.ts';
import * as requests from '../../contract/assessment-request.ts';
import { ErrorEnvelopeSchema, FxSchema, RuleTraceSchema } from '../../contract/common.ts';
import * as lines from '../../contract/estimate-lines.ts';
import * as inspection from '../../contract/inspection.ts';
import { KeyRequestSchema, KeySchema } from '../../contract/keys.ts';
import { ImageRequestSchema, VisualRequestSchema } from '../../contract/requests.ts';
import * as reviews from '../../contract/review-answers.ts';
import { UploadSchema } from '../../contract/uploads.ts';
import { UsageSchema } from '../../contract/usage.ts';
import * as webhooks from '../../contract/webhooks.ts';

/** The schemas that have a name in the OpenAPI document, so that generated clients have types by these names. */
export const NAMED_SCHEMAS: Readonly<Record<string, object>> = {
  VisualInspectionRequest: VisualRequestSchema,
  ImageRequest: ImageRequestSchema,
  VisualInspection: inspection.VisualInspectionSchema,
  InspectionResults: inspection.InspectionResultsSchema,
  InspectionMeta: inspection.InspectionMetaSchema,
  VisualReport: answers.VisualReportSchema,
  Damage: inspection.DamageSchema,
  DamageSummary: inspection.DamageSummarySchema,
  Coordinates: inspection.CoordinatesSchema,
  Measurements: inspection.MeasurementsSchema,
  Evidence: inspection.EvidenceSchema,
  HiddenRisk: inspection.HiddenRiskSchema,
  NotAssessed: inspection.NotAssessedSchema,
  Photo: inspection.PhotoSchema,
  PhotoIssue: inspection.PhotoIssueSchema,
  RejectedImage: inspection.RejectedImageSchema,
  Warning: inspection.WarningSchema,
  ModelUsed: inspection.ModelUsedSchema,
  RegionUsed: inspection.RegionUsedSchema,
  DamageAssessmentRequest: requests.AssessmentRequestSchema,
  AssessmentDamageInput: requests.AssessmentDamageInputSchema,
  AssessmentOptions: requests.AssessmentOptionsSchema,
  Override: requests.OverrideSchema,
  Vehicle: requests.RequestedVehicleSchema,
  EstimateLine: lines.EstimateLineSchema,
  EstimateVersion: lines.EstimateVersionSchema,
  EstimateSupplement: lines.SupplementSchema,
  Settlement: lines.SettlementSchema,
  SettlementTerms: lines.SettlementTermsSchema,
  LineEdit: lines.LineEditSchema,
  DamageAssessment: assessment.DamageAssessmentSchema,
  AssessedDamage: assessment.AssessedDamageSchema,
  RepairOption: assessment.RepairOptionSchema,
  PartRequired: assessment.PartRequiredSchema,
  OperationLine: assessment.OperationLineSchema,
  AssessmentSummary: assessment.AssessmentSummarySchema,
  AssessmentMeta: assessment.AssessmentMetaSchema,
  VehicleEstimate: assessment.VehicleEstimateSchema,
  PanelRepair: assessment.PanelRepairSchema,
  Adjustment: assessment.AdjustmentSchema,
  DepartmentTotal: assessment.DepartmentTotalSchema,
  TotalLoss: assessment.TotalLossSchema,
  SupplementRisk: assessment.SupplementRiskSchema,
  AdasNote: assessment.AdasNoteSchema,
  OverrideApplied: assessment.OverrideAppliedSchema,
  Account: answers.AccountSchema,
  AuthTest: answers.AuthTestSchema,
  Review: reviews.ReviewSchema,
  ReviewChange: reviews.ReviewChangeSchema,
  ReviewDecision: reviews.DecisionSchema,
  DrawnBox: reviews.DrawnBoxSchema,
  Placement: reviews.PlacementSchema,
  Upload: UploadSchema,
  ApiKey: KeySchema,
  ApiKeyRequest: KeyRequestSchema,
  Usage: UsageSchema,
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
