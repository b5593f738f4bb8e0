import { expect, it } from 'vitest';
import { checkTurned, turnSquare } from '../../../src/vision/turned.ts';

const SQUARE = Uint8Array.from({ length: 27 }, (_, i) => i);

it('turns by quarters, clockwise', () => {
  const once = turnSquare(SQUARE, 3, 1);
  // The pixel at the lower left comes to the upper left.
  expect([...once.subarray(0, 3)]).toEqual([18, 19, 20]);
  expect(turnSquare(once, 3, 1)).toEqual(turnSquare(SQUARE, 3, 2));
  expect(turnSquare(once, 3, 3)).toEqual(SQUARE);
});

it.each([
  ['parts that are sure as they are', 0.8, undefined],
  ['no parts at all', 0, undefined],
  ['parts that are surer on the side', 0.4, true],
  ['parts that are hardly surer on the side', 0.6, false],
])('%s', async (_, certainty, isTurned) => {
  const asked: number[] = [];
  const turned = await checkTurned({ certainty }, async (quarters) => {
    asked.push(quarters);
    return quarters === 3 ? 0.7 : 0.3;
  });
  expect(turned && turned.gain >= turned.limit).toBe(isTurned);
  expect(asked).toEqual(isTurned === undefined ? [] : [1, 2, 3]);
});
