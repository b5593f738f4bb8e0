import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMask } from '../../../src/vision/decode-mask.ts';
import { plateBoxes } from '../../../src/vision/plate-boxes.ts';

/** A mask of 10 x 5 cells from rows of digits: 9 is certain. */
const mask = (...rows: string[]) => Uint8Array.from(rows.join(''), (digit) => (Number(digit) / 9) * 255);
const PHOTO = { width: 1000, height: 500 };

describe('plateBoxes', () => {
  it('gives a box with a margin, in pixels of the photo', () => {
    const found = plateBoxes(
      mask('0000000000', '0000000000', '0067960000', '0000000000', '0000000000'),
      10,
      0.6,
      PHOTO,
    );
    expect(found).toEqual([{ box: { x: 165, y: 165, width: 470, height: 170 }, confidence: 1 }]);
  });

  it.each([
    ['nothing', ['0000000000', '0000000000'], 0],
    ['too faint', ['0055500000', '0000000000'], 0],
    ['two apart, the surer first', ['0070000090', '0000000000'], 2],
    ['two that touch at a corner', ['0090000000', '0009000000'], 1],
    ['a faint rim counts to its plate', ['0049400000', '0000000000'], 1],
  ])('%s', (_name, rows, count) => {
    const found = plateBoxes(mask(...rows), 10, 0.6, PHOTO);
    expect(found).toHaveLength(count);
    expect(found.map(({ confidence }) => confidence)).toEqual(
      found.map(({ confidence }) => confidence).toSorted((a, b) => b - a),
    );
  });

  it('covers every certain cell and stays inside the photo', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 50, maxLength: 50 }), (cells) => {
        const found = plateBoxes(cells, 10, 0.6, PHOTO);
        for (const { box } of found) {
          expect(box.x).toBeGreaterThanOrEqual(0);
          expect(box.y + box.height).toBeLessThanOrEqual(PHOTO.height);
        }
        cells.forEach((value, at) => {
          if (value < 0.6 * 255) return;
          const [x, y] = [(at % 10) * 100 + 50, Math.floor(at / 10) * 100 + 50];
          expect(
            found.some(
              ({ box }) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height,
            ),
          ).toBe(true);
        });
      }),
    );
  });
});

describe('decodeMask', () => {
  it.each([
    [0, 128],
    [20, 255],
    [-20, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 255],
  ])('logit %d is %i of 255', (logit, value) => {
    expect(decodeMask(Float32Array.of(logit))).toEqual(Uint8Array.of(value));
  });
});
