// @module-tag slow: pictures are drawn
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { RgbImage } from '../../../../src/domain/photo.ts';
import { boundsOf, type Point, type Quad } from '../../../../src/domain/quad.ts';
import { readPixels } from '../../../../src/images/sharp.ts';
import { findOutline } from '../../../../src/vision/plates/outline.ts';

const WIDTH = 400;
const HEIGHT = 300;
/** Half a pixel over an edge counts as inside: the edge of a drawn shape lies between pixels. */
const isInside = (point: Point, quad: Quad) =>
  quad.every((from, at) => {
    const to = quad[(at + 1) % 4] as Point;
    const area = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
    return area / Math.hypot(to.x - from.x, to.y - from.y) >= -0.5;
  });

const mix = (from: Point, to: Point, share: number): Point => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
});

/** Draws a plate of dark characters; `paint` and `plate` are colors. */
async function draw(quad: Quad, paint: string, plate: string): Promise<RgbImage> {
  const points = quad.map(({ x, y }) => `${x},${y}`).join(' ');
  const [a, b, c, d] = quad;
  const strokes = [0.2, 0.4, 0.6, 0.8].map((at) => {
    const [top, bottom] = [mix(a, b, at), mix(d, c, at)];
    const [from, to] = [mix(top, bottom, 0.25), mix(top, bottom, 0.75)];
    return `<line x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}" stroke="#111" stroke-width="7"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="${paint}"/><polygon points="${points}" fill="${plate}"/>${strokes.join('')}</svg>`;
  return readPixels(sharp(Buffer.from(svg)).removeAlpha());
}

const quadOf = (width: number, height: number, slant: number, taper: number): Quad => {
  const [x, y] = [(WIDTH - width) / 2, (HEIGHT - height - slant) / 2];
  return [
    { x, y },
    { x: x + width, y: y + slant },
    { x: x + width, y: y + slant + height * taper },
    { x, y: y + height },
  ];
};

it('covers all of a plate, straight or slanted, and less than its box where it is slanted', async () => {
  const shape = fc.record({
    width: fc.integer({ min: 120, max: 220 }),
    height: fc.integer({ min: 30, max: 60 }),
    slant: fc.integer({ min: 0, max: 40 }),
    taper: fc.double({ min: 0.85, max: 1, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(shape, async ({ width, height, slant, taper }) => {
      const quad = quadOf(width, height, slant, taper);
      const outline = findOutline(await draw(quad, '#445', '#eee'), boundsOf(quad));
      expect(outline).not.toBeNull();
      if (outline === null) return;
      for (const corner of quad) expect(isInside(corner, outline)).toBe(true);
      // A corner of the box that the slant leaves to the paint stays free.
      const { x, y, height: tall } = boundsOf(quad);
      if (slant >= 30) expect(isInside({ x: x + 2, y: y + tall - 2 }, outline)).toBe(false);
    }),
    // The hull of a low plate's cells ends half a cell inside it.
    { numRuns: 30, examples: [[{ width: 218, height: 31, slant: 10, taper: 0.85 }]] },
  );
});

it.each([
  ['on paint as light as the plate', '#eee', '#eee'],
  ['of a dark plate', '#ddd', '#222'],
])('gives none %s', async (_, paint, plate) => {
  const quad = quadOf(180, 40, 10, 1);
  expect(findOutline(await draw(quad, paint, plate), boundsOf(quad))).toBeNull();
});
