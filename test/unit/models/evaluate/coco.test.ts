import { describe, expect, it } from 'vitest';
import { parseCoco } from '../../../../models/evaluate/coco.ts';

const good = () => ({
  images: [{ id: 5, file_name: 'a/b.webp', width: 10, height: 20, labelled: ['dent'] }],
  categories: [{ id: 0, name: 'dent' }],
  annotations: [
    {
      id: 1,
      image_id: 5,
      category_id: 0,
      bbox: [1, 2, 3, 4.5],
      iscrowd: false,
      segmentation: [[0, 0, 1, 0, 1, 1]],
    },
    {
      id: 2,
      image_id: 5,
      category_id: 0,
      bbox: [0, 0, 1, 1],
      iscrowd: 1,
      segmentation: { counts: [], size: [] },
    },
  ],
});

describe('parseCoco', () => {
  it('reads images with their annotations', () => {
    const [image] = parseCoco(JSON.stringify(good()), 'coco.json');
    expect(image).toMatchObject({ file: 'a/b.webp', width: 10, height: 20, labelled: new Set(['dent']) });
    expect(image?.annotations).toMatchObject([
      {
        category: 'dent',
        box: { x: 1, y: 2, width: 3, height: 4.5 },
        crowd: false,
        polygons: [[0, 0, 1, 0, 1, 1]],
      },
      { crowd: true, polygons: [] },
    ]);
  });

  it('takes all classes for labeled where an image does not say', () => {
    const { images, ...rest } = good();
    const bare = images.map(({ labelled: _, ...image }) => image);
    expect(parseCoco(JSON.stringify({ images: bare, ...rest }), 'c')[0]?.labelled).toBeUndefined();
  });

  const { images, categories: _, ...rest } = good();
  const image = (more: object) => ({ ...good(), images: [{ ...images[0], ...more }] });
  const annotation = (more: object) => ({ ...good(), annotations: [{ ...rest.annotations[0], ...more }] });
  it.each<[string, object]>([
    ['images', { ...good(), images: [] }],
    ['images[0].file_name', image({ file_name: '../x' })],
    ['images[0].file_name', image({ file_name: 'a/../../x' })],
    ['images[0].file_name', image({ file_name: '/etc/passwd' })],
    ['images[0].file_name', image({ file_name: 'a\u0000' })],
    ['images[0].width', image({ width: 0 })],
    ['annotations[0].image_id', annotation({ image_id: 6 })],
    ['annotations[0].category_id', annotation({ category_id: 7 })],
    ['annotations[0].bbox', annotation({ bbox: [1, 2, 3] })],
    ['annotations[0].segmentation[0]', annotation({ segmentation: [[1, 2, 3, 4, 5, 6, 7]] })],
    ['categories', { images, ...rest }],
  ])('names %s when it is wrong', (place, coco) => {
    expect(() => parseCoco(JSON.stringify(coco), '/data/coco.json')).toThrow(
      expect.objectContaining({
        kind: 'input',
        code: 'ANNOTATIONS_INVALID',
        message: expect.stringContaining(`/data/coco.json: ${place} `),
      }),
    );
  });

  it('says so when the text is not JSON', () => {
    expect(() => parseCoco('PK', 'coco.zip')).toThrow('coco.zip is not valid JSON');
  });
});
