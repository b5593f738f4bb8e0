import { CONDITIONS, DAMAGE_TYPES, SEVERITIES, UNCERTAINTY } from '../domain/damage.ts';
import { PART_NAMES } from '../domain/parts.ts';
import { ANGLES, PHOTO_FORMATS, PHOTO_TYPES } from '../domain/photo.ts';
import { SEGMENT_LABELS } from '../domain/sight/detection.ts';
import { COVERAGE_REASONS } from '../domain/sight/part-coverage.ts';
import { READ_FACTS } from '../domain/vehicle/claim-file.ts';
import { NamedObject, type Static, StringEnum, Type } from '../lib/type.ts';
import { ClaimSchema, VehicleFactsSchema } from './claim.ts';
import {
  Count,
  CountOf,
  countPer,
  envelop,
  Id,
  ModelUsedSchema,
  metaFields,
  Nullable,
  OptionalText,
  pixelBox,
  RegionUsedSchema,
  RuleTraceSchema,
  WarningSchema,
} from './common.ts';
import {
  CoverageSchema,
  GradeBasisSchema,
  NextPhotoSchema,
  VehicleGroupSchema,
} from './inspection-grounds.ts';
import { ExpectedOperationSchema, RepairCostSchema, RepairLineSchema } from './repair.ts';

const Confidence = Type.Number({ minimum: 0, maximum: 1 });

/** Region of the submitted image, whole pixels after EXIF orientation, origin top-left, inside the image. */
const CoordinatesSchema = NamedObject('Coordinates', {
  ...pixelBox,
  image_width: Type.Integer({ minimum: 1 }),
  image_height: Type.Integer({ minimum: 1 }),
});
export type Coordinates = Static<typeof CoordinatesSchema>;

const MeasurementsSchema = NamedObject(
  'Measurements',
  {
    length: Type.Optional(Type.Number()),
    width: Type.Optional(Type.Number()),
    diameter: Type.Optional(Type.Number()),
    depth: Type.Optional(Type.Number()),
    unit: Type.Literal('cm'),
    method: Type.String({ description: 'Reference the scale comes from (extension).' }),
    uncertainty_cm: Type.Number({
      description: 'Half-width of the 80 % interval of the largest dimension (extension).',
    }),
    depth_is_estimate: Type.Optional(Type.Boolean()),
  },
  {
    description: 'Physical size in centimeters; a scratch has length, width, depth, a dent diameter, depth.',
  },
);
export type Measurements = Static<typeof MeasurementsSchema>;

/** One photo that shows a damage. */
const EvidenceSchema = NamedObject('Evidence', {
  image_index: CountOf('Index into `images`.'),
  image_url: Type.String(),
  coordinates: CoordinatesSchema,
  confidence: Confidence,
  type: Type.Optional(
    StringEnum(DAMAGE_TYPES, {
      description: 'Type seen there, if it differs from that of the damage (extension).',
    }),
  ),
});
export type Evidence = Static<typeof EvidenceSchema>;

const damageFields = {
  type: StringEnum(DAMAGE_TYPES),
  severity: StringEnum(SEVERITIES),
  location: Type.Object({
    part: StringEnum(PART_NAMES),
    side: Type.String(),
    coordinates: CoordinatesSchema,
    uncertain: Type.Optional(
      StringEnum(UNCERTAINTY, {
        description: 'What the photo cannot determine: the part, or left or right (extension).',
      }),
    ),
  }),
  measurements: Type.Optional(MeasurementsSchema),
  confidence: Confidence,
  image_url: Type.String(),
  annotated_url: Nullable(Type.String()),
  estimated_repair: Type.Object({
    min: Type.Number(),
    max: Type.Number(),
    currency: Type.String(),
    repair_type: Type.String(),
    repair_category: OptionalText('More specific than repair_type: `panel_repair` (extension).'),
    estimated: Type.Number({ description: 'Midpoint (extension).' }),
  }),
  number: Type.Integer({ minimum: 1, description: 'Number on annotated photos and in tables (extension).' }),
  subtype: Type.Optional(Type.String()),
  also: Type.Optional(
    Type.Array(StringEnum(DAMAGE_TYPES), {
      description: 'Other types of damage at the same place, such as scratches in a dent (extension).',
    }),
  ),
  detail: Type.Optional(Type.String()),
  severity_score: Type.Number({ minimum: 0, maximum: 10 }),
  measurements_absent: OptionalText('Reason for missing measurements (extension).'),
  evidence: Type.Array(EvidenceSchema, { minItems: 1 }),
  explain: Type.Array(RuleTraceSchema),
};

export const DamageSchema = NamedObject('Damage', {
  damage_id: Type.String({ pattern: '^dmg_[a-z_]+_[0-9]{3,}$' }),
  ...damageFields,
});
export type Damage = Static<typeof DamageSchema>;

export const ToCheckSchema = Type.Object(
  { damage_id: Type.String({ pattern: '^chk_[a-z_]+_[0-9]{3,}$' }), ...damageFields },
  { description: 'A possible damage to verify; in no sum, in the grade by its confidence (extension).' },
);

const DroppedSchema = Type.Object({
  not_on_vehicle: Count,
  implausible: CountOf(
    'Findings that are impossible for their part, such as a dent in a window (extension).',
  ),
  below_confidence: CountOf(
    'Findings on the vehicle, counted per photo, that are too uncertain to be listed.',
  ),
});

const DamageSummarySchema = NamedObject('DamageSummary', {
  total_damages: Count,
  by_severity: countPer(SEVERITIES),
  by_type: countPer(DAMAGE_TYPES),
  total_estimated_repair: Type.Object({ min: Type.Number(), max: Type.Number(), currency: Type.String() }),
});

const NotAssessedSchema = NamedObject('NotAssessed', {
  what: Type.String({ description: 'A side of the vehicle, a photo address, or `mechanical`.' }),
  code: Type.String(),
  reason: Type.String(),
});
export type NotAssessed = Static<typeof NotAssessedSchema>;

const HiddenRiskSchema = NamedObject('HiddenRisk', {
  component: Type.String(),
  probability: Type.Number({ minimum: 0, maximum: 1 }),
  basis: Type.String(),
});

const resultFields = {
  mixed_vehicles: Type.Optional(
    Type.Literal(true, {
      description:
        'The photos seem to show several vehicles; the grade is the worst of `vehicles`, the prices are their sums (extension).',
    }),
  ),
  overall_condition: StringEnum(CONDITIONS),
  condition_score: Type.Number({ minimum: 0, maximum: 10 }),
  confidence: Confidence,
  damages: Type.Array(DamageSchema),
  damage_summary: DamageSummarySchema,
  parts_affected: Type.Array(
    Type.Object({ part: Type.String(), condition: StringEnum(CONDITIONS), damage_count: Count }),
  ),
  not_assessed: Type.Array(NotAssessedSchema),
  dropped_detections: DroppedSchema,
  to_check: Type.Array(ToCheckSchema, {
    description: 'Possible damages to verify; in no sum, in the grade by their confidence (extension).',
  }),
  repair_cost: RepairCostSchema,
  if_all_confirmed: RepairCostSchema,
  repair_lines: Type.Array(RepairLineSchema, {
    description: '`repair_cost.estimated` as one row per part (extension).',
  }),
  expected_operations: Type.Optional(
    Type.Array(ExpectedOperationSchema, {
      description:
        'Operations that such a repair usually includes, each with its share of jobs; absent if there are none (extension).',
    }),
  ),
  coverage: CoverageSchema,
  grade_basis: GradeBasisSchema,
  next_photos: Type.Array(NextPhotoSchema, {
    description: 'Photos to take next, most useful first (extension).',
  }),
  hidden_damage_risks: Type.Optional(Type.Array(HiddenRiskSchema)),
};

const { image_urls: _urls, ...groupFields } = VehicleGroupSchema.properties;
const { mixed_vehicles: _mixed, damages: _damages, to_check: _toCheck, ...vehicleFields } = resultFields;

const VehicleResultSchema = NamedObject(
  'VehicleResult',
  {
    ...groupFields,
    damage_ids: Type.Array(Type.String(), { description: 'Its damages in `damages`.' }),
    to_check_ids: Type.Array(Type.String(), { description: 'Its places in `to_check`.' }),
    ...vehicleFields,
  },
  { description: 'One of several vehicles in the photos, graded and priced by itself (extension).' },
);
export type VehicleResult = Static<typeof VehicleResultSchema>;

export const InspectionResultsSchema = NamedObject('InspectionResults', {
  ...resultFields,
  vehicles: Type.Optional(
    Type.Array(VehicleResultSchema, {
      description:
        'Results of each vehicle if the photos seem to show several, as in `vehicle_groups` (extension).',
    }),
  ),
});
export type InspectionResults = Static<typeof InspectionResultsSchema>;

/** A quality issue of a photo, with the measured value and its limit. */
const PhotoIssueSchema = NamedObject('PhotoIssue', {
  code: Type.String({
    description: 'blur, dark, bright, glare, low_resolution, duplicate, near_duplicate, no_vehicle, turned …',
  }),
  value: Type.Number(),
  limit: Type.Number(),
  message: Type.String(),
  summary: OptionalText('The message without figures; absent if it has none (extension).'),
});
export type PhotoIssue = Static<typeof PhotoIssueSchema>;

const PixelBoxSchema = Type.Array(Type.Integer(), {
  minItems: 4,
  maxItems: 4,
  description: 'Left, top, width, height; pixels of the upright photo.',
});

const PhotoRecordSchema = Type.Object(
  {
    parts: Type.Array(
      Type.Object({
        part: StringEnum(SEGMENT_LABELS),
        box: PixelBoxSchema,
        cut: Type.Boolean({ description: 'The part runs out of the picture.' }),
      }),
    ),
    cm_per_pixel: Nullable(Type.Number({ description: 'Scale of the photo, from a part of known size.' })),
    views: Type.Array(
      Type.Object({ part: StringEnum(PART_NAMES), reason: Nullable(StringEnum(COVERAGE_REASONS)) }),
      { description: 'Parts shown, with the reason why one cannot be judged; null if it can.' },
    ),
    view_cm_per_pixel: Type.Optional(
      Type.Number({ description: 'Scale of the views; assumed from the whole vehicle without such a part.' }),
    ),
    color: OptionalText('Paint color in one word.'),
  },
  { description: 'Data for comparing inspections and for grouping photos by vehicle again (extension).' },
);
export type PhotoRecord = Static<typeof PhotoRecordSchema>;

const PhotoPlateSchema = Type.Object({
  corners: Type.Array(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 }), {
    minItems: 4,
    maxItems: 4,
    description: 'x and y of each corner, clockwise from the top left; pixels of the upright photo.',
  }),
  confidence: Confidence,
});
export type PhotoPlate = Static<typeof PhotoPlateSchema>;

const FactReadSchema = Type.Object({
  fact: StringEnum(READ_FACTS),
  value: Type.String({ description: 'As in `vehi.json`: a plate without blanks, `48210 km`.' }),
  box: PixelBoxSchema,
  confidence: Confidence,
});

const PhotoSchema = NamedObject('Photo', {
  index: Count,
  url: Type.String(),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  format: StringEnum(PHOTO_FORMATS),
  bytes: Count,
  sha256: Type.String(),
  angle: Nullable(StringEnum(ANGLES)),
  angle_source: StringEnum(['request', 'manifest', 'file_name', 'parts_seen', 'unknown'] as const),
  type: StringEnum(PHOTO_TYPES),
  analyzed: Type.Boolean(),
  vehicle_share: Nullable(
    Type.Number({ description: 'Share of the picture covered by the vehicle, 0 to 1.' }),
  ),
  annotated_url: Nullable(Type.String()),
  issues: Type.Array(PhotoIssueSchema),
  plates: Type.Optional(
    Type.Array(PhotoPlateSchema, {
      description: 'Number plates, blurred in pictures; absent if the models cannot find any (extension).',
    }),
  ),
  read: Type.Optional(
    Type.Array(FactReadSchema, {
      description: 'Number plates, VIN and odometer read in the photo; absent if it shows none (extension).',
    }),
  ),
  record: Type.Optional(PhotoRecordSchema),
  dropped_detections: Type.Optional(DroppedSchema),
});
export type Photo = Static<typeof PhotoSchema>;

const RejectedImageSchema = NamedObject('RejectedImage', {
  url: Type.String(),
  code: Type.String(),
  message: Type.String(),
  found: Type.String(),
  needed: Type.String(),
});
export type RejectedImage = Static<typeof RejectedImageSchema>;

export const INSPECTION_STATUSES = ['processing', 'completed', 'failed'] as const;
export type InspectionStatus = (typeof INSPECTION_STATUSES)[number];

export const VisualInspectionSchema = NamedObject('VisualInspection', {
  claim: Type.Optional(ClaimSchema),
  vehicle: Type.Optional(VehicleFactsSchema),
  inspection_id: Type.String({ pattern: '^vis_' }),
  vehicle_id: Id(),
  status: StringEnum(INSPECTION_STATUSES),
  created_at: Type.String({ format: 'date-time' }),
  completed_at: Nullable(Type.String({ format: 'date-time' })),
  processing_time: Type.Number(),
  results: Nullable(InspectionResultsSchema),
  reports: Type.Object({ pdf_url: Nullable(Type.String()), json_url: Nullable(Type.String()) }),
  images: Type.Array(PhotoSchema),
  rejected_images: Type.Array(RejectedImageSchema),
  missing_views: Type.Array(Type.String()),
  warnings: Type.Array(WarningSchema),
  vehicle_groups: Type.Array(VehicleGroupSchema, {
    description: 'Photos by vehicle if they seem to show several; otherwise empty (extension).',
  }),
  settings: Type.Object(
    {
      sensitivity: Type.String(),
      min_confidence: Nullable(Confidence),
      certain_from: Type.Optional(Confidence),
      to_check_from: Type.Optional(Confidence),
      detailed: Type.Optional(Type.Literal(true, { description: 'The damages were measured.' })),
    },
    { description: 'Settings that decided which findings are listed, and how (extension).' },
  ),
  models: Type.Array(ModelUsedSchema),
  region: Nullable(RegionUsedSchema),
  partial: Type.Boolean(),
  failure: Type.Optional(WarningSchema),
  reviewed_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Time at which its review was finished in the service; absent until then (extension).',
    }),
  ),
  reviewed: Type.Optional(
    Type.Object(
      {
        damages: Count,
        overall_condition: InspectionResultsSchema.properties.overall_condition,
        condition_score: InspectionResultsSchema.properties.condition_score,
        grade_basis: GradeBasisSchema,
        repair_cost: RepairCostSchema,
      },
      { description: 'Results of that review; `results` are those before it (extension).' },
    ),
  ),
});
export type VisualInspection = Static<typeof VisualInspectionSchema>;

const InspectionMetaSchema = NamedObject('InspectionMeta', {
  ...metaFields,
  images_processed: Count,
  ai_model_version: Type.String(),
});
export type InspectionMeta = Static<typeof InspectionMetaSchema>;

export const InspectionEnvelopeSchema = Type.Object({
  ...envelop(VisualInspectionSchema).properties,
  meta: InspectionMetaSchema,
});
export type InspectionEnvelope = Static<typeof InspectionEnvelopeSchema>;
