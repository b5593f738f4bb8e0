import { describe, expect, it } from 'vitest';
import type { Box } from '../../../src/domain/geometry.ts';
import { mergePasses } from '../../../src/vision/merge.ts';

const raster = { width: 1000, height: 500 };
const whole: Box = { x: 0, y: 0, ...raster };
const left: Box = { x: 0, y: 0, width: 600, height: 500 };
const right: Box = { x: 400, y: 0, width: 600, height: 500 };

/** A box given in raster pixels as the detector would give it, in parts of the region. */
function seen(
  region: Box,
  [x, y, width, height]: readonly [number, number, number, number],
  score: number,
  label = 0,
) {
  const box = {
    x: (x - region.x) / region.width,
    y: (y - region.y) / region.height,
    width: width / region.width,
    height: height / region.height,
  };
  return { region, boxes: [{ label, box, score }] };
}

describe('mergePasses', () => {
  it('puts boxes of every region into the raster, best first', () => {
    const merged = mergePasses(
      [seen(whole, [10, 10, 100, 100], 0.5), seen(right, [700, 100, 50, 50], 0.9)],
      raster,
      0.6,
    );
    expect(merged.map(({ score }) => score)).toEqual([0.9, 0.5]);
    expect(merged[0]?.box).toEqual({
      x: expect.closeTo(700),
      y: expect.closeTo(100),
      width: expect.closeTo(50),
      height: expect.closeTo(50),
    });
  });

  it('counts what both passes saw once', () => {
    const merged = mergePasses(
      [seen(whole, [700, 100, 100, 100], 0.5), seen(right, [705, 100, 100, 100], 0.9)],
      raster,
      0.6,
    );
    expect(merged).toHaveLength(1);
    expect(merged[0]?.score).toBe(0.9);
  });

  it('joins the two halves of a damage that the tiles cut', () => {
    const merged = mergePasses(
      [seen(left, [300, 100, 300, 100], 0.7), seen(right, [400, 110, 350, 90], 0.8)],
      raster,
      0.6,
    );
    expect(merged).toHaveLength(1);
    expect(merged[0]).toMatchObject({
      score: 0.8,
      box: {
        x: expect.closeTo(300),
        width: expect.closeTo(450),
        y: expect.closeTo(100),
        height: expect.closeTo(100),
      },
    });
  });

  it.each([
    ['another class', 1, 100],
    ['another height', 0, 300],
  ])('does not join pieces of %s', (_, label, y) => {
    const merged = mergePasses(
      [seen(left, [300, 100, 300, 100], 0.7), seen(right, [400, y, 350, 90], 0.8, label)],
      raster,
      0.6,
    );
    expect(merged).toHaveLength(2);
  });

  it('lets a cut piece give way to the whole box of its class, even a less certain one', () => {
    const merged = mergePasses(
      [seen(whole, [300, 100, 600, 100], 0.4), seen(left, [320, 100, 280, 100], 0.9)],
      raster,
      0.6,
    );
    expect(merged).toHaveLength(1);
    expect(merged[0]?.box.width).toBeCloseTo(600);
  });

  it('keeps a small box that is whole inside a larger one', () => {
    const merged = mergePasses(
      [seen(whole, [300, 100, 600, 300], 0.4), seen(left, [320, 150, 60, 60], 0.9)],
      raster,
      0.6,
    );
    expect(merged).toHaveLength(2);
  });

  it('does not take the edge of the photo for a cut', () => {
    const merged = mergePasses(
      [seen(whole, [0, 0, 600, 300], 0.4), seen(left, [0, 0, 60, 60], 0.9)],
      raster,
      0.6,
    );
    expect(merged).toHaveLength(2);
  });
});
