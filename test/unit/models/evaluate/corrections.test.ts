import { expect, test } from 'vitest';
import { renderCorrectionsText } from '../../../../models/evaluate/corrections/corrections-text.ts';
import { proposeLimits } from '../../../../models/evaluate/corrections/propose-limits.ts';
import {
  type Correction,
  parseCorrections,
} from '../../../../models/evaluate/corrections/read-corrections.ts';
import { scoreCorrections } from '../../../../models/evaluate/corrections/score-corrections.ts';

const found = (count: number, confidence: number, fate: Correction['fate']): Correction[] =>
  Array(count).fill({ type: 'dent', fate, confidence, toCheck: confidence < 0.6 });

const bbox = [0, 0, 10, 10];
const box = (id: string, decision: string, before: object | null) => ({
  id: 1,
  image_id: 1,
  bbox,
  attributes: { decision, damage_id: id, type: 'dent', before },
});
const was = (id: string, more: object = {}) => ({
  damage_id: id,
  type: 'dent',
  confidence: 0.7,
  bbox,
  ...more,
});
const EXPORT = {
  images: [
    { id: 1, labelled: ['dent'] },
    { id: 2, labelled: [] },
  ],
  annotations: [
    box('dmg_hood_001', 'accept', was('dmg_hood_001')),
    { ...box('dmg_hood_001', 'accept', was('dmg_hood_001', { bbox: null })), image_id: 2 },
    box('dmg_roof_001', 'change', was('dmg_roof_001', { bbox: [0, 0, 20, 10] })),
    box('dmg_roof_002', 'change', was('chk_roof_001', { type: 'scratch' })),
    box('dmg_roof_003', 'change', was('dmg_roof_003')),
    box('dmg_roof_004', 'add', null),
  ],
  rejected: [1, 2].map(() => ({ damage_id: 'chk_hood_002', type: 'rust', score: 0.4 })),
  merged: [{ damage_id: 'dmg_hood_003', type: 'dent', score: 0.8 }],
};

test('an export is counted by finding and class, missed damage by photos looked through', () => {
  const score = scoreCorrections([parseCorrections(JSON.stringify(EXPORT), 'one.json')]);
  const fates = { accepted: 1, moved: 1, retyped: 1, changed: 1, merged: 1, rejected: 1, added: 1 };
  expect(score.all).toEqual({ decided: 6, ...fates, right: 5 / 6 });
  expect(score.classes.map(({ type, decided }) => [type, decided])).toEqual([
    ['scratch', 1],
    ['dent', 4],
    ['rust', 1],
  ]);
  expect(score.toCheck).toMatchObject({ decided: 2, rejected: 1 });
  expect(score).toMatchObject({ photos: 2, completePhotos: 1, missed: 1 / 5 });
});

test('a field that cannot be used is named', () => {
  const attributes = { decision: 'accept', damage_id: 'x', type: 'x' };
  const bad = { ...EXPORT, annotations: [{ ...EXPORT.annotations[0], attributes }] };
  expect(() => parseCorrections(JSON.stringify(bad), 'one.json')).toThrow(/one\.json.*annotations.*type/);
});

test('no limits are proposed on few findings, or where no confidence carries them', () => {
  const few = proposeLimits(found(1, 0.9, 'accepted'));
  expect(few).toMatchObject({ limits: null, why: expect.stringMatching(/^1 finding was decided; at/) });
  expect(renderCorrectionsText({ ...scoreCorrections([]), vehicles: 1, photos: 1 }, few, 0)).toMatch(
    /^Corrections {2}1 review, 1 photo, 0 of them/,
  );
  const wrong = Array.from({ length: 40 }, (_, index) => found(1, 0.3 + index / 100, 'rejected'));
  expect(proposeLimits(wrong.flat()).limits).toBeNull();
});

test('limits lie where findings were right often enough, and never beyond what was seen', () => {
  const list = [
    ...found(20, 0.7, 'accepted'),
    ...found(4, 0.5123, 'accepted'),
    ...found(10, 0.5123, 'rejected'),
    ...found(30, 0.3, 'rejected'),
  ];
  expect(proposeLimits(list)).toEqual({
    limits: { certain: 0.7, toCheck: 0.512 },
    rightAbove: 1,
    rightBetween: 4 / 14,
  });
  const allRight = proposeLimits(list.map((one) => ({ ...one, fate: 'accepted' as const })));
  expect(allRight.limits).toEqual({ certain: 0.3, toCheck: 0.3 });
});
