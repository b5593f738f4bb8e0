import { expect, it } from 'vitest';
import { withAnnotatedUrls } from '../../../src/report/annotated-urls.ts';
import { listFinds } from '../../../src/report/input.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

it('links every image and every find, certain or to check, to the photo that shows it best', () => {
  const { data } = exampleInspection({ damages: 3, toCheck: 2, photos: 4 });
  const linked = withAnnotatedUrls(data, (index) => (index === 3 ? null : `marked/${index}.jpg`));
  expect(linked.images.map((image) => image.annotated_url)).toEqual([
    'marked/0.jpg',
    'marked/1.jpg',
    'marked/2.jpg',
    null,
  ]);
  const finds = listFinds(linked);
  expect(finds).toHaveLength(5);
  for (const { annotated_url, evidence } of finds)
    expect(annotated_url).toBe(linked.images[evidence[0]?.image_index ?? -1]?.annotated_url);
  expect(listFinds(data).every(({ annotated_url }) => annotated_url === null)).toBe(true);
});
