import { expect, it } from 'vitest';
import { checkRotation, rotateSquare } from '../../../src/vision/rotation.ts';

const SQUARE = Uint8Array.from({ length: 27 }, (_, i) => i);

it('turns by quarters, clockwise', () => {
  const once = rotateSquare(SQUARE, 3, 1);
  // The pixel at the lower left comes to the upper left.
  expect([...once.subarray(0, 3)]).toEqual([18, 19, 20]);
  expect(rotateSquare(once, 3, 1)).toEqual(rotateSquare(SQUARE, 3, 2));
  expect(rotateSquare(once, 3, 3)).toEqual(SQUARE);
});

it.each([
  ['parts that are sure as they are', 0.8, undefined],
  ['no parts at all', 0, undefined],
  ['parts that are surer on the side', 0.4, true],
  ['parts that are hardly surer on the side', 0.6, false],
])('%s', async (_, certainty, isRotated) => {
  const asked: number[] = [];
  const rotation = await checkRotation({ certainty }, async (quarters) => {
    asked.push(quarters);
    return quarters === 3 ? 0.7 : 0.3;
  });
  expect(rotation && rotation.gain >= rotation.limit).toBe(isRotated);
  expect(asked).toEqual(isRotated === undefined ? [] : [1, 2, 3]);
});
