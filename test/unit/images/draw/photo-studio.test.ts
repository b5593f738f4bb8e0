// @module-tag slow: photos are decoded and drawn on
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { SEVERITIES } from '../../../../src/domain/damage.ts';
import type { Box } from '../../../../src/domain/geometry.ts';
import type { RgbImage } from '../../../../src/domain/photo.ts';
import { toQuad } from '../../../../src/domain/quad.ts';
import { drawMarksOverlay, type Mark } from '../../../../src/images/draw/marks-overlay.ts';
import { createPhotoStudio } from '../../../../src/images/draw/photo-studio.ts';
import { openUpright } from '../../../../src/images/read/open-upright.ts';
import { loadPhotoRules } from '../../../../src/images/read/photo-rules.ts';
import { readPixels } from '../../../../src/images/sharp.ts';
import { drawn, findFixture, HEIGHT, readPixel, WIDTH } from '../pictures.ts';

const studio = createPhotoStudio();
afterAll(() => studio.close());

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const open = (bytes: Uint8Array) => studio.open({ kind: 'bytes', bytes, name: 'a.jpg' });
const mark = (number: number, at: Box, more: Partial<Mark> = {}): Mark => ({
  number,
  box: at,
  words: 'dent',
  severity: 'moderate',
  ...more,
});
const JPEG = await drawn().jpeg({ quality: 95 }).toBuffer();
const decode = (jpeg: Uint8Array) => readPixels(sharp(jpeg).removeAlpha());

/** How far two pictures differ inside a box, mean over channels. */
function difference(a: RgbImage, b: RgbImage, { x, y, width, height }: Box): number {
  let sum = 0;
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++) {
      const other = readPixel(b, column, row);
      for (const [channel, value] of readPixel(a, column, row).entries())
        sum += Math.abs(value - (other[channel] ?? 0));
    }
  return sum / (3 * width * height);
}

describe('annotate', async () => {
  it('draws frame and label, leaves the rest alone and drops EXIF and GPS', async () => {
    const exif = { IFD0: { Make: 'Phone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' } };
    const photo = await drawn().withExif(exif).jpeg({ quality: 95 }).toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const jpeg = await (await open(photo)).annotate([mark(3, box(700, 400, 200, 150))]);
    const meta = await sharp(jpeg).metadata();
    expect(meta).toMatchObject({ format: 'jpeg', width: WIDTH, height: HEIGHT });
    expect([meta.exif, meta.xmp, meta.iptc, meta.icc]).toEqual([undefined, undefined, undefined, undefined]);
    const [before, after] = [await decode(photo), await decode(jpeg)];
    expect(difference(before, after, box(700, 372, 100, 24))).toBeGreaterThan(40);
    expect(difference(before, after, box(720, 420, 160, 110))).toBeLessThan(4);
    expect(difference(before, after, box(100, 600, 300, 100))).toBeLessThan(4);
  });

  it.each([
    ['its EXIF says', await drawn().withMetadata({ orientation: 6 }).jpeg().toBuffer(), HEIGHT - 20, 20],
    ['its HEIC container says', readFileSync(findFixture('turned.heic')), 20, WIDTH - 20],
  ])('puts boxes into the photo turned as %s', async (_name, turned, redX, redY) => {
    const photo = await open(turned);
    const show = async (...marks: Mark[]) => decode(await photo.annotate(marks));
    const [before, after] = [await show(), await show(mark(1, box(100, 900, 200, 200)))];
    const size = { width: HEIGHT, height: WIDTH };
    expect([photo.size, after]).toMatchObject([size, size]);
    expect(readPixel(after, redX, redY)[0]).toBeGreaterThan(180);
    expect(difference(before, after, box(98, 950, 3, 100))).toBeGreaterThan(30);
    expect(difference(before, after, box(400, 900, 200, 200))).toBeLessThan(4);
  });

  const damaged = await drawn().png().toBuffer();
  damaged.fill(0x55, damaged.length >> 1, (damaged.length >> 1) + 9);
  it.each([
    ['a small one as it is opened', await drawn(640, 480).jpeg().toBuffer(), 'IMAGE_QUALITY_TOO_LOW'],
    ['a damaged one as it is decoded', damaged, 'IMAGE_UNREADABLE'],
  ])('refuses a photo as the reader does: %s', async (_name, bytes, code) => {
    const work = open(bytes).then((photo) => photo.annotate([]));
    await expect(work).rejects.toMatchObject({ name: 'VehiError', kind: 'input', code });
  });

  it('refuses a HEIC photo whose pixels cannot be converted', async () => {
    const bytes = readFileSync(findFixture('landscape.heic'));
    const profile = Uint8Array.of(1);
    const pixels = { ok: true as const, rgba: new Uint8Array(4), width: 1296, height: 736, missingShare: 0 };
    const heic = { decode: async () => ({ ...pixels, profile }), close: async () => undefined };
    const opened = openUpright({ kind: 'bytes', bytes, name: 'a.heic' }, loadPhotoRules(), heic);
    await expect(opened).rejects.toMatchObject({ kind: 'input', code: 'IMAGE_UNREADABLE' });
  });
});

describe('drawMarksOverlay', () => {
  const size = { width: 1280, height: 720 };
  it('distinguishes severities without color', () => {
    const drawings = SEVERITIES.map((severity) =>
      drawMarksOverlay([mark(1, box(500, 300, 200, 100), { severity })], size)
        .replaceAll(/#[0-9a-f]{6}/g, '#')
        .replace(/<rect [^>]*fill="#".*$/, ''),
    );
    expect(new Set(drawings).size).toBe(SEVERITIES.length);
  });

  it.each([
    [4000, 3000],
    [200, 150],
  ])('keeps labels legible and inside at %ix%i, whatever fonts there are', (width, height) => {
    const marks = [
      mark(1, box(0, 0, 3, 3)),
      mark(22, box(width - 3, height - 3, 3, 3), { words: 'broken lamp', severity: 'critical' }),
      mark(333, box(-50, -50, width + 100, height + 100), { words: 'broken glass', severity: 'severe' }),
    ];
    const svg = drawMarksOverlay(marks, { width, height });
    const label = /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="[\d.]+" fill="#/g;
    const labels = [...svg.matchAll(label)].map((match) => match.slice(1).map(Number));
    expect([labels.length, svg.includes('<text')]).toEqual([3, false]);
    for (const [x = -1, y = -1, w = 0, h = 0] of labels) {
      expect([x >= 0, y >= 0, x + w <= width, y + h <= height]).toEqual([true, true, true, true]);
      if (width > 200) expect(h / Math.max(width, height)).toBeGreaterThan(0.02);
    }
  });
});

describe('pictures of a report', () => {
  const pictures = async (maxSide: number, region?: Box, cropSide = maxSide, bytes = JPEG) => {
    const crops = region ? [{ region, maxSide: cropSide }] : [];
    const set = await (await open(bytes)).pictures({ maxSide, crops });
    const [crop = set.photo] = set.crops;
    return { photo: set.photo, crop, pixels: await decode(crop.jpeg) };
  };

  it('are cut out of one decode, each no larger than asked', async () => {
    const region = box(720, 300, 360, 360);
    expect(await pictures(648, region, 120)).toMatchObject({
      photo: { width: 648, height: 368 },
      crop: { width: 120, height: 120 },
      pixels: { width: 120, height: 120 },
    });
    const { pixels } = await pictures(648, region, 9000);
    expect(pixels).toMatchObject({ width: 360, height: 360 });
    const [red, green] = readPixel(pixels, 180, 180);
    expect(green).toBeGreaterThan(red + 60);
    expect(await pictures(9000)).toMatchObject({ pixels: { width: WIDTH, height: HEIGHT } });
  });

  it.each([
    ['the far corner', box(4 * WIDTH - 1440, 4 * HEIGHT - 1440, 1440, 1440)],
    ['a small part, at full size', box(3500, 1700, 240, 180)],
  ])(
    'show %s of a large photo as one cut out of the decoded photo, though it may be scaled while it is decoded',
    async (_name, region) => {
      const large = await drawn(4 * WIDTH, 4 * HEIGHT)
        .jpeg({ quality: 95 })
        .toBuffer();
      const { pixels } = await pictures(640, region, 240, large);
      const { x: left, y: top, width, height } = region;
      const part = sharp(large).extract({ left, top, width, height });
      const wanted = await readPixels(part.resize(pixels.width, pixels.height));
      expect(pixels.width).toBe(240);
      expect(difference(pixels, wanted, box(0, 0, pixels.width, pixels.height))).toBeLessThan(3);
    },
  );

  it.each([
    ['of the far corner', box(WIDTH - 2, HEIGHT - 2, 30, 30), 300, [2, 2]],
    ['of everything', box(-10, -10, 5000, 5000), 300, [300, 170]],
    ['of a dot', box(600, 300, 0, 0), 300, [1, 1]],
    ['of a strip thinner than a pixel of the reduced photo', box(0, HEIGHT - 1, 10, 1), 2, [2, 1]],
    ['of such a strip at the right edge', box(WIDTH - 1, 0, 1, 10), 2, [1, 2]],
  ])('keep inside the photo: %s', async (_name, region, side, [width, height]) => {
    const { crop, pixels } = await pictures(side === 2 ? 200 : 300, region, side);
    expect([crop, pixels]).toMatchObject([
      { width, height },
      { width, height },
    ]);
  });
});

describe('hidden regions', async () => {
  const stripes = Array.from({ length: 24 }, (_, i) => `<rect x="${i * 10}" width="5" height="60"/>`);
  const input = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60"><rect width="240" height="60" fill="#fff"/>${stripes.join('')}</svg>`,
  );
  const plate = await drawn()
    .composite([{ input, left: 500, top: 500 }])
    .png()
    .toBuffer();
  const hidden = [toQuad(box(490, 495, 260, 70))];
  const spread = (picture: RgbImage, x: number, y: number) => {
    const row = Array.from({ length: 200 }, (_, i) => readPixel(picture, x + i, y)[0]);
    return Math.max(...row) - Math.min(...row);
  };

  it('are unrecognizable in annotated photos, which stay as they are elsewhere', async () => {
    const [before, after] = [
      await decode(plate),
      await decode(await (await open(plate)).annotate([], hidden)),
    ];
    expect(spread(before, 520, 530)).toBeGreaterThan(200);
    expect(spread(after, 520, 530)).toBeLessThan(60);
    expect(difference(before, after, box(100, 300, 300, 200))).toBeLessThan(4);
  });

  it('are unrecognizable in the photo and in every crop', async () => {
    const crops = [{ region: box(480, 480, 280, 100), maxSide: 9000 }];
    const { photo, crops: cut } = await (await open(plate)).pictures({ maxSide: 9000, crops, hidden });
    expect(spread(await decode(photo.jpeg), 520, 530)).toBeLessThan(60);
    expect(cut).toHaveLength(1);
    for (const { jpeg } of cut) expect(spread(await decode(jpeg), 40, 50)).toBeLessThan(60);
  });
});
