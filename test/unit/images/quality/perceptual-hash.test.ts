import sharp, { type Sharp } from 'sharp';
import { expect, it } from 'vitest';
import { countDifferingBits } from '../../../../src/domain/photo.ts';
import { computePerceptualHash } from '../../../../src/images/quality/perceptual-hash.ts';
import { readPixels } from '../../../../src/images/sharp.ts';
import { drawn, WIDTH } from '../pictures.ts';

const hash = async (image: Sharp) => computePerceptualHash(await readPixels(image.removeAlpha()));

it('reads grays from left to right, row by row', async () => {
  const ramp = (from: number, step: number) => {
    const data = Uint8Array.from({ length: 72 * 3 }, (_, i) => from + step * (Math.floor(i / 3) % 9));
    return computePerceptualHash({ data, width: 9, height: 8 });
  };
  expect([await ramp(10, 20), await ramp(250, -20)]).toEqual([0xffff_ffff_ffff_ffffn, 0n]);
});

it.each([
  ['compressed hard', async () => sharp(await drawn().jpeg({ quality: 20 }).toBuffer()), 0, 8],
  ['halved', async () => drawn().resize(WIDTH / 2), 0, 8],
  ['brightened', async () => drawn().linear(1.1, 5), 0, 8],
  ['trimmed', async () => drawn().extract({ left: 26, top: 10, width: 1256, height: 716 }), 0, 8],
  ['mirrored: another picture', async () => drawn().flop(), 17, 64],
])('a picture that is %s', async (_name, make, least, most) => {
  const bits = countDifferingBits(await hash(drawn()), await hash(await make()));
  expect([bits, bits >= least && bits <= most]).toEqual([bits, true]);
});
