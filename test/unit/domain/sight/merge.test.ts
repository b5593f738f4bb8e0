import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Box } from '../../../../src/domain/geometry.ts';
import { mergeAcrossPhotos } from '../../../../src/domain/sight/merge-across-photos.ts';
import { refineBoxes, suppressDuplicates } from '../../../../src/domain/sight/merge-in-photo.ts';
import type { Observation } from '../../../../src/domain/sight/observation.ts';
import { DENT } from '../../../helpers/results/observed-dent.ts';

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

const seen = (over: Partial<Observation>): Observation => ({ ...DENT, ...over });

describe('the box that is shown', () => {
  const loose = seen({ box: box(100, 100, 200, 100), confidence: 0.9, score: 0.2 });
  const tight = { box: box(140, 110, 110, 80), confidence: 0.6, isCertain: false, longSideCm: 5 };

  test('is the one that fits best, with its size; how sure the find is stays', () => {
    const best = seen({ ...tight, score: 0.7 });
    expect(refineBoxes([loose, best])).toEqual([{ ...best, isCertain: true, confidence: 0.9 }]);
  });

  test.each([
    ['does not fit twice as well', { score: 0.55 }],
    ['is of another kind', { label: 'scratch', score: 0.9 }],
    ['lies elsewhere', { box: box(500, 100, 110, 80), score: 0.9 }],
  ] as const)('stays where the other %s', (_, over) => {
    expect(refineBoxes([loose, seen({ ...tight, ...over })])).toContain(loose);
  });
});

describe('over photos', () => {
  test('one place on one part is one damage with two pieces of evidence, the surer one first', () => {
    const surer = seen({ photo: 1, confidence: 0.9, position: { x: 0.6, y: 0.45 } });
    expect(mergeAcrossPhotos([seen({}), surer])).toEqual([[surer, seen({})]]);
  });

  test.each([
    ['left and right', { part: 'front_door_right' }],
    ['a dent and a scratch', { type: 'scratch' }],
    ['opposite ends of the door', { position: { x: 0.05, y: 0.5 } }],
    ['sizes that differ ten times', { longSideCm: 100 }],
    ['a mirror and its door', { subtype: 'mirror_damage' }],
  ] as const)('%s stay two', (_, over) => {
    expect(mergeAcrossPhotos([seen({}), seen({ photo: 1, ...over })])).toHaveLength(2);
  });

  test('a grazing view, which shows a sixth of the length, joins the straight one', () => {
    expect(mergeAcrossPhotos([seen({}), seen({ photo: 1, longSideCm: 59 })])).toHaveLength(1);
    expect(mergeAcrossPhotos([seen({}), seen({ photo: 1, longSideCm: 61 })])).toHaveLength(2);
  });

  test('two dents of one photo never become one through a second photo', () => {
    const [left, right] = [0.4, 0.6].map((x) => seen({ position: { x, y: 0.5 } }));
    const clusters = mergeAcrossPhotos([left, right, seen({ photo: 1 })] as Observation[]);
    expect(clusters.map((cluster) => cluster.map((one) => one.photo))).toEqual([[0, 1], [0]]);
  });

  test('a close-up joins the nearest match it can have', () => {
    expect(mergeAcrossPhotos([seen({}), seen({ photo: 3, position: null, longSideCm: 12 })])).toHaveLength(1);
  });

  test('nothing is lost, nothing is doubled, one per photo', () => {
    const any = fc.record({
      photo: fc.nat(4),
      type: fc.constantFrom<'dent' | 'scratch'>('dent', 'scratch'),
      part: fc.constantFrom<'hood' | 'front_door_left'>('hood', 'front_door_left'),
      position: fc.double({ min: 0, max: 1, noNaN: true }).map((x) => ({ x, y: 0.5 })),
      longSideCm: fc.double({ min: 1, max: 60, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 25 }), (rows) => {
        const all = rows.map(seen);
        const clusters = mergeAcrossPhotos(all);
        expect(clusters.flat()).toHaveLength(all.length);
        for (const cluster of clusters) {
          expect(new Set(cluster.map((one) => one.photo)).size).toBe(cluster.length);
          expect(new Set(cluster.map((one) => `${one.part} ${one.type}`)).size).toBe(1);
        }
      }),
    );
  });
});

describe('within a photo', () => {
  test('of two boxes of one thing the one that fits better is kept, if it is not much less likely', () => {
    const loose = seen({ confidence: 0.8, score: 0.4 });
    const tight = seen({ confidence: 0.7, score: 0.5, box: box(110, 110, 85, 85) });
    expect(suppressDuplicates([loose, tight])).toEqual([tight]);
    expect(suppressDuplicates([loose, { ...tight, isCertain: false }])).toEqual([loose]);
    expect(suppressDuplicates([loose, { ...tight, confidence: 0.6 }])).toEqual([loose]);
  });

  test('a crushed panel swallows the large scratch on it, not a small one, nor the one next to it', () => {
    const panel = seen({ type: 'panel_damage', box: box(0, 0, 400, 400) });
    const on = seen({ type: 'scratch', box: box(50, 50, 300, 140) });
    const small = seen({ type: 'scratch', box: box(50, 200, 300, 130) });
    const outside = seen({ type: 'scratch', box: box(500, 50, 300, 140) });
    expect(suppressDuplicates([on, panel, small, outside])).toEqual([panel, small, outside]);
  });

  const UNSURE = { isCertain: false };
  const AROUND = box(80, 80, 200, 140);
  test.each([
    ['to check inside a certain one', {}, { isCertain: false, type: 'scratch', confidence: 0.5 }, 1],
    ['to check around a certain one', {}, { isCertain: false, confidence: 0.5, box: AROUND }, 1],
    ['to check around one to check', UNSURE, { ...UNSURE, confidence: 0.5, box: AROUND }, 1],
    ['of another part', {}, { isCertain: false, part: 'rear_door_left' }, 2],
    ['both certain', {}, { type: 'scratch', confidence: 0.7 }, 2],
  ] as const)('one place, the other %s', (_, first, second, kept) => {
    const inside = box(110, 110, 60, 60);
    const found = suppressDuplicates([seen(first), seen({ type: 'scratch', box: inside, ...second })]);
    expect(found).toHaveLength(kept);
    expect(found[0]).toEqual(seen(first));
  });

  test('what a panel swallowed comes back where the panel itself gives way to a surer one elsewhere', () => {
    const panel = { type: 'panel_damage', box: box(0, 0, 900, 400), confidence: 0.7 } as const;
    const surer = seen({ ...panel, box: box(0, 100, 300, 300), confidence: 0.9 });
    const near = { type: 'scratch', box: box(0, 150, 300, 300), confidence: 0.8 } as const;
    const far = seen({ ...near, box: box(600, 50, 300, 310) });
    expect(suppressDuplicates([seen(panel), surer, seen(near), far])).toEqual([surer, far]);
  });

  test.each([
    ['scratch', 3.9, 1],
    ['scratch', 4.1, 2],
    ['dent', 4.1, 1],
  ] as const)('a %s to check %s times as large as the dent inside it: %i', (type, times, kept) => {
    const around = { x: 90, y: 90, width: 200, height: 50 * times };
    const possible = seen({ type, ...UNSURE, confidence: 0.5, box: around });
    const found = suppressDuplicates([seen({}), possible]);
    expect(found).toHaveLength(kept);
  });

  const LOOSE = box(90, 90, 400, 300);
  test.each([
    ['of another part, so large that it says no more', { part: 'rear_door_left', box: LOOSE }, 1],
    ['of another kind', { type: 'scratch', part: 'rear_door_left', box: LOOSE }, 2],
    ['not as large', { part: 'rear_door_left', box: { ...LOOSE, width: 300 } }, 2],
    ['next to it for the most part', { part: 'rear_door_left', box: { ...LOOSE, x: 150 } }, 2],
    ['surer', { part: 'rear_door_left', box: LOOSE, confidence: 0.9 }, 2],
  ] as const)('a loose box around a find, %s', (_, around, kept) => {
    const found = suppressDuplicates([seen({ confidence: 0.8 }), seen({ confidence: 0.7, ...around })]);
    expect(found).toHaveLength(kept);
  });

  test('no place to check takes a certain damage away, in whatever order they come', () => {
    const side = fc.integer({ min: 10, max: 120 });
    const any = fc.record({
      isCertain: fc.boolean(),
      type: fc.constantFrom<'dent' | 'scratch' | 'panel_damage'>('dent', 'scratch', 'panel_damage'),
      box: fc.record({ x: side, y: side, width: side, height: side }),
      confidence: fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (rows) => {
        const all = rows.map((row) => seen(row));
        const certain = (list: readonly Observation[]) => list.filter((one) => one.isCertain);
        expect(certain(suppressDuplicates(all))).toEqual(suppressDuplicates(certain(all)));
      }),
    );
  });

  test.each([
    ['a crushed fender reaches the hood: one shape', 'panel_damage', box(140, 110, 60, 60), 1],
    ['one next to it on the hood', 'panel_damage', box(180, 110, 60, 60), 2],
    ['a scratch inside another one, on two parts', 'scratch', box(140, 110, 60, 60), 2],
  ] as const)('%s', (_, type, at, count) => {
    const fender = seen({ type, part: 'front_fender_right', confidence: 0.9 });
    const hood = seen({ type, part: 'hood', box: at });
    expect(suppressDuplicates([hood, fender])).toHaveLength(count);
  });
});
