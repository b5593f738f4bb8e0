import fc from 'fast-check';
import { expect, it } from 'vitest';
import { intersectAll, measureJointArea } from '../../../../models/evaluate/box-areas.ts';

const side = fc.integer({ min: 0, max: 9 });
const boxes = fc.array(fc.record({ x: side, y: side, width: side, height: side }), { maxLength: 6 });
type Boxes = typeof boxes extends fc.Arbitrary<infer List> ? List : never;

/** Unit squares that lie in a box of the list. */
const squares = (list: Boxes): ReadonlySet<number> =>
  new Set(
    Array.from({ length: 400 }, (_, at) => at).filter((at) => {
      const [x, y] = [at % 20, Math.floor(at / 20)];
      return list.some((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
    }),
  );

it('the joint area of boxes counts every square once', () => {
  fc.assert(fc.property(boxes, (list) => void expect(measureJointArea(list)).toBe(squares(list).size)));
});

it('the intersection is what both lists cover', () => {
  fc.assert(
    fc.property(boxes, boxes, (a, b) => {
      const [inA, inB] = [squares(a), squares(b)];
      const inBoth = [...inA].filter((square) => inB.has(square)).length;
      expect(measureJointArea(intersectAll(a, b))).toBe(inBoth);
    }),
  );
});
