import { CONDITIONS } from '../domain/damage.ts';
import { PART_NAMES } from '../domain/parts.ts';
import { ANGLES } from '../domain/photo.ts';
import { COVERAGE_REASONS, COVERAGE_STATUS } from '../domain/sight/part-coverage.ts';
import { NamedObject, type Static, StringEnum, Type } from '../lib/type.ts';
import { Count, CountOf, Nullable } from './common.ts';

const Side = StringEnum(['front', 'rear', 'left', 'right'] as const);

const PartCoverageSchema = Type.Object({
  part: StringEnum(PART_NAMES),
  status: StringEnum(COVERAGE_STATUS),
  reason: Nullable(
    StringEnum(COVERAGE_REASONS, { description: 'Why the best photo of the part is insufficient.' }),
  ),
  image_index: Nullable(Type.Integer({ minimum: 0, description: 'The photo that shows it best.' })),
  image_url: Nullable(Type.String()),
  cm_per_pixel: Nullable(Type.Number({ description: 'Scale of that photo at the part.' })),
  distance_m: Nullable(
    Type.Number({ description: 'Distance of the camera, estimated for a phone with a 26 mm lens.' }),
  ),
});

export const CoverageSchema = NamedObject(
  'Coverage',
  {
    seen: Count,
    too_small: Count,
    not_seen: Count,
    of: CountOf('Visible parts of such a vehicle.'),
    share: Type.Number({ minimum: 0, maximum: 1, description: 'seen / of' }),
    sides: Type.Array(Type.Object({ side: Side, status: StringEnum(COVERAGE_STATUS) })),
    parts: Type.Array(PartCoverageSchema),
  },
  { description: 'How much of the vehicle the photos show well enough to assess (extension).' },
);
export type Coverage = Static<typeof CoverageSchema>;

const GradeIf = (which: string) =>
  Type.Optional(
    Type.Object(
      { condition: StringEnum(CONDITIONS), score: Type.Number({ minimum: 0, maximum: 10 }) },
      { description: `The grade if ${which} is damage; absent if there are none.` },
    ),
  );

export const GradeBasisSchema = NamedObject(
  'GradeBasis',
  {
    code: StringEnum(['every_side_seen', 'parts_seen', 'too_little_seen'] as const),
    parts_seen: Count,
    parts: Count,
    sides_missing: Type.Array(Side),
    capped: Type.Boolean({
      description:
        'True if the grade was lowered, because "excellent" requires sharp, close photos of all sides.',
    }),
    to_check: Type.Optional(CountOf('Places to check, which weigh in the grade by their likelihood.')),
    if_none_confirmed: GradeIf('no place to check'),
    if_all_confirmed: GradeIf('every place to check'),
    vehicles: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Number of vehicles in the photos; with several, each grade is that of the worst one.',
      }),
    ),
    message: Type.String(),
  },
  { description: 'Basis of the grade (extension).' },
);
export type GradeBasis = Static<typeof GradeBasisSchema>;

export const NextPhotoSchema = NamedObject('NextPhoto', {
  order: Type.Integer({ minimum: 1 }),
  code: StringEnum(['view', 'part', 'place_to_check'] as const),
  area: Nullable(StringEnum(ANGLES, { description: 'Viewpoint; null for a close-up.' })),
  parts: Type.Array(StringEnum(PART_NAMES)),
  damage_id: Nullable(Type.String({ description: 'The place to check it shows.' })),
  distance_m: Type.Number(),
  light: StringEnum(['any', 'shade', 'more_light'] as const),
  reason: StringEnum(['not_seen', ...COVERAGE_REASONS, 'unsure'] as const),
  message: Type.String(),
  place: Type.String({ description: 'Subject of the photo: `the roof from above` (extension).' }),
});
export type NextPhoto = Static<typeof NextPhotoSchema>;

export const VehicleGroupSchema = NamedObject('VehicleGroup', {
  group: Type.Integer({ minimum: 1 }),
  images: Type.Array(Type.Integer({ minimum: 0 }), { description: 'Indexes into `images`.' }),
  image_urls: Type.Array(Type.String()),
  color: Type.String({ description: 'Paint color in one word.' }),
});
export type VehicleGroup = Static<typeof VehicleGroupSchema>;
