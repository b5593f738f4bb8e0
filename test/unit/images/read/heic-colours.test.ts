import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { toSrgb } from '../../../../src/images/read/heic-photo.ts';

const dot = { rgba: Uint8Array.of(194, 72, 51, 255), width: 1, height: 1 };

async function profile(name: 'p3' | 'srgb'): Promise<Uint8Array> {
  const picture = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } });
  const { icc } = await sharp(await picture.withIccProfile(name).png().toBuffer()).metadata();
  if (!icc) throw new Error(`sharp attached no ${name} profile`);
  return icc;
}

describe('toSrgb', () => {
  it.each([
    ['Display P3', () => profile('p3'), [210, 60, 40, 255], 3],
    ['sRGB', () => profile('srgb'), [194, 72, 51, 255], 1],
    ['an invalid profile', async () => Uint8Array.of(1, 2, 3), [194, 72, 51, 255], 0],
    ['an empty profile', async () => new Uint8Array(), [194, 72, 51, 255], 0],
  ])('%s', async (_, make, wanted, tolerance) => {
    const { rgba, width, height } = await toSrgb(dot, await make());
    expect([width, height, rgba.length]).toEqual([1, 1, 4]);
    for (const [i, value] of wanted.entries()) {
      expect(Math.abs((rgba[i] ?? 0) - value)).toBeLessThanOrEqual(tolerance);
    }
  });
});
