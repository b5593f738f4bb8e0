import type { Box } from '../domain/geometry.ts';
import { Field } from '../lib/field.ts';

/** One labelled thing of a COCO file, in pixels of its image. */
export interface CocoAnnotation {
  readonly id: number;
  readonly category: string;
  readonly categoryId: number;
  readonly box: Box;
  /** A crowd region: what is found in it counts neither for nor against. */
  readonly crowd: boolean;
  /** Outlines, each x, y, x, y …; empty where there are only boxes. */
  readonly polygons: readonly (readonly number[])[];
  /** The annotation's other fields, read by those who know them. */
  readonly field: Field;
}

export interface CocoImage {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  /** Categories this image's source labels; undefined: all. Others may be present without a label. */
  readonly labelled: ReadonlySet<string> | undefined;
  readonly annotations: readonly CocoAnnotation[];
  readonly field: Field;
}

/**
 * Reads a COCO annotation file (images, annotations, categories; `labelled` per image as an extension), trusting
 * nothing in it. `document` is its path, for messages.
 * @throws VehiError kind `input`, `ANNOTATIONS_INVALID`, naming the field at fault.
 */
export function parseCoco(text: string, document: string): CocoImage[] {
  const root = Field.parse(text, {
    document,
    kind: 'input',
    code: 'ANNOTATIONS_INVALID',
    hint: 'Needed is COCO JSON: images (id, file_name, width, height), categories (id, name), annotations (image_id, category_id, bbox).',
  });
  const categories = new Map(
    root
      .get('categories')
      .list(1, 10_000)
      .map((one) => [readId(one.get('id')), one.get('name').text(100)]),
  );
  const images = root.get('images').list(1, 1_000_000);
  const byImage = new Map<number, CocoAnnotation[]>(images.map((image) => [readId(image.get('id')), []]));
  for (const one of root.get('annotations').list(0, 10_000_000)) {
    const own =
      byImage.get(readId(one.get('image_id'))) ??
      one.get('image_id').wrong('the id of an image of this file');
    own.push(readAnnotation(one, categories));
  }
  return images.map((image) => readImage(image, byImage.get(readId(image.get('id'))) ?? []));
}

function readImage(image: Field, annotations: CocoAnnotation[]): CocoImage {
  const labelled = image.get('labelled');
  return {
    file: image
      .get('file_name')
      .matching(/^(?!.*(^|[\\/])\.\.([\\/]|$))[^\\/\0][^\0]{0,500}$/, 'a path below the image folder'),
    width: image.get('width').integer(1, 100_000),
    height: image.get('height').integer(1, 100_000),
    labelled: labelled.present
      ? new Set(labelled.list(0, 10_000).map((label) => label.text(100)))
      : undefined,
    annotations,
    field: image,
  };
}

function readAnnotation(one: Field, categories: ReadonlyMap<number, string>): CocoAnnotation {
  const categoryId = readId(one.get('category_id'));
  const category =
    categories.get(categoryId) ?? one.get('category_id').wrong('the id of a category of this file');
  const sides = one
    .get('bbox')
    .list(4, 4)
    .map((side) => side.number(-1e6, 1e6));
  const [x, y, width, height] = sides as [number, number, number, number];
  const crowd = one.get('iscrowd');
  const outlines = one.get('segmentation');
  return {
    id: readId(one.get('id')),
    category,
    categoryId,
    box: { x, y, width, height },
    crowd: crowd.present && Boolean(crowd.oneOf([0, 1, false, true])),
    polygons: Array.isArray(outlines.raw()) ? outlines.list(0, 10_000).map(readPolygon) : [],
    field: one,
  };
}

function readPolygon(outline: Field): number[] {
  const numbers = outline.list(6, 1_000_000).map((value) => value.number(-1e6, 1e6));
  if (numbers.length % 2 === 1) outline.wrong('pairs of x and y');
  return numbers;
}

function readId(field: Field): number {
  return field.integer(0, Number.MAX_SAFE_INTEGER);
}
