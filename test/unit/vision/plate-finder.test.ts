// @module-tag slow: a model runs
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPhotoStudio } from '../../../src/images/draw/photo-studio.ts';
import { resizeRgb } from '../../../src/images/read/resize-rgb.ts';
import { shippedModelDir } from '../../../src/vision/models/model-files.ts';
import { createPlateFinder, type PlateFinder } from '../../../src/vision/plate-finder.ts';
import { TINY } from './pictures.ts';

describe('the shipped plate finder', { timeout: 60_000 }, () => {
  const studio = createPhotoStudio();
  let finder: PlateFinder;
  beforeAll(async () => {
    finder = await createPlateFinder({ modelDir: shippedModelDir(), resize: resizeRgb });
  });
  afterAll(async () => {
    await finder?.close();
    await studio.close();
  });

  // Ends of the demo vehicle's plate, as shares of the photo.
  it.each([
    ['front.jpg', 0.4, 0.56, 0.865],
    ['rear.jpg', 0.41, 0.57, 0.68],
  ])('covers the plate of %s from end to end', async (name, left, right, y) => {
    const path = fileURLToPath(new URL(`../../../fixtures/vehicle/${name}`, import.meta.url));
    const photo = await studio.open({ kind: 'file', path });
    const found = await finder.find({ raster: await photo.raster(), size: photo.size });
    const covers = (x: number) =>
      found.some(({ box }) => {
        const [px, py] = [x * photo.size.width, y * photo.size.height];
        return px > box.x && px < box.x + box.width && py > box.y && py < box.y + box.height;
      });
    expect([covers(left), covers(right), covers(0.1)]).toEqual([true, true, false]);
  });
});

describe('createPlateFinder', () => {
  it('says where a folder of models has none', async () => {
    await expect(createPlateFinder({ modelDir: TINY, resize: resizeRgb })).rejects.toMatchObject({
      kind: 'engine',
      code: 'NO_PLATE_MODEL',
    });
  });
});
