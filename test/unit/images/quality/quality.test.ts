// @module-tag slow: photos are encoded and decoded
import type { Sharp } from 'sharp';
import { expect, it } from 'vitest';
import limitsFile from '../../../../src/images/data/quality-limits.json' with { type: 'json' };
import { judgeQuality, measureExposure, measureSharpness } from '../../../../src/images/quality/quality.ts';
import { readPixels } from '../../../../src/images/sharp.ts';
import { drawn } from '../pictures.ts';

const LARGE = { width: 4000, height: 3000 };

const raster = (image: Sharp) => readPixels(image.removeAlpha());

async function codes(image: Sharp, size = LARGE): Promise<readonly string[]> {
  return (await judgeQuality(await raster(image), size)).map(({ code }) => code);
}

/** Averages over `length` pixels along a row, as a moving camera does. */
function moved(image: Sharp, length: number): Sharp {
  const kernel = Array.from({ length: length * length }, (_, i) =>
    Math.floor(i / length) === (length - 1) / 2 ? 1 : 0,
  );
  return image.convolve({ width: length, height: length, kernel });
}

function whiten(left: number, top: number, width: number, height: number): Sharp {
  const create = { width, height, channels: 3 as const, background: '#ffffff' };
  return drawn().composite([{ input: { create }, left, top }]);
}

it.each([
  ['as drawn', () => drawn(), []],
  ['half the light', () => drawn().linear(0.6, 0), []],
  ['hardly blurred', () => drawn().blur(1.5), []],
  ['blurred', () => drawn().blur(2), ['blur']],
  ['moved', () => moved(drawn().blur(0.8), 9), ['blur']],
  ['blurred and dark', () => drawn().blur(2).linear(0.3, 0), ['blur', 'dark']],
  ['dark', () => drawn().linear(0.25, 0), ['dark']],
  ['overexposed', () => drawn().linear(4, 120), ['bright']],
  ['a reflection', () => whiten(500, 300, 300, 200), ['glare']],
  ['a white sky', () => whiten(0, 0, 1296, 150), []],
])('%s', async (_name, make, expected) => {
  expect(await codes(make())).toEqual(expected);
});

it.each([
  [{ width: 1920, height: 1080 }, []],
  [{ width: 1080, height: 1920 }, []],
  [{ width: 1919, height: 1080 }, ['low_resolution']],
  [{ width: 1920, height: 1079 }, ['low_resolution']],
])('recommends 1920x1080: %j', async (size, expected) => {
  expect(await codes(drawn(), size)).toEqual(expected);
});

it('gives the figure and the limit it was held against, which differ however near they are', async () => {
  const [blur] = await judgeQuality(await raster(drawn().blur(3)), LARGE);
  const { value = 0, limit = 0 } = blur ?? {};
  expect([value > 0 && value < limit, blur?.message]).toEqual([true, expect.stringContaining(`${value}`)]);
  expect([blur?.code, limit]).toEqual(['blur', limitsFile.limits.min_sharpness.value]);
  const [width, height] = [1024, 1000];
  const data = new Uint8Array(width * height * 3).fill(120).fill(255, 0, (width * height * 3) / 4 + 3);
  const found = await judgeQuality({ data, width, height }, LARGE);
  expect(found.find(({ code }) => code === 'bright')).toMatchObject({
    value: 0.250001,
    message: expect.stringContaining('25.0001 % of it overexposed, at most 25 %'),
  });
});

it.each([64, 10])('the sharpness of %d pixels without an edge is 0', async (side) => {
  const data = new Uint8Array(side * side).fill(90);
  expect(await measureSharpness({ data, width: side, height: side })).toBe(0);
});

it('glare leaves out what reaches the top edge, also round a corner', async () => {
  const data = new Uint8Array(80 * 40).fill(100);
  for (let y = 16; y < 24; y++) data.fill(255, y * 80 + 40, y * 80 + 60);
  // A bright bar down the left edge, then along a row to the right.
  for (let y = 0; y < 40; y++) data.fill(255, y * 80, y * 80 + (y < 32 ? 8 : 80));
  const { overexposedShare, glareShare } = await measureExposure({ data, width: 80, height: 40 });
  expect(overexposedShare).toBeCloseTo((32 * 8 + 8 * 80 + 8 * 20) / 3200, 10);
  expect(glareShare).toBeCloseTo((8 * 20) / 3200, 10);
});

it('the level that 95 % of the pixels do not exceed', async () => {
  const data = Uint8Array.from({ length: 100 }, (_, i) => i);
  expect((await measureExposure({ data, width: 10, height: 10 })).level95).toBe(94);
});
