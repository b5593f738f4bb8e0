import type { Box } from '../../src/domain/geometry.ts';
import { checkText, rejectField, type Source } from '../../src/lib/check.ts';
import { type Static, Type } from '../../src/lib/type.ts';

const Id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Name = Type.String({ minLength: 1, maxLength: 100 });
const Pixels = Type.Integer({ minimum: 1, maximum: 100_000 });
const Coordinate = Type.Number({ minimum: -1e6, maximum: 1e6 });

/** A path below the photo folder. */
export const PhotoPath = Type.String({
  pattern: '^(?!.*(^|[\\\\/])\\.\\.([\\\\/]|$))[^\\\\/\\u0000][^\\u0000]{0,500}$',
  examples: ['photos/front.jpg, a path below the folder'],
});

const CocoSchema = Type.Object({
  categories: Type.Array(Type.Object({ id: Id, name: Name }), { minItems: 1, maxItems: 10_000 }),
  images: Type.Array(
    Type.Object({
      id: Id,
      file_name: PhotoPath,
      width: Pixels,
      height: Pixels,
      /** Categories labelled by the image's source. */
      labelled: Type.Optional(Type.Array(Name, { maxItems: 10_000 })),
      silhouette: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
      ignore_classes: Type.Optional(Type.Array(Name, { maxItems: 1000 })),
    }),
    { minItems: 1, maxItems: 1_000_000 },
  ),
  annotations: Type.Array(
    Type.Object({
      image_id: Id,
      category_id: Id,
      bbox: Type.Array(Coordinate, { minItems: 4, maxItems: 4 }),
      iscrowd: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1 }), Type.Boolean()])),
      /** Polygons; an object if RLE-compressed, which is ignored. */
      segmentation: Type.Optional(
        Type.Union([
          Type.Array(Type.Array(Coordinate, { minItems: 6, maxItems: 1_000_000 }), { maxItems: 10_000 }),
          Type.Object({}),
        ]),
      ),
      pickup_bed_side: Type.Optional(Type.Unknown()),
    }),
    { maxItems: 10_000_000 },
  ),
});
type Coco = Static<typeof CocoSchema>;

/** One annotation of a COCO file, in pixels of its image. */
export interface CocoAnnotation {
  readonly category: string;
  readonly categoryId: number;
  readonly box: Box;
  /** A crowd region: findings inside count neither as correct nor as wrong. */
  readonly crowd: boolean;
  /** Polygons, each x, y, x, y …; empty if there are only boxes. */
  readonly polygons: readonly (readonly number[])[];
  readonly isPickupBedSide: boolean;
}

export interface CocoImage {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  /** Categories labelled by this image's source; undefined: all. Others may be present without a label. */
  readonly labelled: ReadonlySet<string> | undefined;
  readonly annotations: readonly CocoAnnotation[];
  /** File of the whole vehicle's mask, if not named like the photo. */
  readonly silhouette: string | undefined;
  /** Classes that may be present without a label. */
  readonly ignored: readonly string[];
}

/**
 * Parses an untrusted COCO annotation file (images, annotations, categories; `labelled` per image as an extension).
 * `document` is its path, for messages.
 * @throws VehiError kind `input`, `ANNOTATIONS_INVALID`, naming the invalid field.
 */
export function parseCoco(text: string, document: string): CocoImage[] {
  const source: Source = {
    document,
    kind: 'input',
    code: 'ANNOTATIONS_INVALID',
    hint: 'Needed is COCO JSON: images (id, file_name, width, height), categories (id, name), annotations (image_id, category_id, bbox).',
    nullIsAbsent: true,
  };
  const coco = checkText(CocoSchema, text, source);
  const categories = new Map(coco.categories.map(({ id, name }) => [id, name]));
  const byImage = new Map<number, CocoAnnotation[]>(coco.images.map(({ id }) => [id, []]));
  for (const [at, one] of coco.annotations.entries()) {
    const path = `annotations[${at}]`;
    const category = categories.get(one.category_id);
    if (category === undefined)
      rejectField(source, `${path}.category_id`, `is ${one.category_id}, which is no category of this file.`);
    const own = byImage.get(one.image_id);
    if (own === undefined)
      rejectField(source, `${path}.image_id`, `is ${one.image_id}, which is no image of this file.`);
    const polygons = Array.isArray(one.segmentation) ? one.segmentation : [];
    const odd = polygons.findIndex((outline) => outline.length % 2 === 1);
    if (odd >= 0)
      rejectField(source, `${path}.segmentation[${odd}]`, 'has an odd count; pairs of x and y are needed.');
    own.push(toAnnotation(one, category, polygons));
  }
  return coco.images.map((image) => ({
    file: image.file_name,
    width: image.width,
    height: image.height,
    labelled: image.labelled && new Set(image.labelled),
    annotations: byImage.get(image.id) ?? [],
    silhouette: image.silhouette,
    ignored: image.ignore_classes ?? [],
  }));
}

function toAnnotation(
  { category_id: categoryId, bbox, iscrowd, pickup_bed_side }: Coco['annotations'][number],
  category: string,
  polygons: CocoAnnotation['polygons'],
): CocoAnnotation {
  const [x = 0, y = 0, width = 0, height = 0] = bbox;
  return {
    category,
    categoryId,
    box: { x, y, width, height },
    crowd: Boolean(iscrowd),
    polygons,
    isPickupBedSide: pickup_bed_side === true,
  };
}
