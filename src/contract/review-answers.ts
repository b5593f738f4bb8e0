import { DAMAGE_TYPES, SEVERITIES } from '../domain/damage.ts';
import { PART_NAMES } from '../domain/parts.ts';
import { REVIEW_SIDE } from '../domain/photo.ts';
import { NamedObject, type Static, StringEnum, Type } from '../lib/type.ts';
import { CountOf, Nullable, OptionalText, pixelBox, RuleTraceSchema } from './common.ts';
import { MAX_REVIEWER } from './constants.ts';
import {
  DamageSchema,
  type InspectionEnvelope,
  InspectionResultsSchema,
  ToCheckSchema,
} from './inspection.ts';
import {
  DecisionSchema,
  DrawnBoxSchema,
  FINDING_DECISIONS,
  ImageIndex,
  RepairVerdictSchema,
  StatedSchema,
} from './review.ts';

const MAX_DECISIONS = 2000;

export const ReviewChangeSchema = NamedObject('ReviewChange', {
  revision: CountOf('Latest revision that the client knows; 0 before the first change.'),
  reviewer: Type.Optional(Type.String({ maxLength: MAX_REVIEWER, description: 'Name of the reviewer.' })),
  decisions: Type.Array(DecisionSchema, {
    maxItems: MAX_DECISIONS,
    description: 'All decisions of the review, not only the new ones.',
  }),
});
export type ReviewChange = Static<typeof ReviewChangeSchema>;

export const ReviewFinishSchema = Type.Object({
  revision: CountOf('Latest revision that the client knows.'),
});

export const PlaceRequestSchema = Type.Object({
  image_index: ImageIndex,
  box: DrawnBoxSchema,
  ...StatedSchema.properties,
});

/** Outcome of a decision on a finding. */
export const ReviewedFindingSchema = Type.Object({
  damage_id: Type.String(),
  decision: StringEnum(FINDING_DECISIONS),
  into: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  original: Type.Union([DamageSchema, ToCheckSchema, Type.Null()], {
    description: 'The finding before; null if the inspection missed the damage.',
  }),
  corrected: Nullable(DamageSchema, {
    description: 'The finding after; null if it is no longer a damage of its own.',
  }),
});
export type ReviewedFinding = Static<typeof ReviewedFindingSchema>;

/** A review's decisions on the findings: who made them, and when. */
export const SignedDecisionsSchema = Type.Object({
  reviewed_at: Type.String({ format: 'date-time' }),
  reviewer: Type.Optional(Type.String()),
  decisions: Type.Array(ReviewedFindingSchema, {
    description: 'Each decision with its finding before and after.',
  }),
});
export type SignedDecisions = Static<typeof SignedDecisionsSchema>;

/** A review as attached to the result that it corrects. */
export const AppliedReviewSchema = Type.Object({
  ...SignedDecisionsSchema.properties,
  earlier: Type.Optional(
    Type.Array(SignedDecisionsSchema, { description: 'Earlier reviews of the result, latest first.' }),
  ),
  unfinished: Type.Optional(
    Type.Literal(true, { description: 'Only in exports of a review that is not finished.' }),
  ),
  repair: Type.Optional(
    Type.Array(RepairVerdictSchema, { description: 'Decisions on the repair; absent if there are none.' }),
  ),
  photos_moved: Type.Optional(
    Type.Array(
      Type.Object({
        image_index: ImageIndex,
        vehicle: Type.Integer({ minimum: 1, description: 'Its vehicle in the reviewed result.' }),
      }),
      { description: 'Photos that the reviewer moved to another vehicle; absent if there are none.' },
    ),
  ),
  photos_checked: Type.Array(Type.Integer(), { description: 'Indexes of photos without further damage.' }),
  not_reviewed: Type.Array(Type.String(), { description: 'Ids of the damages without a decision.' }),
});
export type AppliedReview = Static<typeof AppliedReviewSchema>;
export type ReviewedEnvelope = InspectionEnvelope & { readonly review: AppliedReview };

/** A review; its `results` are those of the inspection with the decisions applied, graded and priced again. */
export const ReviewSchema = NamedObject('Review', {
  inspection_id: Type.String({ pattern: '^vis_' }),
  status: StringEnum(['open', 'finished'] as const),
  revision: Type.Integer({ minimum: 0 }),
  reviewer: Type.String(),
  decisions: Type.Array(DecisionSchema),
  results: InspectionResultsSchema,
  review: AppliedReviewSchema,
  photos: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0 }),
      view_url: Nullable(
        Type.String({ description: `The photo, ${REVIEW_SIDE} pixels long at most; a link that expires.` }),
      ),
      thumbnail_url: Nullable(Type.String()),
      cut_url: OptionalText(
        'Full-resolution regions of the photo (`&x=&y=&w=&h=&side=`); absent if the photo is not stored.',
      ),
      close_ups: Type.Array(Type.Object({ ...pixelBox, url: Type.String() }), {
        description:
          'Regions around the findings in the pixels of the photo, where they are sharper than the view; links that expire.',
      }),
    }),
    { description: 'Pictures for the review; their addresses are null once the pictures are deleted.' },
  ),
  saved_at: Nullable(Type.String({ format: 'date-time' })),
  finished_at: Nullable(Type.String({ format: 'date-time' })),
});
export type Review = Static<typeof ReviewSchema>;

/** Location and proposed damage of a drawn box, before the reviewer confirms it. */
export const PlacementSchema = NamedObject('Placement', {
  part: Nullable(StringEnum(PART_NAMES), {
    description:
      'Null if the model finds no part here, as are size, score and estimate; a decision may still name one.',
  }),
  alternatives: Type.Array(Type.Object({ part: StringEnum(PART_NAMES), share: Type.Number() }), {
    description: 'Parts under the box, likeliest first, with the share of the box that each covers.',
  }),
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
