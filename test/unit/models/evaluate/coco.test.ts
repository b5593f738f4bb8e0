import { expect, it } from 'vitest';
import { parseCoco } from '../../../../models/evaluate/coco.ts';

const IMAGE = { id: 5, file_name: 'a/b.webp', width: 10, height: 20, labelled: ['dent'] };
const DENT = { image_id: 5, category_id: 0, bbox: [1, 2, 3, 4.5], iscrowd: false };
const OUTLINE = [0, 0, 1, 0, 1, 1];
const GOOD = {
  images: [IMAGE],
  categories: [{ id: 0, name: 'dent' }],
  annotations: [
    { ...DENT, segmentation: [OUTLINE] },
    { ...DENT, iscrowd: 1, segmentation: { counts: [], size: [] } },
  ],
};

it('reads images with their annotations', () => {
  const { labelled: _, ...bare } = IMAGE;
  const text = JSON.stringify({ ...GOOD, images: [IMAGE, { ...bare, id: 6 }] });
  const [image, unlabelled] = parseCoco(text, 'coco.json');
  expect(image).toMatchObject({ file: 'a/b.webp', width: 10, height: 20, labelled: new Set(['dent']) });
  const box = { x: 1, y: 2, width: 3, height: 4.5 };
  expect(image?.annotations).toMatchObject([
    { category: 'dent', box, crowd: false, polygons: [OUTLINE] },
    { crowd: true, polygons: [] },
  ]);
  // All classes count as labeled.
  expect(unlabelled).toMatchObject({ labelled: undefined, annotations: [] });
});

const image = (more: object) => ({ ...GOOD, images: [{ ...IMAGE, ...more }] });
const annotation = (more: object) => ({ ...GOOD, annotations: [{ ...DENT, ...more }] });
it.each<[string, object]>([
  ['images', { ...GOOD, images: [] }],
  ['images[0].file_name', image({ file_name: 'a/../../x' })],
  ['images[0].file_name', image({ file_name: '/etc/passwd' })],
  ['images[0].file_name', image({ file_name: 'a\u0000' })],
  ['annotations[0].image_id', annotation({ image_id: 7 })],
  ['annotations[0].category_id', annotation({ category_id: 7 })],
  ['annotations[0].segmentation[0]', annotation({ segmentation: [[1, 2, 3, 4, 5, 6, 7]] })],
])('names %s when it is wrong', (place, coco) => {
  const message = expect.stringContaining(`/data/coco.json: ${place} `);
  expect(() => parseCoco(JSON.stringify(coco), '/data/coco.json')).toThrow(
    expect.objectContaining({ kind: 'input', code: 'ANNOTATIONS_INVALID', message }),
  );
});
