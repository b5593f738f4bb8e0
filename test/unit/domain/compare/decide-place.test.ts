import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gradeSamePlaces } from '../../../../src/domain/compare/changes.ts';
import {
  type Counterpart,
  decidePlace,
  type PlaceRule,
  type SearchOutcome,
} from '../../../../src/domain/compare/decide-place.ts';

/** A counterpart in which the damage of the other visit is plainly absent. */
const ABSENT: Counterpart = {
  boxIndex: 0,
  isCertainBox: true,
  inliers: 80,
  overall: 0.6,
  worstSpot: -0.2,
  surroundings: 0.95,
  colorChange: 0.4,
  ownScore: 0.9,
  otherScore: 0.2,
  scale: 1,
  insideShare: 1,
  isAtBorder: false,
  isFlawed: false,
};
const SAME: Partial<Counterpart> = { overall: 0.99, worstSpot: 0.8, colorChange: 0, otherScore: 0.9 };
/** Another box of the finding, whose damage is absent. */
const OTHER_BOX: Partial<Counterpart> = { boxIndex: 1 };
/** The picture differs, and the classifier sees damage in both crops. */
const DIFFERENT: Partial<Counterpart> = { otherScore: 0.9 };
const NONE: SearchOutcome = {
  hasSamePhoto: false,
  counterparts: [],
  isPartSeen: true,
  isOwnPhotoUnreadable: false,
};
const see = (...counterparts: Partial<Counterpart>[]): SearchOutcome => ({
  ...NONE,
  counterparts: counterparts.map((one) => ({ ...ABSENT, ...one })),
});

/** The evidence that each rule decides. */
const CASES = {
  same_photo: [[{ ...see({}), hasSamePhoto: true }], [see({}), { ...see({}), hasSamePhoto: true }]],
  partly_absent: [
    [see(SAME, OTHER_BOX)],
    [see({ ...SAME, isCertainBox: false }, OTHER_BOX)],
    [see(SAME), see(SAME, OTHER_BOX)],
    [NONE, see(SAME, OTHER_BOX)],
  ],
  same_picture: [
    [see(SAME)],
    [see(SAME), see(SAME)],
    [see({}, SAME)],
    [see(SAME), NONE],
    [see(SAME, { ...OTHER_BOX, isCertainBox: false })],
    [see(SAME, OTHER_BOX, { ...OTHER_BOX, ...SAME })],
    [see(SAME, { ...OTHER_BOX, isFlawed: true })],
    [see({ ...SAME, isCertainBox: false })],
    [see({ ...SAME, colorChange: 0.019 })],
  ],
  different: [
    [see(DIFFERENT), see(DIFFERENT)],
    [see(DIFFERENT), see(SAME)],
    [NONE, see(DIFFERENT)],
  ],
  not_there: [
    [see({})],
    [see({ otherScore: 0.5 })],
    [see({ inliers: 11 })],
    [see({ surroundings: 0.3 })],
    [see({}, { inliers: 20, ...SAME, worstSpot: 0.3 })],
  ],
  unclear: [
    [see(DIFFERENT)],
    [see({ surroundings: 0.3, colorChange: 0.05 })],
    [see({ scale: 0.4 })],
    [see({ insideShare: 0.9 })],
    [see({ isAtBorder: true })],
    [see({ isFlawed: true })],
    [see({ surroundings: 0.8, otherScore: 0.4 })],
    [see({ ownScore: null, otherScore: null })],
    [see({}, DIFFERENT)],
    [see({ ...DIFFERENT, surroundings: 0.8 }), see({ ...DIFFERENT, surroundings: 0.8 })],
    [see({ ...SAME, colorChange: 0.1 })],
    // A scratch of one pixel across a reflection, drawn on a planted pair.
    [see({ ...SAME, overall: 0.96, worstSpot: 0.84, colorChange: 0.025, ownScore: 0.16, otherScore: 0.08 })],
    // Only a place to check that joined the damage shows the same picture.
    [see({ ...DIFFERENT, surroundings: 0.8 }, { ...SAME, boxIndex: 1, isCertainBox: false })],
  ],
  part_not_seen: [[{ ...NONE, isPartSeen: false }]],
  own_photo_unreadable: [[{ ...NONE, isOwnPhotoUnreadable: true }]],
  no_same_view: [[NONE], [NONE, NONE]],
} as const satisfies Record<Exclude<PlaceRule, 'to_check_on_both'>, readonly (readonly SearchOutcome[])[]>;

describe('what decides on a place', () => {
  test.each(
    Object.entries(CASES).flatMap(([rule, cases]) =>
      cases.map((findings, at) => [rule, at, findings] as const),
    ),
  )('%s, case %i', (rule, _, findings) => {
    expect(decidePlace(findings).rule).toBe(rule);
  });

  test('the view that decides is named', () => {
    const evidence = see({ ...SAME, inliers: 90, worstSpot: 0.3 }, SAME);
    expect(decidePlace([evidence]).counterpart).toBe(evidence.counterparts[1]);
  });
});

describe('laws', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const likeness = fc.double({ min: -0.5, max: 1, noNaN: true });
  const seen: fc.Arbitrary<Counterpart> = fc.record({
    boxIndex: fc.integer({ min: 0, max: 2 }),
    isCertainBox: fc.boolean(),
    inliers: fc.integer({ min: 8, max: 300 }),
    overall: likeness,
    worstSpot: likeness,
    surroundings: likeness,
    colorChange: fc.option(share),
    ownScore: fc.option(share),
    otherScore: fc.option(share),
    scale: fc.double({ min: 0.2, max: 4, noNaN: true }),
    insideShare: fc.double({ min: 0.6, max: 1, noNaN: true }),
    isAtBorder: fc.boolean(),
    isFlawed: fc.boolean(),
  });
  const sorted = (all: readonly Counterpart[]) => all.toSorted((a, b) => b.inliers - a.inliers);
  const evidence: fc.Arbitrary<SearchOutcome> = fc.record({
    hasSamePhoto: fc.boolean(),
    counterparts: fc.array(seen, { maxLength: 4 }).map(sorted),
    isPartSeen: fc.boolean(),
    isOwnPhotoUnreadable: fc.boolean(),
  });

  test('of two certain findings, their order decides nothing', () => {
    fc.assert(
      fc.property(evidence, evidence, (one, other) => {
        expect(decidePlace([one, other]).rule).toBe(decidePlace([other, one]).rule);
      }),
    );
  });

  const add = (one: SearchOutcome, more: Counterpart): SearchOutcome => ({
    ...one,
    counterparts: sorted([...one.counterparts, more]),
  });

  test('a photo more of the other visit makes nothing new that was unchanged or changed', () => {
    fc.assert(
      fc.property(evidence, fc.array(evidence, { maxLength: 1 }), seen, (one, others, more) => {
        if (!/^(same|changed)$/.test(decidePlace([one, ...others]).verdict)) return;
        expect(decidePlace([add(one, more), ...others]).verdict).not.toBe('absent');
      }),
      { numRuns: 1000 },
    );
  });

  test('a photo more of the other visit makes no unchanged box a change', () => {
    const OF_ONE_BOX = { boxIndex: 0, isCertainBox: true };
    const alone = evidence.map((one) => ({
      ...one,
      counterparts: one.counterparts.map((each) => ({ ...each, ...OF_ONE_BOX })),
    }));
    fc.assert(
      fc.property(alone, seen, (one, more) => {
        if (decidePlace([one]).verdict !== 'same') return;
        expect(decidePlace([add(one, { ...more, ...OF_ONE_BOX })]).verdict).toBe('same');
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the grade on the same places', () => {
  const old = { change: 'unchanged', before: 3, after: 3 } as const;
  const plain = gradeSamePlaces([old]);

  test.each(['unchanged', 'cannot_tell', 'to_check'] as const)(
    'of a place that is %s is what it was, whatever the later visit scores',
    (change) => expect(gradeSamePlaces([{ change, before: 3, after: 5 }])).toBe(plain),
  );

  test('falls with new damage and rises with repaired', () => {
    expect(gradeSamePlaces([old, { change: 'new', before: null, after: 6 }])).toBeLessThan(plain);
    expect(gradeSamePlaces([{ change: 'repaired', before: 3, after: null }])).toBeGreaterThan(plain);
    expect(gradeSamePlaces([{ change: 'changed', before: 3, after: 6 }])).toBeLessThan(plain);
  });
});
