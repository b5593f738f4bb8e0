import { CHANGES, VISITS } from '../domain/compare/changes.ts';
import { DAMAGE_TYPES } from '../domain/damage.ts';
import { PART_NAMES } from '../domain/parts.ts';
import { type Static, StringEnum, Type } from '../lib/type.ts';
import { Count, countPer, envelop, Nullable, pixelBox } from './common.ts';
import { ROW_DECISIONS } from './constants.ts';
import { DamageSchema, ToCheckSchema } from './inspection.ts';
import { ImageIndex } from './review.ts';

const Row = Type.String({ description: 'Number in the later report, or `B` and that in the earlier one.' });
const VisitSchema = Type.Object({
  inspection_id: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  condition_score: Nullable(Type.Number()),
});
const FindingSchema = Type.Union([DamageSchema, ToCheckSchema, Type.Null()]);
const BoxSchema = Type.Object({ image_index: ImageIndex, image_url: Type.String(), ...pixelBox });

const KnownSchema = Type.Object({
  damage_id: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  row: Row,
  status: StringEnum(['seen_again', 'changed', 'gone', 'cannot_tell', 'not_photographed']),
  photo_to_repeat: Type.String({ description: 'The earlier photo that shows it best.' }),
});

/** A place on the vehicle in both visits; `decision` and the fields that start with it only where a person decided. */
const ChangeSchema = Type.Object({
  row: Row,
  change: StringEnum(CHANGES),
  decision: Type.Optional(StringEnum(ROW_DECISIONS)),
  decision_note: Type.Optional(Nullable(Type.String())),
  change_by_photos: Type.Optional(StringEnum(CHANGES)),
  rule: Type.String({ description: 'Rule that decided by the photos.' }),
  certain: Type.Boolean({ description: 'False if the place is to check in every visit that lists it.' }),
  part: StringEnum(PART_NAMES),
  type: StringEnum(DAMAGE_TYPES),
  before: FindingSchema,
  after: FindingSchema,
  place: Nullable(Type.Object({ before: BoxSchema, after: BoxSchema, matching_points: Count })),
});

/** The JSON of `vehi compare`. */
export const ComparisonSchema = envelop(
  Type.Object({
    vehicle_id: Type.String(),
    before: VisitSchema,
    after: VisitSchema,
    generated_at: Type.String({ format: 'date-time' }),
    counts: countPer(CHANGES),
    condition_score: Nullable(Type.Object({ before: Type.Number(), on_same_places: Type.Number() })),
    differences: Type.Array(
      StringEnum(['same_photos', 'other_models', 'other_settings', 'no_record', 'no_photos']),
    ),
    copied_photos: Type.Array(Type.String()),
    unreadable_photos: Type.Array(
      Type.Object({ visit: StringEnum(VISITS), url: Type.String(), reason: Type.String() }),
    ),
    known: Type.Array(KnownSchema, { description: 'Damages that were certain in the earlier visit.' }),
    changes: Type.Array(ChangeSchema),
  }),
);
export type ComparisonAnswer = Static<typeof ComparisonSchema>;
