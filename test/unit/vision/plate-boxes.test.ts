import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMask } from '../../../src/vision/decode-mask.ts';
import { plateBoxes } from '../../../src/vision/plate-boxes.ts';
import { partGrid } from '../../helpers/part-grid.ts';

const PHOTO = { width: 1000, height: 500 };
const BUMPER = partGrid(...Array<string>(5).fill('BBBBBBBBBB'));

/** Plates in a mask drawn with digits, 10 to a row: 9 is certain. */
const find = (rows: readonly string[], parts = BUMPER) =>
  plateBoxes(
    { cells: Uint8Array.from(rows.join(''), (digit) => (Number(digit) / 9) * 255), columns: 10 },
    0.6,
    PHOTO,
    parts,
  );
const EMPTY = '0000000000';

describe('plateBoxes', () => {
  it('gives a box with a margin, in pixels of the photo', () => {
    const found = find([EMPTY, EMPTY, '0067960000', EMPTY, EMPTY]);
    expect(found).toEqual([{ box: { x: 150, y: 150, width: 500, height: 200 }, confidence: 1 }]);
  });

  it('reaches to both sides of a narrow find', () => {
    const found = find([EMPTY, EMPTY, '0000900000', EMPTY, EMPTY]);
    expect(found[0]?.box).toEqual({ x: 250, y: 150, width: 400, height: 200 });
  });

  it.each([
    ['nothing', [EMPTY, EMPTY], 0],
    ['too faint', ['0055500000', EMPTY], 0],
    ['two apart, the surer first', ['0070000090', EMPTY], 2],
    ['two that touch at a corner', ['0090000000', '0009000000'], 1],
    ['a faint rim counts to its plate', ['0049400000', EMPTY], 1],
    ['a speck beside a plate', ['0999000090', '0999000000'], 1],
  ])('%s', (_name, rows, count) => {
    const found = find(rows);
    expect(found).toHaveLength(count);
    expect(found.map(({ confidence }) => confidence)).toEqual(
      found.map(({ confidence }) => confidence).toSorted((a, b) => b - a),
    );
  });

  it.each([
    ['front bumper', 'B', 1],
    ['rear bumper', 'R', 1],
    ['tailgate', 'T', 1],
    ['window', 'w', 0],
    ['door', 'D', 0],
    ['taillight', 'a', 0],
    ['no vehicle', '.', 0],
  ])('looks on bumpers and tailgate only: %s', (_name, letter, count) => {
    const parts = partGrid(...Array<string>(2).fill(letter.repeat(10)));
    expect(find(['0099900000', EMPTY], parts)).toHaveLength(count);
  });

  it('covers every certain cell of what it keeps and stays inside the photo', () => {
    const grid = fc.uint8Array({ minLength: 50, maxLength: 50 });
    fc.assert(
      fc.property(grid, (cells) => {
        for (const { box, confidence } of plateBoxes({ cells, columns: 10 }, 0.6, PHOTO, BUMPER)) {
          expect(confidence).toBeGreaterThanOrEqual(0.6);
          expect(box.x).toBeGreaterThanOrEqual(0);
          expect(box.y).toBeGreaterThanOrEqual(0);
          expect(box.x + box.width).toBeLessThanOrEqual(PHOTO.width);
          expect(box.y + box.height).toBeLessThanOrEqual(PHOTO.height);
          expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(100);
        }
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
