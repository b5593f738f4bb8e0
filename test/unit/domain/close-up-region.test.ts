import { expect, test } from 'vitest';
import { closeUpRegion } from '../../../src/domain/geometry.ts';

const photo = { width: 1600, height: 1200 };

test.each([
  [
    'a wide find: half its width on each side',
    { x: 600, y: 550, width: 400, height: 40 },
    { x: 400, y: 270, width: 800, height: 600 },
  ],
  [
    'a high find: half its height on each side',
    { x: 780, y: 450, width: 40, height: 300 },
    { x: 400, y: 300, width: 800, height: 600 },
  ],
  [
    'a small find: a ninth of the photo',
    { x: 800, y: 600, width: 10, height: 10 },
    { x: 686, y: 516, width: 238, height: 178 },
  ],
  [
    'a find in a corner: inside the photo',
    { x: 0, y: 0, width: 300, height: 100 },
    { x: 0, y: 0, width: 600, height: 450 },
  ],
  ['a find as large as the photo: all of it', { x: 0, y: 0, ...photo }, { x: 0, y: 0, ...photo }],
])('a close-up shows %s', (_, box, region) => {
  expect(closeUpRegion(box, photo)).toEqual(region);
});
