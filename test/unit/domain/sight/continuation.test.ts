import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PART_NAMES } from '../../../../src/domain/parts.ts';
import { findContinuations } from '../../../../src/domain/sight/continuation.ts';
import type { Cluster, Observation } from '../../../../src/domain/sight/merge.ts';

function seen(over: Partial<Observation>): Observation {
  return {
    photo: 0,
    label: 'scratch',
    isCertain: true,
    type: 'scratch',
    part: 'rear_door_right',
    box: { x: 100, y: 100, width: 100, height: 20 },
    confidence: 0.8,
    score: 0.6,
    severityScore: 3,
    position: null,
    longSideCm: 10,
    explain: [],
    ...over,
  };
}

const door = seen({});
/** The same line on the front door, from `x` on. */
const onwards = (over: Partial<Observation> = {}, x = 205) =>
  seen({ part: 'front_door_right', box: { x, y: 104, width: 150, height: 22 }, ...over });

const partsOf = (...finds: readonly (readonly [Observation, ...Observation[]])[]) => findContinuations(finds);

describe('a scratch over two panels', () => {
  test('names the other panel on each of the two', () => {
    expect(partsOf([door], [onwards()])).toEqual([['front_door_right'], ['rear_door_right']]);
  });

  test('is one where a box around all of it lies around a box of one piece', () => {
    const all = onwards({ box: { x: 98, y: 95, width: 250, height: 30 } });
    expect(partsOf([door], [all])).toEqual([['front_door_right'], ['rear_door_right']]);
  });

  test('goes on over a third', () => {
    const fender = seen({ part: 'front_fender_right', box: { x: 360, y: 100, width: 90, height: 20 } });
    expect(partsOf([door], [onwards()], [fender])[1]).toEqual(['rear_door_right', 'front_fender_right']);
  });

  test('is seen in any photo that both are in', () => {
    const elsewhere = onwards({ photo: 1 });
    expect(
      partsOf([door, seen({ photo: 1, box: { x: 0, y: 104, width: 200, height: 20 } })], [elsewhere]),
    ).toEqual([['front_door_right'], ['rear_door_right']]);
  });

  test.each([
    ['in two photos', onwards({ photo: 1 })],
    ['on one panel', onwards({ part: 'rear_door_right' })],
    ['on the other side', onwards({ part: 'front_door_left' })],
    ['on panels that do not meet', onwards({ part: 'front_fender_right' })],
    ['a dent and a scratch', onwards({ type: 'dent' })],
    ['of a wheel', onwards({ subtype: 'wheel_damage' })],
    ['with a wide gap between', onwards({}, 260)],
    ['at different heights', onwards({ box: { x: 205, y: 140, width: 150, height: 22 } })],
    ['at heights that share a fifth', onwards({ box: { x: 205, y: 116, width: 150, height: 22 } })],
    ['in parallel', onwards({ box: { x: 100, y: 110, width: 100, height: 20 } })],
    ['a spot next to a line', onwards({ box: { x: 205, y: 100, width: 20, height: 20 } })],
  ])('is none %s', (_, other) => {
    expect(partsOf([door], [other])).toEqual([[], []]);
  });
});

test('what goes on does so both ways, in any order, and never on its own panel', () => {
  const side = fc.integer({ min: 1, max: 300 });
  const find = fc.record({
    photo: fc.nat(1),
    part: fc.constantFrom(...PART_NAMES.filter((part) => /door|fender|quarter|bumper|hood|trunk/.test(part))),
    box: fc.record({ x: side, y: side, width: side, height: side }),
  });
  fc.assert(
    fc.property(fc.array(find, { maxLength: 8 }), (all) => {
      const clusters: Cluster[] = all.map((one) => [seen(one)]);
      const forth = findContinuations(clusters);
      const back = findContinuations(clusters.toReversed()).toReversed();
      forth.forEach((parts, i) => {
        const own = clusters[i]?.[0].part;
        expect(new Set(back[i])).toEqual(new Set(parts));
        expect(parts).not.toContain(own);
        for (const part of parts)
          expect(clusters.some(([one], j) => one.part === part && forth[j]?.includes(own ?? 'hood'))).toBe(
            true,
          );
      });
    }),
  );
});
