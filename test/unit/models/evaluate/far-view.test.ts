import { expect, it } from 'vitest';
import { paste, placeInFarView } from '../../../../models/evaluate/far-view.ts';

it('places pictures inside the canvas, each at its own place', () => {
  const places = Array.from({ length: 20 }, (_, i) => placeInFarView({ width: 100, height: 80 }, 2.5, i));
  for (const { x, y } of places) expect(x >= 37 && x <= 113 && y >= 30 && y <= 90).toBe(true);
  expect(new Set(places.map(({ x, y }) => `${x},${y}`)).size).toBe(20);
});

it('copies a picture and leaves the rest', () => {
  const canvas = { width: 3, height: 2, data: new Uint8Array(18) };
  paste({ width: 2, height: 1, data: Uint8Array.of(1, 2, 3, 4, 5, 6) }, canvas, { x: 1, y: 1 });
  expect([...canvas.data]).toEqual([...Array(12).fill(0), 1, 2, 3, 4, 5, 6]);
});
