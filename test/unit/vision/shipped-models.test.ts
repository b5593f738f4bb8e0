// @module-tag slow: the shipped models run
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { decodeAny } from '../../../models/evaluate/decode-any.ts';
import { frameOf } from '../../../src/domain/geometry.ts';
import type { SizedRaster } from '../../../src/domain/photo.ts';
import { boundsOf, toQuad } from '../../../src/domain/quad.ts';
import { drawTextPaths, measureTextEm } from '../../../src/images/draw/label-glyphs.ts';
import { resizeRgb } from '../../../src/images/read/resize-rgb.ts';
import { openImage, readPixels } from '../../../src/images/sharp.ts';
import { shippedModelDir } from '../../../src/vision/models/model-files.ts';
import { createVision } from '../../../src/vision/vision.ts';
import { FIXTURES } from '../../helpers/cli/run-cli.ts';
import { drawLabel } from '../../helpers/photos/draw-label.ts';

const vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb, threads: 1 });
afterAll(() => vision.close());
const FRONT = await decodeAny(join(FIXTURES, 'vehicle/front.jpg'));

/** A picture as the raster of a photo that is so many times as large. */
async function toPhoto(picture: Buffer, times = 1): Promise<SizedRaster> {
  const raster = await readPixels(openImage(picture).flatten());
  return { raster, size: { width: times * raster.width, height: times * raster.height } };
}

it('the plate finder covers the plate of the demo vehicle from end to end and no more', async () => {
  const found = await vision.findPlates(FRONT, await vision.findParts(FRONT));
  expect(found).toHaveLength(1);
  const corners = found?.[0]?.corners ?? ([] as never);
  const bounds = boundsOf(corners);
  // Its own outline, no upright box.
  expect(corners).not.toEqual(toQuad(bounds));
  const { x, y, width, height } = bounds;
  const [left, right, middle] = [0.4 * FRONT.size.width, 0.56 * FRONT.size.width, 0.865 * FRONT.size.height];
  expect([x < left, x + width > right, y < middle, y + height > middle]).toEqual([true, true, true, true]);
  expect(width).toBeLessThan(1.35 * (right - left));
});

it('the vehicle check is asked of a landscape, which it denies, and not of a car', async () => {
  const size = { width: 640, height: 480 };
  const data = new Uint8Array(3 * size.width * size.height);
  for (let y = 0, at = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++, at += 3) {
      const grass = [60 + ((x * 7 + y * 13) % 40), 120 + ((x * 5 + y * 3) % 40), 50];
      data.set(y < 240 + 48 * Math.sin(x / 60) ? [120, 170, 230] : grass, at);
    }
  const { presence } = await vision.detect({ raster: { data, ...size }, size });
  expect(presence?.score).toBeLessThan(presence?.limit ?? 0);
  // Small enough for a single look.
  const raster = await resizeRgb(FRONT.raster, frameOf(FRONT.raster), { width: 640, height: 360 });
  expect((await vision.detect({ raster, size: FRONT.size })).presence).toBeUndefined();
});

it('reading gives a VIN with its box in pixels of the photo, which is twice as large as the picture', async () => {
  const photo = await toPhoto(await drawLabel('1M8GDM9AXKP042788'), 2);
  const [read, ...others] = (await vision.readFacts(photo, [], true)) ?? [];
  expect([read, others]).toMatchObject([{ fact: 'vin', value: '1M8GDM9AXKP042788' }, []]);
  const [x = 0, y = 0, width = 0, height = 0] = read?.box ?? [];
  expect(x > 560 && x + width < 1880 && y > 660 && y + height < 960).toBe(true);
  expect(read?.confidence).toBeGreaterThan(0.7);
  // Without a plate, and not asked for more, it reads nothing.
  expect(await vision.readFacts(photo, [], false)).toEqual([]);
});

it('reading gives the time printed at the lower edge, and none of the same text in the middle', async () => {
  const times = [780, 420].map(async (y) => {
    const text = drawTextPaths('2020/11/10 10:36', 960, y, 32);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="800"><rect width="100%" height="100%" fill="#777"/>${text}</svg>`;
    return vision.readPrintedTime(await toPhoto(Buffer.from(svg)));
  });
  expect(await Promise.all(times)).toEqual(['2020-11-10T10:36:00', undefined]);
});

it('reading keeps to the row of the plate where larger lettering is next to it', async () => {
  const length = 44 * measureTextEm('AB 1234 CD');
  const texts = `${drawTextPaths('AB 1234 CD', 300, 420, 44)}${drawTextPaths('1717', 330 + length, 449, 125)}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="800"><rect width="100%" height="100%" fill="#e4e4dc"/>${texts}</svg>`;
  // Lacks the outer characters, so the row is searched beyond its sides.
  const corners = toQuad({ x: 330, y: 372, width: length - 60, height: 64 });
  const photo = await toPhoto(Buffer.from(svg));
  const read = await vision.readFacts(photo, [{ corners, confidence: 1 }], false);
  expect(read).toMatchObject([{ value: 'AB1234CD' }]);
});
