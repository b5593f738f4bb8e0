import { expect, test } from 'vitest';
import { type RgbImage, toGrey } from '../../../../../src/domain/photo.ts';
import { measureContrasts } from '../../../../../src/domain/sight/place/contrast.ts';
import type { Affine } from '../../../../../src/domain/sight/place/registration.ts';
import { drawTexture, retake } from '../../../../helpers/photos/textured.ts';

const MODEL: Affine = [1.04, 0.02, -12, -0.015, 1.03, 4];
const BOX = { x: 140, y: 100, width: 48, height: 36 };
const HERE = [{ x: 0, y: 0 }];
const AROUND = [...HERE, { x: 12, y: 0 }, { x: -12, y: 0 }, { x: 0, y: 12 }, { x: 0, y: -12 }];

/** Smooth paint that reflects something else in each photo. */
function paint(slope: number): RgbImage {
  const data = new Uint8Array(3 * 320 * 240);
  for (let at = 0; at < 320 * 240; at++)
    data.fill(90 + slope * (at % 320) + 30 * Math.sin(Math.floor(at / 320) / 25), 3 * at, 3 * at + 3);
  return { ...drawTexture(320, 240, 1), data };
}

/** Draws parallel scratches into a location. */
function scratch(photo: RgbImage, { x, y, width, height } = BOX): RgbImage {
  const data = photo.data.slice();
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column += 6)
      data.fill(220, 3 * (row * 320 + column), 3 * (row * 320 + column) + 6);
  return { ...photo, data };
}

const before = retake(paint(0.4), MODEL, 0.8);
const moved = { ...BOX, x: BOX.x + 11 };

const STANDS_OUT = expect.toSatisfy((contrast: number) => contrast > 1);
const DOES_NOT = expect.toSatisfy((contrast: number) => contrast < 0.2);

test.each([
  ['the damage is gone', scratch(paint(0.1)), before, HERE, STANDS_OUT, DOES_NOT],
  [
    'it is there in other light',
    scratch(paint(0.1)),
    retake(scratch(paint(0.4)), MODEL, 0.8),
    HERE,
    STANDS_OUT,
    STANDS_OUT,
  ],
  ['it came', paint(0.1), retake(scratch(paint(0.4)), MODEL, 0.8), HERE, DOES_NOT, STANDS_OUT],
  [
    'it is aside, within the error of the location',
    scratch(paint(0.1)),
    retake(scratch(paint(0.4), moved), MODEL, 0.8),
    AROUND,
    STANDS_OUT,
    STANDS_OUT,
  ],
  [
    'structure all around hides it',
    scratch(drawTexture(320, 240, 1)),
    before,
    HERE,
    expect.toSatisfy((contrast: number) => contrast < 1),
    DOES_NOT,
  ],
])('%s', (_, photo, other, shifts, source, target) => {
  expect(measureContrasts(toGrey(photo), toGrey(other), MODEL, BOX, shifts)).toEqual({ source, target });
});
