import { expect, test } from 'vitest';
import { writePhotoCaption } from '../../../../src/report/content/photos.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const [photo] = exampleInspection({ photos: 1 }).data.images;
const long = `${'a'.repeat(30)}${'b'.repeat(30)}.jpg`;

test.each([
  ['a name as it is', 'IMG_0003.jpg', 'IMG_0003.jpg'],
  ['a name of 44 characters as it is', `${'a'.repeat(40)}.jpg`, `${'a'.repeat(40)}.jpg`],
  ['a longer name without its middle', long, `${'a'.repeat(21)}…${'b'.repeat(18)}.jpg`],
])('a caption has %s', (_, url, name) => {
  if (!photo) throw new Error('the example has a photo');
  expect(writePhotoCaption({ ...photo, url, angle: null })).toBe(`Photo 1: ${name}`);
  expect(writePhotoCaption({ ...photo, index: 4, url, angle: 'left_side' })).toBe(
    `Photo 5: ${name}, left side`,
  );
});
