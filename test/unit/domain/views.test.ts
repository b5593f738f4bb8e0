import { describe, expect, test } from 'vitest';
import type { Box } from '../../../src/domain/geometry.ts';
import { checkVehicle, isVehicleUncertain } from '../../../src/domain/sight/check-vehicle.ts';
import type { SegmentLabel } from '../../../src/domain/sight/detection.ts';
import {
  clipToPart,
  computeScaleAt,
  computeSize,
  estimateScale,
  isCredible,
} from '../../../src/domain/sight/measure.ts';
import { measurePartMap } from '../../../src/domain/sight/part-map.ts';
import { createScene } from '../../../src/domain/sight/photo-scene.ts';
import { chooseViewAngle } from '../../../src/domain/sight/view-angle.ts';
import { listMissingViews, showsSameArea } from '../../../src/domain/sight/walk-around.ts';
import { partGrid } from '../../helpers/photos/part-grid.ts';

describe('the view of a photo from its parts', () => {
  test.each([
    ['front', ['.WWWW.', 'HHHHHH', 'lBBBBL']],
    ['rear', ['.wwww.', 'TTTTTT', 'ARRRRa']],
    ['left_side', ['..DDEE..', 'FFDDEEQQ', 'FODDEEOQ']],
    ['right_side', ['..eedd..', 'qqeeddff', 'qOeeddOf']],
    ['front_left', ['WWWDDE', 'HHFDDE', 'BBFDDE']],
  ] as const)('%s', (angle, rows) => {
    expect(chooseViewAngle(measurePartMap(partGrid(...rows)).mass)).toBe(angle);
  });

  test('too little vehicle shows no angle', () => {
    expect(chooseViewAngle(measurePartMap(partGrid('..............', '......D.......')).mass)).toBeNull();
  });
});

test.each([
  ['rear_left', 'rear', true],
  ['rear_left', 'left_side', true],
  ['rear_left', 'rear_right', false],
  ['front_right', 'front', true],
  ['top', 'top', true],
  ['top', 'front', false],
] as const)('%s shows of what %s showed: %s', (angle, other, same) => {
  expect(showsSameArea(angle, other)).toBe(same);
  expect(showsSameArea(other, angle)).toBe(same);
});

describe('is there a vehicle', () => {
  const measure = (map: ReturnType<typeof partGrid>, certainty: number) =>
    measurePartMap({ ...map, certainty: map.certainty.map(() => Math.round(certainty * 255)) });
  const CAR = partGrid('.WWDDE..', 'HHFDDEQ.', 'BBFDDEQ.');
  const WALL = partGrid('RRRRRRRR', 'RRRRRRRR');

  const CORNER = partGrid('............', '.......DEQ..', '............');
  const YARD = partGrid('........', '........');
  test.each([
    ['a car', CAR, 0.9, true, false],
    ['a car seen less surely', CAR, 0.7, true, true],
    ['a car seen dimly', CAR, 0.3, true, true],
    ['noise in many parts', CAR, 0.2, false, true],
    ['a wall read as one unsure part', WALL, 0.64, false, true],
    ['a close-up of one sure part', WALL, 0.9, true, true],
    ['parts in a corner of the picture', CORNER, 0.9, true, true],
    ['an empty yard', YARD, 0.9, false, true],
  ] as const)('%s: seen, and uncertain', (_, map, certainty, seen, uncertain) => {
    const measured = measure(map, certainty);
    expect([checkVehicle(measured).passed, isVehicleUncertain(measured)]).toEqual([seen, uncertain]);
  });

  test('the models for it decide, but not against a picture without parts', () => {
    const t = (map: typeof CAR, score: number) => checkVehicle(measurePartMap(map), { score, limit: 0.2 });
    expect(t(WALL, 0.6)).toEqual({ passed: true, value: 0.6, limit: 0.2 });
    expect(checkVehicle(measure(WALL, 0.4), { score: 0.21, limit: 0.2 }).passed).toBe(false);
    expect(checkVehicle(measurePartMap(WALL), { score: 0.21, limit: 0.2 }).passed).toBe(true);
    expect(t(WALL, 0.1)).toEqual({ passed: false, value: 0.1, limit: 0.2 });
    expect(t(YARD, 0.6).passed).toBe(false);
  });
});

test('the views nobody photographed', () => {
  expect(listMissingViews(['front_left', 'right_side', null, 'interior'])).toEqual(['rear']);
  expect(listMissingViews([])).toEqual(['front', 'rear', 'left', 'right']);
  expect(listMissingViews(['front_left', 'rear_right'])).toEqual([]);
});

describe('scale', () => {
  const size = { width: 1200, height: 600 };
  const cutPart = (label: SegmentLabel, box: Box) => ({
    label,
    box,
    share: 0.3,
    isTruncated: true,
    isTruncatedBothWays: false,
  });
  test('is the middle of what the whole parts of known size say', () => {
    const map = partGrid('........', '.FDDD...', '.FDDD...', '........', '........', '........');
    const seen = createScene(map, size, null).visibleParts;
    // Two of six rows are 200 pixels: 104 cm by the door, 73 cm by the fender; the door weighs more.
    const scale = estimateScale(seen);
    expect(scale).toMatchObject({ reference: 'front_door_left', relativeError: 0.38 });
    expect(scale?.cmPerPixel).toBeCloseTo(0.52);
    const box = { x: 0, y: 0, width: 100, height: 20 };
    expect(scale && computeSize(box, scale)).toEqual({ longSideCm: 52, shortSideCm: 10.4 });
  });

  test('is not believed where a door would be two meters long', () => {
    const of = (pixels: number) => cutPart('front_door_left', { x: 0, y: 0, width: pixels, height: 100 });
    const scale = { cmPerPixel: 0.5, reference: 'hood', relativeError: 0.3 } as const;
    expect([isCredible(scale, of(280)), isCredible(scale, of(400))]).toEqual([true, false]);
  });

  test.each([
    ['one part alone', partGrid('........', '.DDD....', '.DDD....', '........')],
    ['parts that run out of the picture', partGrid('DDDDEEEE', 'DDDDEEEE')],
  ])('is not known from %s', (_, map) => {
    expect(estimateScale(createScene(map, size, null).visibleParts)).toBeNull();
  });

  test('is not known where all parts run out both ways, though their trimmed boxes end within the picture', () => {
    // 120 rows and columns of one part in a corner: the outermost 2 % are trimmed, and the box no longer meets the edge.
    const corner = (letter: string) =>
      createScene(
        partGrid(...Array(120).fill(letter.repeat(120).padEnd(130, '.')), ...Array(10).fill('.'.repeat(130))),
        size,
        null,
      ).visibleParts;
    const seen = [...corner('D'), ...corner('F')];
    expect(seen.map(({ isTruncated, isTruncatedBothWays }) => [isTruncated, isTruncatedBothWays])).toEqual(
      Array(2).fill([false, true]),
    );
    expect(estimateScale(seen)).toBeNull();
    expect(estimateScale(seen.map((part, i) => ({ ...part, isTruncatedBothWays: i > 0 })))).not.toBeNull();
  });

  test.each([
    ['rear_bumper', { longSideCm: 220, shortSideCm: 90 }],
    ['rear_door_left', { longSideCm: 150, shortSideCm: 150 }],
    ['background', { longSideCm: 300, shortSideCm: 200 }],
  ] as const)('a damage is no larger than any %s is', (label, expected) => {
    const plain = { cmPerPixel: 1, reference: 'hood', relativeError: 0.3 } as const;
    const scale = computeScaleAt(plain, label, undefined, size);
    expect(computeSize({ x: 0, y: 0, width: 300, height: 200 }, scale)).toEqual(expected);
  });

  test('a damage is no larger than the visible part', () => {
    const hood = cutPart('hood', { x: 100, y: 100, width: 300, height: 100 });
    const across = { x: 50, y: 150, width: 400, height: 20 };
    expect(clipToPart(across, hood)).toEqual({ ...across, x: 100, width: 300 });
    const apart = { ...across, x: 700 };
    expect(clipToPart(apart, hood)).toEqual(apart);
  });
});
