// @module-tag slow: a model runs
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeAny } from '../../../../models/evaluate/decode-any.ts';
import { boundsOf } from '../../../../src/domain/quad.ts';
import { resizeRgb } from '../../../../src/images/read/resize-rgb.ts';
import { shippedModelDir } from '../../../../src/vision/models/model-files.ts';
import { createVision, type PhotoVision } from '../../../../src/vision/vision.ts';
import { TINY } from '../pictures.ts';

describe('the shipped plate finder', { timeout: 60_000 }, () => {
  let vision: PhotoVision;
  beforeAll(async () => {
    vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb, threads: 1 });
  });
  afterAll(() => vision?.close());

  // Ends of the demo vehicle's plate, as shares of the photo.
  it.each([
    ['front.jpg', 0.4, 0.56, 0.865],
    ['rear.jpg', 0.41, 0.57, 0.68],
  ])('covers the plate of %s from end to end and no more', async (name, left, right, y) => {
    const photo = await decodeAny(
      fileURLToPath(new URL(`../../../../fixtures/vehicle/${name}`, import.meta.url)),
    );
    const found = await vision.findPlates(photo, await vision.findParts(photo));
    expect(found).toHaveLength(1);
    const { x, y: top, width, height } = boundsOf(found?.[0]?.corners ?? ([] as never));
    const [from, to] = [left * photo.size.width, right * photo.size.width];
    expect(x).toBeLessThan(from);
    expect(x + width).toBeGreaterThan(to);
    expect(top < y * photo.size.height && top + height > y * photo.size.height).toBe(true);
    expect(width).toBeLessThan(1.35 * (to - from));
  });
});

it('a folder of models without a plate finder gives null', async () => {
  const vision = await createVision({ modelDir: TINY, resize: resizeRgb, threads: 1 });
  const raster = { data: new Uint8Array(3 * 64 * 64), width: 64, height: 64 };
  expect(await vision.findPlates({ raster, size: raster }, null)).toBeNull();
  await vision.close();
});
