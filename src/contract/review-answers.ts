import { DAMAGE_TYPES, SEVERITIES } from '../domain/damage.ts';
import { PART_NAMES } from '../domain/parts.ts';
import { NamedObject, type Static, Type } from '../lib/type.ts';
import { Nullable, pixelBox, RuleTraceSchema, StringEnum } from './common.ts';
import {
  DamageSchema,
  type InspectionEnvelope,
  InspectionResultsSchema,
  ToCheckSchema,
} from './inspection.ts';
import {
  DecisionSchema,
  DrawnBoxSchema,
  type FindingDecision,
  ImageIndex,
  MovedPhotosSchema,
  RepairVerdictSchema,
  StatedSchema,
} from './review.ts';

export const MAX_REVIEWER = 120;
const MAX_DECISIONS = 2000;

export const ReviewChangeSchema = NamedObject('ReviewChange', {
  revision: Type.Integer({
    minimum: 0,
    description: 'The latest that the client knows; 0 before the first change.',
  }),
  reviewer: Type.Optional(Type.String({ maxLength: MAX_REVIEWER, description: 'Who decides.' })),
  decisions: Type.Array(DecisionSchema, { maxItems: MAX_DECISIONS, description: 'All of them, each time.' }),
});
export type ReviewChange = Static<typeof ReviewChangeSchema>;

export const ReviewFinishSchema = Type.Object({
  revision: Type.Integer({ minimum: 0, description: 'The latest that the client knows.' }),
});

export const PlaceRequestSchema = Type.Object({
  image_index: ImageIndex,
  box: DrawnBoxSchema,
  ...StatedSchema.properties,
});

/** Outcome of a decision on a finding. */
export const ReviewedFindingSchema = Type.Object({
  damage_id: Type.String(),
  decision: Type.Unsafe<FindingDecision['decision']>(Type.String()),
  into: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  /** Null if the inspection missed the damage. */
  original: Type.Union([DamageSchema, ToCheckSchema, Type.Null()]),
  /** Null if the finding is no longer a damage of its own. */
  corrected: Nullable(DamageSchema),
});
export type ReviewedFinding = Static<typeof ReviewedFindingSchema>;

/** Record of a review, attached to the corrected result. */
export const ReviewRecordSchema = Type.Object({
  reviewed_at: Type.String({ format: 'date-time' }),
  reviewer: Type.Optional(Type.String()),
  unfinished: Type.Optional(Type.Literal(true, { description: 'In exports until it is finished.' })),
  decisions: Type.Array(ReviewedFindingSchema, { description: 'The finding after each decision.' }),
  repair: Type.Optional(
    Type.Array(RepairVerdictSchema, {
      description: 'What was decided on the repair itself; absent where nothing was.',
    }),
  ),
  photos_moved: Type.Optional(MovedPhotosSchema),
  /** Photos in which the reviewer saw no further damage. */
  photos_checked: Type.Array(Type.Integer()),
  /** Damages without a decision, which stay unchanged. */
  not_reviewed: Type.Array(Type.String()),
});
export type Review = Static<typeof ReviewRecordSchema>;
export type ReviewedEnvelope = InspectionEnvelope & { readonly review: Review };

/** A review; its `results` are those of the inspection with the decisions applied, graded and priced again. */
export const ReviewSchema = NamedObject('Review', {
  inspection_id: Type.String({ pattern: '^vis_' }),
  status: StringEnum(['open', 'finished'] as const),
  revision: Type.Integer({ minimum: 0 }),
  reviewer: Type.String(),
  decisions: Type.Array(DecisionSchema),
  results: InspectionResultsSchema,
  review: ReviewRecordSchema,
  photos: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0 }),
      view_url: Nullable(
        Type.String({ description: 'The photo, 2048 pixels long at most; a link that expires.' }),
      ),
      thumbnail_url: Nullable(Type.String()),
      cut_url: Type.Optional(
        Type.String({
          description:
            'Full-resolution regions of the photo (`&x=&y=&w=&h=&side=`); absent if the photo is not stored.',
        }),
      ),
      close_ups: Type.Array(Type.Object({ ...pixelBox, url: Type.String() }), {
        description:
          'Regions around the findings in the pixels of the photo, where they are sharper than the view; links that expire.',
      }),
    }),
    { description: 'Pictures for the review; null after their deletion.' },
  ),
  saved_at: Nullable(Type.String({ format: 'date-time' })),
  finished_at: Nullable(Type.String({ format: 'date-time' })),
});
export type ReviewAnswer = Static<typeof ReviewSchema>;

/** Location and proposed damage of a drawn box, before the reviewer confirms it. */
export const PlacementSchema = NamedObject('Placement', {
  /** Null, like grade and price, if the parts model finds no part here; the reviewer may still name one. */
  part: Nullable(StringEnum(PART_NAMES)),
  /** Parts under the box, likeliest first, with the share of the box that each covers. */
  alternatives: Type.Array(Type.Object({ part: StringEnum(PART_NAMES), share: Type.Number() })),
  type: StringEnum(DAMAGE_TYPES),
  subtype: Type.Optional(Type.String()),
  size_cm: Nullable(Type.Number()),
  severity: Nullable(StringEnum(SEVERITIES)),
  severity_score: Nullable(Type.Number()),
  estimated_repair: Nullable(DamageSchema.properties.estimated_repair),
  explain: Type.Array(RuleTraceSchema),
});
export type Placement = Static<typeof PlacementSchema>;

export const REVIEW_FORMATS = ['pdf', 'html', 'json', 'csv', 'estimate', 'coco'] as const;
export const ReviewExportQuerySchema = Type.Object({
  format: Type.Optional(StringEnum(REVIEW_FORMATS, { description: 'Default: json.' })),
  redact: Type.Optional(
    StringEnum(['true', 'false'] as const, {
      description:
        'Whether number plates that are found in the pictures are made unrecognizable (default: as the service is set, `true`); some are missed.',
    }),
  ),
});
