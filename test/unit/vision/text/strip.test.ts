import { expect, it } from 'vitest';
import { toQuad } from '../../../../src/domain/quad.ts';
import { STRIP_HEIGHT, straighten } from '../../../../src/vision/text/strip.ts';

/** A picture whose left half is dark and whose right half is light. */
function makeHalves(width: number, height: number) {
  const data = new Uint8Array(3 * width * height);
  for (let at = 0; at < width * height; at++)
    data.fill(at % width < width / 2 ? 20 : 220, 3 * at, 3 * at + 3);
  return { data, width, height };
}

it.each([
  ['that runs out of the picture', { x: 50, y: -5, width: 100, height: 50 }, 96],
  ['longer than the model takes', { x: 0, y: 20, width: 100, height: 1 }, 800],
  ['narrower than the model takes', { x: 40, y: 0, width: 10, height: 40 }, 48],
])('a strip of a box %s: %j', (_, box, width) => {
  const strip = straighten(makeHalves(100, 50), toQuad(box));
  expect(strip).toMatchObject({ width, height: STRIP_HEIGHT });
  expect(strip.data).toHaveLength(3 * width * STRIP_HEIGHT);
});

it('a strip shows left what is left, sampled between pixels', () => {
  const { data, width } = straighten(makeHalves(100, 50), toQuad({ x: 30, y: 10, width: 40, height: 20 }));
  const row = 24 * width;
  expect([data[3 * row], data[3 * (row + width - 1)]]).toEqual([20, 220]);
});
