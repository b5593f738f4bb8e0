import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { SEVERITIES } from '../../../src/domain/damage.ts';
import type { RgbImage } from '../../../src/domain/photo.ts';
import { loadLabelGlyphs } from '../../../src/images/label-glyphs.ts';
import { loadMarkStyles, type Mark, marksOverlay } from '../../../src/images/marks-overlay.ts';
import { createPhotoStudio } from '../../../src/images/photo-studio.ts';
import { drawn, emptyFolder, fixture, HEIGHT, pixel, WIDTH } from './pictures.ts';

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
  type: 'dent',
  severity: 'moderate',
  ...more,
});

async function decode(jpeg: Uint8Array): Promise<RgbImage> {
  const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(3);
  return { data, width: info.width, height: info.height };
}

/** How far two pictures differ inside a box, mean over channels. */
function difference(a: RgbImage, b: RgbImage, x0: number, y0: number, x1: number, y1: number): number {
  let sum = 0;
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const other = pixel(b, x, y);
      sum +=
        pixel(a, x, y).reduce((total, value, channel) => total + Math.abs(value - (other[channel] ?? 0)), 0) /
        3;
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

  it('writes the file whole, under its own name only', async () => {
    const folder = await emptyFolder();
    const out = join(folder, 'annotated/a.jpg');
    const photo = await drawn().jpeg().toBuffer();
    expect(await studio.annotate(bytesOf(photo), [mark(1, 5, 5, 50, 50)], out)).toEqual({
      width: WIDTH,
      height: HEIGHT,
    });
    expect(await readdir(join(folder, 'annotated'))).toEqual(['a.jpg']);
    expect((await sharp(await readFile(out)).metadata()).width).toBe(WIDTH);
  });

  it('leaves nothing behind where it cannot write', async () => {
    const folder = await emptyFolder();
    const photo = bytesOf(await drawn().jpeg().toBuffer());
    await mkdir(join(folder, 'taken'));
    await writeFile(join(folder, 'taken/x'), '');
    await expect(studio.annotate(photo, [], join(folder, 'taken'))).rejects.toMatchObject({
      code: 'OUTPUT_NOT_WRITABLE',
    });
    expect(await readdir(folder)).toEqual(['taken']);
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
    const photo = await studio.open({ kind: 'file', path: fixture('turned.heic') });
    expect(photo.size).toEqual({ width: 736, height: 1296 });
    const after = await decode(await photo.annotate([mark(1, 300, 300, 200, 200)]));
    expect(after).toMatchObject({ width: 736, height: 1296 });
    expect(pixel(after, 20, 1276)[0]).toBeGreaterThan(180);
  }, 30_000);
});

describe('marksOverlay', () => {
  const font = loadLabelGlyphs();
  const styles = loadMarkStyles();

  it('needs no font: outlines only', () => {
    const svg = marksOverlay(
      [mark(12, 0, 0, 10, 10, { type: 'paint_damage' })],
      { width: 1280, height: 720 },
      font,
      styles,
    );
    expect(svg).not.toContain('<text');
    expect(svg).toContain('<path');
  });

  it('tells severities apart without colour', () => {
    const drawings = SEVERITIES.map((severity) =>
      marksOverlay([mark(1, 500, 300, 200, 100, { severity })], { width: 1280, height: 720 }, font, styles)
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
      mark(22, width - 3, height - 3, 3, 3, { type: 'headlight_damage', severity: 'critical' }),
      mark(333, -50, -50, width + 100, height + 100, { type: 'glass_damage', severity: 'severe' }),
    ];
    const svg = marksOverlay(marks, { width, height }, font, styles);
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

describe('close-ups, thumbnails and redactions', () => {
  it('cuts the damage out with its surroundings and says where it is', async () => {
    const photo = await studio.open(bytesOf(await drawn().jpeg({ quality: 95 }).toBuffer()));
    const { jpeg, size, box } = await photo.cropDamage(
      { x: 780, y: 360, width: 240, height: 240 },
      { maxSide: 240 },
    );
    expect(size).toEqual({ width: 240, height: 240 });
    expect(box).toEqual({ x: 60, y: 60, width: 120, height: 120 });
    const crop = await decode(jpeg);
    expect(crop).toMatchObject(size);
    const [red, green] = pixel(crop, 120, 120);
    expect(green).toBeGreaterThan((red ?? 0) + 60);
  });

  it.each([
    ['a corner', { x: 0, y: 0, width: 40, height: 30 }],
    ['the far corner', { x: WIDTH - 2, y: HEIGHT - 2, width: 30, height: 30 }],
    ['everything', { x: -10, y: -10, width: 5000, height: 5000 }],
    ['a dot', { x: 600, y: 300, width: 0, height: 0 }],
  ])('keeps inside the photo: %s', async (_name, target) => {
    const photo = await studio.open(bytesOf(await drawn().jpeg().toBuffer()));
    const { jpeg, size, box } = await photo.cropDamage(target, { maxSide: 300 });
    expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(300);
    expect(await decode(jpeg)).toMatchObject(size);
    expect(box.x + box.width).toBeLessThanOrEqual(size.width);
    expect(box.y + box.height).toBeLessThanOrEqual(size.height);
  });

  it('makes thumbnails, never larger than the photo', async () => {
    const photo = await studio.open(bytesOf(await drawn().jpeg().toBuffer()));
    expect(await decode(await photo.thumbnail(324))).toMatchObject({ width: 324, height: 184 });
    expect(await decode(await photo.thumbnail(9000))).toMatchObject({ width: WIDTH, height: HEIGHT });
  });

  it('makes regions unrecognisable and leaves the rest', async () => {
    const stripes = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60"><rect width="240" height="60" fill="#fff"/>${Array.from({ length: 24 }, (_, i) => `<rect x="${i * 10}" width="5" height="60" fill="#000"/>`).join('')}</svg>`,
    );
    const plate = await drawn()
      .composite([{ input: stripes, left: 500, top: 500 }])
      .png()
      .toBuffer();
    const photo = await studio.open(bytesOf(plate, 'a.png'));
    const after = await decode(await photo.blurRegions([{ x: 490, y: 495, width: 260, height: 70 }]));
    const row = Array.from({ length: 200 }, (_, i) => pixel(after, 520 + i, 530)[0] ?? 0);
    expect(Math.max(...row) - Math.min(...row)).toBeLessThan(60);
    expect(difference(await decode(plate), after, 100, 300, 400, 500)).toBeLessThan(4);
  });
});
