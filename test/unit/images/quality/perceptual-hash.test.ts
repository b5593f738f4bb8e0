import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { countDifferingBits } from '../../../../src/domain/photo.ts';
import { computePerceptualHash } from '../../../../src/images/quality/perceptual-hash.ts';
import { readPixels } from '../../../../src/images/sharp.ts';
import { drawn, HEIGHT, WIDTH } from '../pictures.ts';

const hash = async (image: Sharp) => computePerceptualHash(await readPixels(image.removeAlpha()));

describe('computePerceptualHash', () => {
  it('reads grays from left to right, row by row', async () => {
    const ramp = (from: number, step: number) =>
      Uint8Array.from({ length: 72 * 3 }, (_, i) => from + step * (Math.floor(i / 3) % 9));
    expect(await computePerceptualHash({ data: ramp(10, 20), width: 9, height: 8 })).toBe(
      0xffff_ffff_ffff_ffffn,
    );
    expect(await computePerceptualHash({ data: ramp(250, -20), width: 9, height: 8 })).toBe(0n);
  });

  it.each([
    ['compressed hard', async () => sharp(await drawn().jpeg({ quality: 20 }).toBuffer())],
    ['halved', async () => drawn().resize(WIDTH / 2)],
    ['brightened', async () => drawn().linear(1.1, 5)],
    [
      'trimmed by two per cent',
      async () => drawn().extract({ left: 26, top: 10, width: WIDTH - 40, height: HEIGHT - 20 }),
    ],
  ])('stays near when the picture is %s', async (_name, make) => {
    expect(countDifferingBits(await hash(drawn()), await hash(await make()))).toBeLessThanOrEqual(8);
  });

  it('goes far when the picture is another one', async () => {
    expect(countDifferingBits(await hash(drawn()), await hash(drawn().flop()))).toBeGreaterThan(16);
  });
});
