import { expect, test } from 'vitest';
import type { Photo } from '../../../../src/contract/inspection.ts';
import type { Box } from '../../../../src/domain/geometry.ts';
import { toGrey } from '../../../../src/domain/photo.ts';
import type { Album, Visit } from '../../../../src/engine/compare/album.ts';
import { compareImages } from '../../../../src/engine/compare/compare-images.ts';
import type { PlaceMatch } from '../../../../src/engine/compare/place-match.ts';
import { drawTexture } from '../../../helpers/photos/textured.ts';

const [SIZE, BOX] = [
  { width: 400, height: 300 },
  { x: 180, y: 130, width: 40, height: 30 },
];
const raster = drawTexture(SIZE.width, SIZE.height, 1);
const photo = (sha256: string) => ({ ...SIZE, sha256 }) as Photo;
const visits = { source: {} as Visit, target: {} as Visit };

/** The source's crop scores 0.9, the target's 0.05, and 0.4 at 8 pixels (2 % of 400) to the right. */
function createStub() {
  const asked: Box[][] = [];
  const album = {
    open: async (_visit: Visit, one: Photo) => ({
      photo: one,
      grey: toGrey(raster),
      scale: { width: 1, height: 1 },
    }),
    read: async () => raster,
    classify: async (_visit: Visit, { sha256 }: Photo, boxes: Box[]) => {
      asked.push(boxes);
      return boxes.map(({ x }) => (sha256 === 'source' ? 0.9 : x === BOX.x + 8 ? 0.4 : 0.05));
    },
  } as unknown as Album;
  return { album, asked };
}

const match = (accuracy: PlaceMatch['accuracy'], candidate = 0): PlaceMatch => ({
  ...{ accuracy, candidate, inliers: 20, scale: 1, insideShare: 1, isAtBorder: false, isFlawed: false },
  source: { photo: photo('source'), box: BOX },
  target: { photo: photo('target'), box: BOX },
  model: [1, 0, 0, 0, 1, 0],
  otherBoxes: [],
});

test.each([
  ['an exact match is classified at its location', match('exact'), 2, 0.05],
  ['a coarse match within its error, too, and the highest score counts', match('coarse'), 7, 0.4],
  ['neither where a candidate is listed', match('coarse', 0.1), 0, null],
])('%s', async (_, one, count, damageScore) => {
  const { album, asked } = createStub();
  const [compared] = await compareImages(album, visits, [one]);
  expect(asked.flat()).toHaveLength(count);
  expect(compared?.damageScore).toBe(damageScore);
  expect(compared?.overall).toBe(one.accuracy === 'exact' ? 1 : 0);
});
