import { describe, expect, test } from 'vitest';
import { type Change, gradeSamePlaces, toChange } from '../../../../src/domain/judge/changes.ts';
import {
  decidePlace,
  needsColourComparison,
  type PlaceEvidence,
  type PlaceView,
} from '../../../../src/domain/judge/decide-place.ts';

/** A view in which the damage of the other visit is plainly absent. */
const ABSENT: PlaceView = {
  inliers: 80,
  accuracy: 'exact',
  candidate: 0,
  overall: 0.6,
  worstSpot: -0.2,
  surroundings: 0.95,
  drop: 4,
  damageScore: 0.3,
  colourChange: 0.05,
  ownScore: 0.9,
  contrasts: null,
  scale: 1,
  insideShare: 1,
  isAtBorder: false,
  isFlawed: false,
};
const NONE: PlaceEvidence = {
  hasSamePhoto: false,
  views: [],
  coarseViews: [],
  isPartSeen: true,
  isOwnPhotoUnreadable: false,
  nearbyByView: 0,
  nearbyByParts: 0,
};
const see = (...views: Partial<PlaceView>[]): PlaceEvidence => ({
  ...NONE,
  views: views.map((one) => ({ ...ABSENT, ...one })),
});
/** Under other light, the classifier sees no damage there and nothing stands out. */
const GONE = {
  surroundings: 0.1,
  ownScore: 0.45,
  damageScore: 0.49,
  drop: 1.9,
  contrasts: { source: 0.65, target: 0.3 },
} satisfies Partial<PlaceView>;
const goneBut = (change: Partial<PlaceView>) => ({ ...GONE, ...change });
const seeCoarsely = (...views: Partial<PlaceView>[]): PlaceEvidence => ({
  ...NONE,
  coarseViews: see(...views).views,
});
/** The classifier sees as little damage in both cuts, and the colours alone say that they differ. */
const STANDS_OUT = { drop: 0, colourChange: 0.1, damageScore: 0.34 };

describe('what decides on a place', () => {
  test.each<[string, PlaceEvidence, string, string]>([
    ['the other visit has the photo', { ...see({}), hasSamePhoto: true }, 'same_photo', 'same'],
    ['a candidate is there, listed or not', see({ candidate: 0.251 }), 'was_there', 'same'],
    ['a fainter candidate is there', see({ candidate: 0.25 }), 'unclear', 'cannot_tell'],
    ['one of two views has a candidate', see({}, { inliers: 20, candidate: 0.3 }), 'was_there', 'same'],
    ['the picture is the same', see({ overall: 0.85, worstSpot: 0.35, drop: 1 }), 'same_picture', 'same'],
    [
      'the same drawing in other colours, and the classifier sees less there',
      see({ overall: 0.93, worstSpot: 0.77, drop: 1, colourChange: 0.1, damageScore: 0.01 }),
      'unclear',
      'cannot_tell',
    ],
    [
      'the same drawing in other colours, and the classifier sees as much',
      see({ overall: 0.99, worstSpot: 0.97, drop: 0.9, colourChange: 0.94 }),
      'same_picture',
      'same',
    ],
    [
      'nearly the same picture, and the classifier sees no damage there',
      see({ overall: 0.98, worstSpot: 0.59, drop: 2 }),
      'unclear',
      'cannot_tell',
    ],
    ['the picture is another and so says the classifier', see({}), 'not_there', 'absent'],
    [
      'a thin crack: the worst spot and the classifier',
      see({ overall: 0.96, worstSpot: 0.5, drop: 2 }),
      'not_there',
      'absent',
    ],
    ['the classifier sees as much damage there', see({ drop: 0.7 }), 'unclear', 'cannot_tell'],
    ['it stands out from surroundings that are the same', see(STANDS_OUT), 'not_there', 'absent'],
    [
      'so it does on a panel without a line',
      see({ ...STANDS_OUT, surroundings: 0.1 }),
      'not_there',
      'absent',
    ],
    ['hardly more of it differs', see({ ...STANDS_OUT, colourChange: 0.09 }), 'unclear', 'cannot_tell'],
    ['its drawing is the same', see({ ...STANDS_OUT, worstSpot: 0.3 }), 'unclear', 'cannot_tell'],
    ['the other cut shows a damage', see({ ...STANDS_OUT, damageScore: 0.35 }), 'unclear', 'cannot_tell'],
    ['its colours were not compared', see({ ...STANDS_OUT, colourChange: null }), 'unclear', 'cannot_tell'],
    [
      'it stands out, and a weak candidate is there',
      see({ ...STANDS_OUT, candidate: 0.08 }),
      'unclear',
      'cannot_tell',
    ],
    ['it stands out in a blurred photo', see({ ...STANDS_OUT, isFlawed: true }), 'unclear', 'cannot_tell'],
    ['the classifier cannot be asked', see({ drop: null }), 'unclear', 'cannot_tell'],
    ['something below every limit is there', see({ candidate: 0.08 }), 'unclear', 'cannot_tell'],
    ['few points agree', see({ inliers: 11, surroundings: 0.89 }), 'unclear', 'cannot_tell'],
    ['few agree, and all around is the same', see({ inliers: 8, surroundings: 0.9 }), 'not_there', 'absent'],
    ['the surroundings differ', see({ surroundings: 0.49 }), 'unclear', 'cannot_tell'],
    ['in another light it differs more', see({ surroundings: 0.7 }), 'not_there', 'absent'],
    [
      'in another light it differs more, and looks damaged',
      see({ surroundings: 0.7, damageScore: 0.35 }),
      'unclear',
      'cannot_tell',
    ],
    ['in the same light the picture decides', see({ damageScore: 0.35 }), 'not_there', 'absent'],
    ['it differs no more', see({ surroundings: 0.69 }), 'unclear', 'cannot_tell'],
    ['nor does it stand out then', see({ ...STANDS_OUT, surroundings: 0.69 }), 'unclear', 'cannot_tell'],
    ['the other photo shows it half as large', see({ scale: 0.49 }), 'unclear', 'cannot_tell'],
    ['the other photo cuts it off', see({ insideShare: 0.94 }), 'unclear', 'cannot_tell'],
    ['in other light the damage is gone', see(GONE), 'disappeared', 'absent'],
    ['so it is at an approximate location', seeCoarsely(GONE), 'disappeared', 'absent'],
    ['the classifier sees some damage', see(goneBut({ damageScore: 0.5 })), 'unclear', 'cannot_tell'],
    ['it sees hardly less damage', see(goneBut({ drop: 1.89 })), 'unclear', 'cannot_tell'],
    [
      'it stands out hardly less',
      see(goneBut({ contrasts: { source: 0.64, target: 0.3 } })),
      'unclear',
      'cannot_tell',
    ],
    ['the finding hardly looks damaged', see(goneBut({ ownScore: 0.44 })), 'unclear', 'cannot_tell'],
    [
      'it stands out still',
      see(goneBut({ contrasts: { source: 2, target: 0.31 } })),
      'unclear',
      'cannot_tell',
    ],
    [
      'a dent, which only reflections show',
      see(goneBut({ contrasts: { source: 0.39, target: -1 } })),
      'unclear',
      'cannot_tell',
    ],
    ['one of two photos contradicts', seeCoarsely(GONE, {}), 'no_same_view', 'cannot_tell'],
    ['a blurred one does not', seeCoarsely(GONE, { isFlawed: true }), 'disappeared', 'absent'],
    ['a candidate is at the location', see({ ...GONE, candidate: 0.08 }), 'unclear', 'cannot_tell'],
    ['a candidate is near by view', { ...see(GONE), nearbyByView: 0.08 }, 'unclear', 'cannot_tell'],
    ['a candidate is near by parts', { ...see(GONE), nearbyByParts: 0.26 }, 'unclear', 'cannot_tell'],
    [
      'an approximate location is not the same picture',
      seeCoarsely({ overall: 1 }),
      'no_same_view',
      'cannot_tell',
    ],
    ['its own photo cuts it off', see({ isAtBorder: true }), 'unclear', 'cannot_tell'],
    ['one of the photos is blurred', see({ isFlawed: true }), 'unclear', 'cannot_tell'],
    ['a second good view contradicts', see({}, { inliers: 30, drop: 0 }), 'unclear', 'cannot_tell'],
    ['a second view with few points does not', see({}, { inliers: 20, drop: 0 }), 'not_there', 'absent'],
    [
      'a second view with other surroundings does not',
      see({}, { inliers: 70, drop: 0, surroundings: 0.2 }),
      'not_there',
      'absent',
    ],
    ['a weak candidate in any view does', see({}, { inliers: 10, candidate: 0.1 }), 'unclear', 'cannot_tell'],
    [
      'the view as a whole has a candidate about there',
      { ...NONE, nearbyByView: 0.08 },
      'probably_there',
      'probably_same',
    ],
    [
      'the place was found by points that were looked for, and the view as a whole has a candidate',
      { ...see({ accuracy: 'guided', surroundings: 0.3 }), nearbyByView: 0.08 },
      'probably_there',
      'probably_same',
    ],
    [
      'the place was found by points as they are, and the view as a whole has a candidate',
      { ...see({ surroundings: 0.3 }), nearbyByView: 0.08 },
      'unclear',
      'cannot_tell',
    ],
    ['the parts have one', { ...NONE, nearbyByParts: 0.26 }, 'probably_there', 'probably_same'],
    ['the parts have a faint one', { ...NONE, nearbyByParts: 0.25 }, 'no_same_view', 'cannot_tell'],
    [
      'its own photo could not be read',
      { ...NONE, isOwnPhotoUnreadable: true },
      'own_photo_unreadable',
      'cannot_tell',
    ],
    ['nobody photographed the part', { ...NONE, isPartSeen: false }, 'part_not_seen', 'not_seen'],
    ['the part is seen from elsewhere', NONE, 'no_same_view', 'cannot_tell'],
  ])('%s', (_, evidence, id, verdict) => {
    expect(decidePlace(evidence)).toMatchObject({ id, verdict });
  });
});

test.each([
  ['the drawing is another and the classifier sees no damage there', STANDS_OUT, true],
  ['the classifier sees one there', { ...STANDS_OUT, damageScore: 0.35 }, false],
  ['the drawing is the same', { ...STANDS_OUT, overall: 0.95 }, false],
  [
    'the drawing is the same, and the classifier sees less there',
    { ...STANDS_OUT, overall: 0.95, drop: 1 },
    true,
  ],
  ['a candidate is there', { ...STANDS_OUT, candidate: 0.08 }, false],
  ['the classifier was not asked', { drop: null, damageScore: null }, false],
])('colours are compared where they can change the answer: %s', (_, view, wanted) => {
  expect(needsColourComparison({ ...ABSENT, ...view })).toBe(wanted);
});

test.each([
  ['absent', 'after', true, 'new'],
  ['absent', 'before', true, 'repaired'],
  ['absent', 'after', false, 'perhaps_new'],
  ['absent', 'before', false, 'perhaps_repaired'],
  ['same', 'after', true, 'unchanged'],
  ['probably_same', 'before', true, 'probably_unchanged'],
  ['cannot_tell', 'after', true, 'cannot_tell'],
  ['not_seen', 'after', true, 'not_seen'],
] as const)('%s in the %s visit, certain %s: %s', (verdict, visit, certain, change) => {
  expect(toChange(verdict, visit, certain)).toBe(change);
});

describe('the grade on the same places', () => {
  const place = (change: Change, before: number | null, after: number | null) => ({ change, before, after });
  test.each<[string, ReturnType<typeof place>[], ReturnType<typeof place>[]]>([
    ['what is as it was keeps its points', [place('unchanged', 3, 5)], [place('unchanged', 3, 3)]],
    ['what was not seen keeps its points', [place('not_seen', 3, null)], [place('unchanged', 3, 3)]],
    [
      'what only the later visit lists counts when it is new',
      [place('new', null, 4)],
      [place('unchanged', 4, 4)],
    ],
    ['what is perhaps new does not count', [place('perhaps_new', null, 4)], []],
    ['what the photos do not decide does not count', [place('cannot_tell', null, 4)], []],
    ['what is repaired does not count', [place('repaired', 4, null)], []],
    ['what is perhaps repaired counts', [place('perhaps_repaired', 4, null)], [place('unchanged', 4, 4)]],
    ['what is worse counts as it is now', [place('worse', 2, 5)], [place('unchanged', 5, 5)]],
    ['what is worse is never better', [place('worse', 5, 2)], [place('unchanged', 5, 5)]],
  ])('%s', (_, places, like) => {
    expect(gradeSamePlaces(places)).toBe(gradeSamePlaces(like));
  });
});
