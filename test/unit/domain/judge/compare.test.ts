import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Angle, DAMAGE_TYPES } from '../../../../src/domain/damage.ts';
import {
  CHANGES,
  type ComparedDamage,
  compareDamages,
  dropFalseChanges,
  type InspectionFacts,
} from '../../../../src/domain/judge/compare.ts';
import { toSeverity } from '../../../../src/domain/judge/severity.ts';

const everywhere = { seenAfter: () => true, seenBefore: () => true };
const place = (x: number, y: number, angle: Angle | null = 'left_side', photo = 'p') => ({
  angle,
  photo,
  box: { x, y, width: 0.1, height: 0.08 },
});

function damage(id: string, more: Partial<ComparedDamage> = {}): ComparedDamage {
  return {
    id,
    part: 'front_door_left',
    type: 'scratch',
    severity: 'minor',
    score: 1.5,
    places: [place(0.4, 0.5)],
    ...more,
  };
}

const changesOf = (before: ComparedDamage[], after: ComparedDamage[], visibility = everywhere) =>
  compareDamages(before, after, visibility).map((pair) => [
    pair.change,
    pair.before?.id ?? null,
    pair.after?.id ?? null,
  ]);

describe('compareDamages', () => {
  it.each([
    [
      'the same scratch, photographed from a little aside',
      [damage('a')],
      [damage('b', { places: [place(0.46, 0.53)] })],
      [['unchanged', 'a', 'b']],
    ],
    [
      'a scratch and a new dent on one door',
      [damage('a')],
      [damage('b'), damage('c', { type: 'dent' })],
      [
        ['new', null, 'c'],
        ['unchanged', 'a', 'b'],
      ],
    ],
    [
      'a scratch that went up a tier',
      [damage('a')],
      [damage('b', { severity: 'moderate', score: 3.4 })],
      [['worse', 'a', 'b']],
    ],
    [
      'a tier crossed by a hair',
      [damage('a', { score: 2.4 })],
      [damage('b', { severity: 'moderate', score: 2.6 })],
      [['unchanged', 'a', 'b']],
    ],
    [
      'a scratch that grew by more than both uncertainties',
      [damage('a', { sizeCm: 20, uncertaintyCm: 3 })],
      [damage('b', { sizeCm: 31, uncertaintyCm: 3 })],
      [['worse', 'a', 'b']],
    ],
    [
      'a size that differs within the uncertainty',
      [damage('a', { sizeCm: 20, uncertaintyCm: 6 })],
      [damage('b', { sizeCm: 27, uncertaintyCm: 6 })],
      [['unchanged', 'a', 'b']],
    ],
    [
      'the other side of the car',
      [damage('a')],
      [damage('b', { part: 'front_door_right' })],
      [
        ['new', null, 'b'],
        ['repaired', 'a', null],
      ],
    ],
    [
      'the same part, another kind',
      [damage('a')],
      [damage('b', { type: 'dent' })],
      [
        ['new', null, 'b'],
        ['repaired', 'a', null],
      ],
    ],
    [
      'a scratch seen as chipped paint in other light',
      [damage('a')],
      [damage('b', { type: 'paint_damage' })],
      [['unchanged', 'a', 'b']],
    ],
    [
      'two scratches far apart on a door in one view',
      [damage('a', { places: [place(0.05, 0.1)] })],
      [damage('b', { places: [place(0.8, 0.8)] })],
      [
        ['new', null, 'b'],
        ['repaired', 'a', null],
      ],
    ],
    [
      'no common view: part and kind decide',
      [damage('a', { places: [place(0.1, 0.1, null)] })],
      [damage('b', { places: [place(0.8, 0.8)] })],
      [['unchanged', 'a', 'b']],
    ],
    ['nothing at all', [], [], []],
  ] as const)('%s', (_, before, after, expected) => {
    expect(changesOf([...before], [...after])).toEqual(expected);
  });

  it('calls nothing repaired on a part nobody photographed again', () => {
    const unseen = { ...everywhere, seenAfter: () => false };
    expect(changesOf([damage('a')], [], unseen)).toEqual([['not_comparable', 'a', null]]);
  });

  it('calls nothing new on a part nobody photographed before', () => {
    const unseen = { ...everywhere, seenBefore: () => false };
    const pairs = compareDamages([], [damage('a')], unseen);
    expect(pairs).toMatchObject([
      { change: 'not_comparable', before: null, after: { id: 'a' }, reasons: ['part_not_seen_before'] },
    ]);
    // What was there before is the same damage, wherever it was seen from.
    expect(changesOf([damage('a')], [damage('b')], unseen)).toEqual([['unchanged', 'a', 'b']]);
  });

  it('gives each of two neighbours its own partner', () => {
    const before = [damage('a', { places: [place(0.3, 0.5)] }), damage('b', { places: [place(0.5, 0.5)] })];
    const after = [damage('x', { places: [place(0.52, 0.5)] }), damage('y', { places: [place(0.31, 0.5)] })];
    expect(changesOf(before, after).sort()).toEqual([
      ['unchanged', 'a', 'y'],
      ['unchanged', 'b', 'x'],
    ]);
  });
});

const arbitrary = fc.record({
  part: fc.constantFrom('hood' as const, 'roof' as const, 'front_door_left' as const),
  type: fc.constantFrom(...DAMAGE_TYPES),
  score: fc.double({ min: 0, max: 10, noNaN: true }),
  x: fc.double({ min: 0, max: 0.9, noNaN: true }),
  y: fc.double({ min: 0, max: 0.9, noNaN: true }),
  angle: fc.constantFrom('front', 'left_side', null),
});
const damages = (prefix: string) =>
  fc.array(arbitrary, { maxLength: 12 }).map((all) =>
    all.map(
      ({ x, y, angle, score, ...one }, index): ComparedDamage => ({
        ...one,
        id: `${prefix}${index}`,
        score,
        severity: toSeverity(score),
        places: [place(x, y, angle)],
      }),
    ),
  );

describe('dropFalseChanges', () => {
  const nothing: InspectionFacts<ComparedDamage> = { photos: new Set(), toCheck: [] };
  const found = damage('d', { places: [place(0.4, 0.5, 'left_side', 'one'), place(0.4, 0.5, null, 'two')] });
  const worse = damage('d', { ...found, severity: 'severe', score: 7 });
  const elsewhere = damage('c', { part: 'hood' });
  it.each<[string, ComparedDamage[], ComparedDamage[], Partial<Record<'before' | 'after', object>>, string]>([
    ['a damage on new photos', [], [found], {}, 'new'],
    [
      'all its photos were there before',
      [],
      [found],
      { before: { photos: ['one', 'two'] } },
      'photos_in_both',
    ],
    ['one of its photos was there before', [], [found], { before: { photos: ['one'] } }, 'new'],
    ['it was listed to check before', [], [found], { before: { toCheck: [found] } }, 'to_check_before'],
    ['another place was to check before', [], [found], { before: { toCheck: [elsewhere] } }, 'new'],
    [
      'more severe on the same photos',
      [found],
      [worse],
      { before: { photos: ['one', 'two'] } },
      'photos_in_both',
    ],
    ['more severe on other photos', [found], [worse], {}, 'worse'],
    ['gone', [found], [], {}, 'repaired'],
    ['gone from photos that are there', [found], [], { after: { photos: ['one', 'two'] } }, 'photos_in_both'],
    ['listed to check now', [found], [], { after: { toCheck: [found] } }, 'to_check_after'],
  ])('%s', (_, before, after, { before: earlier, after: later }, wanted) => {
    const facts = (more: { photos?: string[] } = {}) => ({
      ...nothing,
      ...more,
      photos: new Set(more.photos),
    });
    const pairs = dropFalseChanges(compareDamages(before, after, everywhere), [], {
      before: facts(earlier),
      after: facts(later),
    });
    const [pair] = pairs;
    expect(pairs).toHaveLength(1);
    if (pair?.change === 'not_comparable') expect(pair.reasons).toEqual([wanted]);
    else expect(pair?.change).toBe(wanted);
  });
});

describe('laws of comparing', () => {
  it('every damage is in exactly one pair', () => {
    fc.assert(
      fc.property(damages('a'), damages('b'), (before, after) => {
        const pairs = compareDamages(before, after, everywhere);
        expect(pairs.flatMap((pair) => (pair.before ? [pair.before.id] : [])).sort()).toEqual(
          before.map((one) => one.id).sort(),
        );
        expect(pairs.flatMap((pair) => (pair.after ? [pair.after.id] : [])).sort()).toEqual(
          after.map((one) => one.id).sort(),
        );
        for (const pair of pairs) expect(CHANGES).toContain(pair.change);
      }),
    );
  });

  it('a vehicle compared with itself is unchanged', () => {
    fc.assert(
      fc.property(damages('a'), (all) => {
        expect(
          compareDamages(
            all,
            all.map((one) => ({ ...one })),
            everywhere,
          ).every((pair) => pair.change === 'unchanged'),
        ).toBe(true);
      }),
    );
  });

  it('the order of the damages does not matter', () => {
    fc.assert(
      fc.property(damages('a'), damages('b'), (before, after) => {
        const pairsOf = (one: ComparedDamage[], other: ComparedDamage[]) =>
          compareDamages(one, other, everywhere).map((pair) => [
            pair.change,
            pair.before?.id,
            pair.after?.id,
          ]);
        expect(pairsOf(before.toReversed(), after.toReversed())).toEqual(pairsOf(before, after));
      }),
    );
  });
});
