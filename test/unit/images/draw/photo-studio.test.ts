// @module-tag slow: photos are decoded and drawn on
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { SEVERITIES } from '../../../../src/domain/damage.ts';
import type { RgbImage } from '../../../../src/domain/photo.ts';
import { toQuad } from '../../../../src/domain/quad.ts';
import { drawMarksOverlay, type Mark } from '../../../../src/images/draw/marks-overlay.ts';
import { createPhotoStudio } from '../../../../src/images/draw/photo-studio.ts';
import { readPixels } from '../../../../src/images/sharp.ts';
import { drawn, findFixture, HEIGHT, readPixel, WIDTH } from '../pictures.ts';

const studio = createPhotoStudio();
afterAll(() => studio.close());

const bytesOf = (bytes: Uint8Array, name = 'a.jpg') => ({ kind: 'bytes', bytes, name }) as const;
const mark = (
  number: number,
  x: number,
  y: number,
  width: number,
  height: number,
  more: Partial<Mark> = {},
): Mark => ({
  number,
  box: { x, y, width, height },
  words: 'dent',
  severity: 'moderate',
  ...more,
});

const decode = (jpeg: Uint8Array) => readPixels(sharp(jpeg).removeAlpha());

/** How far two pictures differ inside a box, mean over channels. */
function difference(a: RgbImage, b: RgbImage, x0: number, y0: number, x1: number, y1: number): number {
  let sum = 0;
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const other = readPixel(b, x, y);
      sum +=
        readPixel(a, x, y).reduce(
          (total, value, channel) => total + Math.abs(value - (other[channel] ?? 0)),
          0,
        ) / 3;
    }
  }
  return sum / ((x1 - x0) * (y1 - y0));
}

describe('annotate', () => {
  it('draws frame and label, leaves the rest alone and drops EXIF and GPS', async () => {
    const exif = { IFD0: { Make: 'Phone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' } };
    const photo = await drawn().withExif(exif).jpeg({ quality: 95 }).toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const jpeg = await (await studio.open(bytesOf(photo))).annotate([mark(3, 700, 400, 200, 150)]);
    const meta = await sharp(jpeg).metadata();
    expect(meta).toMatchObject({ format: 'jpeg', width: WIDTH, height: HEIGHT });
    expect([meta.exif, meta.xmp, meta.iptc, meta.icc]).toEqual([undefined, undefined, undefined, undefined]);
    const [before, after] = [await decode(photo), await decode(jpeg)];
    expect(difference(before, after, 700, 372, 800, 396)).toBeGreaterThan(40);
    expect(difference(before, after, 720, 420, 880, 530)).toBeLessThan(4);
    expect(difference(before, after, 100, 600, 400, 700)).toBeLessThan(4);
  });

  it('puts boxes into the upright photo, whatever its EXIF says', async () => {
    const turned = await drawn().withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
    const jpeg = await (await studio.open(bytesOf(turned))).annotate([
      mark(1, 100, 900, 200, 200, { severity: 'severe' }),
    ]);
    const after = await decode(jpeg);
    expect(after).toMatchObject({ width: HEIGHT, height: WIDTH });
    const before = await decode(await sharp(turned).autoOrient().jpeg({ quality: 95 }).toBuffer());
    expect(difference(before, after, 98, 950, 101, 1050)).toBeGreaterThan(30);
    expect(difference(before, after, 400, 900, 600, 1100)).toBeLessThan(4);
  });

  it.each([
    ['a cut-off photo', async () => (await drawn().jpeg().toBuffer()).subarray(0, 9000), 'IMAGE_UNREADABLE'],
    ['a small photo', async () => drawn(640, 480).jpeg().toBuffer(), 'IMAGE_QUALITY_TOO_LOW'],
    ['a text', async () => Buffer.from('hello'), 'UNSUPPORTED_IMAGE_FORMAT'],
  ])('refuses %s as the reader does', async (_name, make, code) => {
    const bytes = await make();
    const work = studio.open(bytesOf(bytes)).then((photo) => photo.annotate([]));
    await expect(work).rejects.toMatchObject({ name: 'VehiError', kind: 'input', code });
  });

  it('annotates HEIC', async () => {
    const photo = await studio.open({ kind: 'file', path: findFixture('turned.heic') });
    expect(photo.size).toEqual({ width: 736, height: 1296 });
    const after = await decode(await photo.annotate([mark(1, 300, 300, 200, 200)]));
    expect(after).toMatchObject({ width: 736, height: 1296 });
    expect(readPixel(after, 20, 1276)[0]).toBeGreaterThan(180);
  }, 30_000);
});

describe('drawMarksOverlay', () => {
  it('needs no font: outlines only', () => {
    const svg = drawMarksOverlay([mark(12, 0, 0, 10, 10, { words: 'chipped or peeling paint' })], {
      width: 1280,
      height: 720,
    });
    expect(svg).not.toContain('<text');
    expect(svg).toContain('<path');
  });

  it('distinguishes severities without color', () => {
    const drawings = SEVERITIES.map((severity) =>
      drawMarksOverlay([mark(1, 500, 300, 200, 100, { severity })], { width: 1280, height: 720 })
        .replaceAll(/#[0-9a-f]{6}/g, '#')
        .replace(/<rect [^>]*fill="#".*$/, ''),
    );
    expect(new Set(drawings).size).toBe(SEVERITIES.length);
  });

  it.each([
    [1280, 720],
    [720, 1280],
    [4000, 3000],
    [200, 150],
  ])('keeps labels legible and inside at %ix%i', (width, height) => {
    const marks = [
      mark(1, 0, 0, 3, 3),
      mark(22, width - 3, height - 3, 3, 3, { words: 'broken lamp', severity: 'critical' }),
      mark(333, -50, -50, width + 100, height + 100, { words: 'broken glass', severity: 'severe' }),
    ];
    const svg = drawMarksOverlay(marks, { width, height });
    const plates = [
      ...svg.matchAll(
        /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="[\d.]+" fill="#/g,
      ),
    ];
    expect(plates).toHaveLength(3);
    for (const plate of plates) {
      const [x = 0, y = 0, w = 0, h = 0] = plate.slice(1).map(Number);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(x + w).toBeLessThanOrEqual(width);
      expect(y + h).toBeLessThanOrEqual(height);
      if (width > 1000) expect(h / Math.max(width, height)).toBeGreaterThan(0.02);
    }
  });
});

describe('pictures of a report', () => {
  const photoOf = async () => studio.open(bytesOf(await drawn().jpeg({ quality: 95 }).toBuffer()));

  it('cuts regions out of one decode, each no larger than asked', async () => {
    const region = { x: 720, y: 300, width: 360, height: 360 };
    const { photo, crops } = await (await photoOf()).pictures({
      maxSide: 648,
      crops: [
        { region, maxSide: 120 },
        { region, maxSide: 9000 },
      ],
    });
    expect(photo).toMatchObject({ width: 648, height: 368 });
    expect(await decode(photo.jpeg)).toMatchObject({ width: 648, height: 368 });
    expect(crops.map(({ width, height }) => [width, height])).toEqual([
      [120, 120],
      [360, 360],
    ]);
    const crop = await decode((crops[1] as { jpeg: Uint8Array }).jpeg);
    expect(crop).toMatchObject({ width: 360, height: 360 });
    const [red, green] = readPixel(crop, 180, 180);
    expect(green).toBeGreaterThan((red ?? 0) + 60);
  });

  let large: Buffer | undefined;
  it.each([
    ['a corner of a large photo', { x: 0, y: 0, width: 1440, height: 1440 }],
    [
      'the far corner of a large photo',
      { x: 4 * WIDTH - 1440, y: 4 * HEIGHT - 1440, width: 1440, height: 1440 },
    ],
    ['the middle of a large photo', { x: 2880, y: 1200, width: 1440, height: 1440 }],
    ['a small part of a large photo, at full size', { x: 3500, y: 1700, width: 240, height: 180 }],
  ])(
    'shows %s as one cut out of the decoded photo, though it may be scaled while it is decoded',
    async (_name, region) => {
      large ??= await drawn(4 * WIDTH, 4 * HEIGHT)
        .jpeg({ quality: 95 })
        .toBuffer();
      const photo = await studio.open(bytesOf(large));
      const { crops } = await photo.pictures({ maxSide: 640, crops: [{ region, maxSide: 240 }] });
      const crop = await decode((crops[0] as { jpeg: Uint8Array }).jpeg);
      const { x: left, y: top, width, height } = region;
      const wanted = await decode(
        await sharp(large)
          .extract({ left, top, width, height })
          .resize(crop.width, crop.height)
          .jpeg()
          .toBuffer(),
      );
      expect(crop.width).toBe(240);
      expect(difference(crop, wanted, 0, 0, crop.width, crop.height)).toBeLessThan(3);
    },
  );

  it.each([
    ['at the lower edge', { x: 0, y: HEIGHT - 1, width: 10, height: 1 }],
    ['at the right edge', { x: WIDTH - 1, y: 0, width: 1, height: 10 }],
  ])('cuts a strip %s, thinner than a pixel of the reduced photo', async (_name, region) => {
    const { crops } = await (await photoOf()).pictures({ maxSide: 200, crops: [{ region, maxSide: 2 }] });
    expect(crops.map(({ width, height }) => Math.min(width, height))).toEqual([1]);
  });

  it.each([
    ['a corner', { x: 0, y: 0, width: 40, height: 30 }],
    ['the far corner', { x: WIDTH - 2, y: HEIGHT - 2, width: 30, height: 30 }],
    ['everything', { x: -10, y: -10, width: 5000, height: 5000 }],
    ['a dot', { x: 600, y: 300, width: 0, height: 0 }],
  ])('keeps inside the photo: %s', async (_name, region) => {
    const { crops } = await (await photoOf()).pictures({ maxSide: 300, crops: [{ region, maxSide: 300 }] });
    const [crop] = crops;
    expect(Math.max(crop?.width ?? 0, crop?.height ?? 0)).toBeLessThanOrEqual(300);
    expect(await decode(crop?.jpeg as Uint8Array)).toMatchObject({
      width: crop?.width,
      height: crop?.height,
    });
  });

  it.each([
    [324, 324, 184],
    [9000, WIDTH, HEIGHT],
  ])('gives the whole photo with at most %i pixels a side', async (maxSide, width, height) => {
    const { photo } = await (await photoOf()).pictures({ maxSide, crops: [] });
    expect(photo).toMatchObject({ width, height });
    expect(await decode(photo.jpeg)).toMatchObject({ width, height });
  });
});

describe('hidden regions', () => {
  const stripes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60"><rect width="240" height="60" fill="#fff"/>${Array.from({ length: 24 }, (_, i) => `<rect x="${i * 10}" width="5" height="60" fill="#000"/>`).join('')}</svg>`,
  );
  const hidden = [toQuad({ x: 490, y: 495, width: 260, height: 70 })];
  const plate = () =>
    drawn()
      .composite([{ input: stripes, left: 500, top: 500 }])
      .png()
      .toBuffer();
  const spread = (picture: RgbImage, x: number, y: number) => {
    const row = Array.from({ length: 200 }, (_, i) => readPixel(picture, x + i, y)[0] ?? 0);
    return Math.max(...row) - Math.min(...row);
  };

  it('are unrecognizable in annotated photos, which stay as they are elsewhere', async () => {
    const before = await decode(
      await sharp(await plate())
        .jpeg({ quality: 95 })
        .toBuffer(),
    );
    const after = await decode(
      await (await studio.open(bytesOf(await plate(), 'a.png'))).annotate([], hidden),
    );
    expect(spread(before, 520, 530)).toBeGreaterThan(200);
    expect(spread(after, 520, 530)).toBeLessThan(60);
    expect(difference(before, after, 100, 300, 400, 500)).toBeLessThan(4);
  });

  it('are unrecognizable in the photo and in every cut-out', async () => {
    const photo = await studio.open(bytesOf(await plate(), 'a.png'));
    const region = { x: 480, y: 480, width: 280, height: 100 };
    const set = await photo.pictures({ maxSide: 9000, crops: [{ region, maxSide: 9000 }], hidden });
    expect(spread(await decode(set.photo.jpeg), 520, 530)).toBeLessThan(60);
    expect(spread(await decode((set.crops[0] as { jpeg: Uint8Array }).jpeg), 40, 50)).toBeLessThan(60);
  });
});
