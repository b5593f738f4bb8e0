import { expect, test } from 'vitest';
import { measureDifference } from '../../../../src/domain/compare/difference.ts';
import type { Affine } from '../../../../src/domain/compare/registration.ts';
import type { Box } from '../../../../src/domain/geometry.ts';
import type { RgbImage } from '../../../../src/domain/photo.ts';
import { drawTexture, plant, retake } from '../../../helpers/photos/textured.ts';

const original = drawTexture(320, 240, 1);
const BOX: Box = { x: 140, y: 100, width: 40, height: 30 };
const MODEL: Affine = [1.04, 0.02, -12, -0.015, 1.03, 4];

/** Adds to the channels of what is in the box. */
function tint(
  picture: RgbImage,
  { x, y, width, height }: Box,
  by: readonly [number, number, number],
): RgbImage {
  const data = picture.data.slice();
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++)
      for (const [channel, offset] of by.entries()) {
        const at = 3 * (row * picture.width + column) + channel;
        data[at] = Math.min(255, Math.max(0, (data[at] ?? 0) + offset));
      }
  return { ...picture, data };
}

const WHOLE: Box = { x: 0, y: 0, width: 320, height: 240 };
const WARM = [20, 0, -15] as const;
const again = (picture: RgbImage, by = 0.9) => retake(picture, MODEL, by);

test.each<[string, RgbImage, RgbImage, number, number]>([
  ['the same place in less light', original, again(original), 0, 0.05],
  ['the same place in light of another color', original, tint(again(original), WHOLE, WARM), 0, 0.05],
  ['a dark spot that came', plant(original, BOX), again(original), 0.8, 1],
  ['a dark spot that went', original, again(plant(original, BOX)), 0.8, 1],
  ['a color as light as what was there', tint(original, BOX, [80, -36, -25]), again(original), 0.9, 1],
  ['a picture of something else', original, drawTexture(320, 240, 77), 0, 0.05],
])('%s', (_, own, other, least, most) => {
  const share = measureDifference(own, other, MODEL, BOX);
  expect(share).toBeGreaterThanOrEqual(least);
  expect(share).toBeLessThanOrEqual(most);
});

test('where other finds cover all around, they are the surroundings', () => {
  expect(measureDifference(plant(original, BOX), again(original), MODEL, BOX, [WHOLE])).toBeGreaterThan(0.8);
  expect(measureDifference(original, again(original), MODEL, BOX, [WHOLE])).toBeLessThan(0.05);
});

test('a place that the other photo does not show', () => {
  expect(measureDifference(original, original, [1, 0, 400, 0, 1, 0], BOX)).toBeNull();
});
