import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../../src/contract/review.ts';
import { makeScene, placeDrawn, presentPlacement } from '../../../../src/engine/review/place.ts';
import { partGrid } from '../../../helpers/photos/part-grid.ts';
import {
  BOX,
  CHK,
  ONE,
  parse,
  pricer,
  review,
  scenes,
  TWO,
} from '../../../helpers/results/reviewed-result.ts';

const STATED = { type: 'rust', severity: 'critical' };
const UNPLACED = { part: null, size_cm: null, severity: null, severity_score: null, estimated_repair: null };

describe('what is proposed for a drawn box', () => {
  const place = (box: typeof BOX, said = {}) => {
    const scene = scenes.get(0) ?? expect.fail();
    return presentPlacement(placeDrawn(scene, 0, box, said), said, pricer);
  };
  test('the part under it, with what else it could be', () => {
    const across = place({ x: 440, y: 150, width: 100, height: 90 });
    expect(across.part).toBe('front_door_left');
    expect(across.alternatives.map(({ part }) => part)).toEqual(['front_door_left', 'rear_door_left']);
    expect(across.size_cm).toBeGreaterThan(5);
    expect(across.estimated_repair?.max).toBeGreaterThan(0);
  });
  test.each([
    ['a long thin box is a scratch', { x: 320, y: 150, width: 160, height: 20 }, {}, { type: 'scratch' }],
    ['a compact one is a dent', BOX, {}, { type: 'dent' }],
    ['what is said stays', BOX, STATED, { ...STATED, severity_score: 7.5 }],
    ['off the vehicle there is no part and no price', { ...BOX, x: 1100, y: 20 }, {}, UNPLACED],
  ])('%s', (_, box, said, wanted) => {
    expect(place(box, said)).toMatchObject(wanted);
  });
});

const PANE = ['............', '...WWWW.....', '...WWWW.....', '..HHHHHH....', '..HHHHHH....', '............'];
const LAMP = ['............', '..HHHHHH....', '..LLHHHH....', '..LLHHHH....', '..BBBBBB....', '............'];
test.each([
  ['pane', PANE, { x: 350, y: 120, width: 200, height: 120 }, /^windshield$/],
  ['lamp', LAMP, { x: 220, y: 220, width: 150, height: 150 }, /^headlight/],
] as const)('a dent drawn on a %s is no damage of it, broken glass there is', (_, rows, box, part) => {
  const scene = makeScene(partGrid(...rows), { width: 1200, height: 600, angle: 'front' });
  expect(placeDrawn(scene, 0, box, { type: 'dent' }).observation).toBeNull();
  expect(placeDrawn(scene, 0, box, {}).observation).toMatchObject({
    part: expect.stringMatching(part),
    type: 'glass_damage',
  });
});

test('takes a box as large as the photo', () => {
  const box = { x: 0, y: 0, width: 1200, height: 600 };
  const entry = { decision: 'add', image_index: 0, type: 'dent', box };
  expect(parse([entry])).toEqual([entry]);
  expect(() => parse([{ ...entry, box: { ...box, height: 601 } }])).toThrow('[0].box');
});

const change = (more: object) => [{ decision: 'change', damage_id: ONE, ...more }];
const add = (more: object) => [{ decision: 'add', image_index: 0, box: BOX, ...more }];
const merge = (into: string) => ({ decision: 'merge' as const, damage_id: ONE, into });
const drawn = (x = BOX.x) => ({ image_index: 0, box: { ...BOX, x } });
const tick = { decision: 'nothing_more', image_index: 0 };
const moved = { decision: 'vehicle', image_index: 0, vehicle: 1 };

test.each([
  ['no list', {}, 'top level is an object; a list is needed'],
  ['an unknown damage', [{ damage_id: ONE.replace('door', 'dor'), decision: 'accept' }], ONE],
  ['an unknown decision', change({ decision: 'agree' }), '[0].decision'],
  ['a change of nothing', change({}), 'type, severity, part or box'],
  ['a change by no box', change({ boxes: [] }), '[0].boxes has 0 entries; a list of at least 1 entry'],
  ['an unknown part', change({ part: 'wing' }), '[0].part'],
  ['an unknown photo', [{ ...tick, image_index: 9 }], '[0].image_index is 9; a photo, 0 to 1, is needed.'],
  ['a box outside', add({ type: 'dent', box: { ...BOX, x: 1190 } }), 'inside the photo of 1200x600'],
  ['a box elsewhere', change({ image_index: 1, box: BOX }), '1; a photo of the finding, 0, is needed.'],
  ['a further box outside', change({ boxes: [drawn(1190)] }), '[0].boxes[0].box is {'],
  ['two boxes in a photo', change({ box: BOX, boxes: [drawn()] }), 'two boxes in photo 0'],
  ['a mechanical part', change({ part: 'engine' }), '"engine"; an exterior part is needed, not a mechanical'],
  ['a dent on a pane', change({ part: 'windshield' }), 'dent on windshield; scratch, crack, glass_damage'],
  ['rust on a lamp', add({ type: 'rust', part: 'headlight_left' }), '[0] is rust on headlight_left'],
  ['an addition without a type', add({}), '[0].type is missing. One of '],
  ['a merge with itself', [merge(ONE)], 'forms a cycle'],
  ['a merge into a rejected one', [merge(TWO), { decision: 'reject', damage_id: TWO }], 'which is rejected'],
  ['a merge into a place nobody accepted', [merge(CHK)], 'a decision that accepts'],
  ['a photo ticked twice', [tick, tick], 'photo 0, decided twice'],
  ['a photo moved twice', [moved, { ...moved, vehicle: 2 }], 'the vehicle of photo 0, decided twice'],
  ['one vehicle said twice', Array(2).fill({ decision: 'one_vehicle' }), 'is one_vehicle, decided twice'],
])('%s is refused', (_, json, words) => {
  expect(() => parse(json)).toThrow(words);
});

describe('decisions on findings', () => {
  const verdict = fc.constantFrom('accept', 'reject', 'change', undefined);
  const judge = (decision: 'accept' | 'reject' | 'change' | undefined, damage_id: string): Decision[] => {
    if (decision === undefined) return [];
    return decision === 'change' ? [{ decision, damage_id, severity: 'severe' }] : [{ decision, damage_id }];
  };
  const drawn = { decision: 'add', image_index: 0, type: 'scratch' } as const;
  const two = fc.option(verdict, { nil: 'merge' as const });
  const decisions = fc
    .record({ one: verdict, two, place: verdict, adds: fc.nat(3) })
    .map(({ one, two, place, adds }): Decision[] => [
      ...judge(one, ONE),
      ...(two !== 'merge' ? judge(two, TWO) : one === 'reject' ? [] : [{ ...merge(ONE), damage_id: TWO }]),
      ...judge(place, CHK),
      ...Array.from({ length: adds }, (_, i) => ({ ...drawn, box: { ...BOX, x: 120 + i * 200 } })),
    ]);

  test('leave ids and numbers unique and sums right, in whatever order they come', () => {
    fc.assert(
      fc.property(decisions, (list) => {
        const { data } = review(list);
        const damages = data.results?.damages ?? [];
        expect(new Set(damages.map((one) => one.damage_id)).size).toBe(damages.length);
        expect(new Set(damages.map((one) => one.number)).size).toBe(damages.length);
        expect(data.results?.damage_summary.total_damages).toBe(damages.length);
        const judgements = list.filter((one) => one.decision !== 'add');
        const others = list.filter((one) => one.decision === 'add');
        expect(review([...others, ...judgements.reverse()]).data).toEqual(data);
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});
