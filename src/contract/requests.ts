import { ANGLES, PHOTO_FORMAT_WORDS, PHOTO_TYPES } from '../domain/photo.ts';
import { MAX_IMAGE_MB, MAX_IMAGES, MIN_IMAGE_SIZE, MIN_IMAGES } from '../domain/photo-limits.ts';
import { VISUAL_DEFAULTS } from '../domain/visual-options.ts';
import { ISO_TIME_PATTERN } from '../lib/iso-time.ts';
import { defined } from '../lib/objects.ts';
import { NamedObject, type Static, StringEnum, Type } from '../lib/type.ts';
import { CurrencyCode, Id, RegionCode, VehicleIdSchema } from './common.ts';
import { INSPECTION_STATUSES } from './inspection.ts';

export const PAGE_DEFAULT = 20;
const MAX_PAGE = 100;

const ImageRequestSchema = NamedObject('ImageRequest', {
  url: Type.String({
    minLength: 1,
    maxLength: 8192,
    description:
      'Publicly reachable https address of the image, or the `url` of an upload; in a multipart request the name of the uploaded file.',
  }),
  angle: StringEnum(ANGLES),
  type: StringEnum(PHOTO_TYPES),
});

const Flag = (name: keyof typeof VISUAL_DEFAULTS, description?: string) =>
  Type.Optional(Type.Boolean({ default: VISUAL_DEFAULTS[name], ...defined({ description }) }));

export const VisualRequestSchema = NamedObject(
  'VisualInspectionRequest',
  {
    vehicle_id: VehicleIdSchema,
    images: Type.Array(ImageRequestSchema, {
      minItems: MIN_IMAGES,
      maxItems: MAX_IMAGES,
      description: `${PHOTO_FORMAT_WORDS} of at least ${MIN_IMAGE_SIZE} pixels, at most ${MAX_IMAGE_MB} MB each. An image with too many pixels is also refused with \`IMAGE_TOO_LARGE\`; \`details\` holds its pixel count and the limit.`,
    }),
    options: Type.Optional(
      Type.Object({
        detailed_analysis: Flag('detailed_analysis'),
        generate_report: Flag('generate_report'),
        detect_hidden_damage: Flag('detect_hidden_damage'),
        one_vehicle: Flag(
          'one_vehicle',
          'Grade and price all images as one vehicle, whatever their paint suggests (extension).',
        ),
        skip_unusable_images: Flag(
          'skip_unusable_images',
          'If some images cannot be used, inspect the rest and list the unusable ones in `rejected_images`, instead of refusing the request with 422 (extension).',
        ),
        labor_rate_region: Type.Optional(RegionCode('Region of the labor rates (extension).')),
        currency: Type.Optional(CurrencyCode('Currency of the amounts (extension)')),
      }),
    ),
  },
  { description: 'Request of a visual inspection.' },
);
export type VisualRequest = Static<typeof VisualRequestSchema>;

const Page = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: PAGE_DEFAULT, description: 'Results per page.' }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
};

const DateOrTime = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: ISO_TIME_PATTERN,
      examples: ['2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31T13:00:00+01:00'],
      description,
    }),
  );

/** Filters of the lists. A bare date is 00:00 UTC; `created_after` is inclusive, `created_before` exclusive. */
export const ListQuerySchema = Type.Object({
  vehicle_id: Type.Optional(Id()),
  status: Type.Optional(StringEnum(INSPECTION_STATUSES)),
  reviewed: Type.Optional(
    StringEnum(['true', 'false'] as const, {
      description: 'Only inspections with, or without, a finished review (extension).',
    }),
  ),
  created_after: DateOrTime('ISO 8601 date or time, inclusive.'),
  created_before: DateOrTime('ISO 8601 date or time, exclusive.'),
  ...Page,
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      examples: [
        'MjAyNi0wMS0zMVQxMjowMDowMC4wMDBaIHZpc18wMUtHQTVaM00wQUJDREVGR0hKS01OUFFSUw',
        'MjAyNi0wMS0zMFQwOTozMDowMC4wMDBaIGFzbXRfMDFLRzhBNVozTTBBQkNERUZHSEpLTU5QUVI',
      ],
      description:
        '`next_cursor` of the previous page; pages through long lists at the same cost per page, and misses or repeats nothing while records are added (extension).',
    }),
  ),
});
export type ListQuery = Static<typeof ListQuerySchema>;

export const PageQuerySchema = Type.Object(Page);
