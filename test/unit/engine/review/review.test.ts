import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Damage, InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import type { Decision } from '../../../../src/contract/review.ts';
import { presentResults } from '../../../../src/engine/inspect/present-results.ts';
import type { Pricer } from '../../../../src/engine/ports.ts';
import { pricerOf, tablesWith } from '../../../../src/engine/pricer.ts';
import { applyDecisions, photosToLookAt, reviewableOf } from '../../../../src/engine/review/apply.ts';
import { parseDecisions } from '../../../../src/engine/review/decisions.ts';
import { placeDrawn, placementOf, sceneOfPhoto } from '../../../../src/engine/review/place.ts';
import { exampleGrounds } from '../../../helpers/example-grounds.ts';
import { partGrid } from '../../../helpers/part-grid.ts';

/** A left side of 1200 x 600 pixels: fender, two doors, quarter panel, wheels; cells of 100 x 100. */
const LEFT = partGrid(
  '............',
  '.FFDDEEQQ...',
  '.FFDDEEQQ...',
  '.FFDDEEQQ...',
  '.OODDEEOO...',
  '............',
);
const PHOTOS = ['left.jpg', 'front_left.jpg'].map((url, index) => ({
  index,
  url,
  width: 1200,
  height: 600,
  format: 'jpeg' as const,
  bytes: 1,
  sha256: String(index),
  angle: 'left_side' as const,
  angle_source: 'request' as const,
  type: 'exterior' as const,
  analysed: true,
  vehicle_share: 0.5,
  annotated_url: null,
  issues: [],
}));

function finding(damage_id: string, number: number, more: Partial<Damage> = {}): Damage {
  const coordinates = { x: 320, y: 120, width: 100, height: 80, image_width: 1200, image_height: 600 };
  const evidence = [{ image_index: 0, image_url: 'left.jpg', coordinates, confidence: 0.8 }];
  return {
    damage_id,
    number,
    type: 'dent',
    severity: 'moderate',
    severity_score: 3.3,
    location: { part: 'front_door_left', side: 'left', coordinates },
    confidence: 0.8,
    image_url: 'left.jpg',
    annotated_url: null,
    estimated_repair: { min: 100, max: 200, estimated: 150, currency: 'USD', repair_type: 'panel_repair' },
    evidence,
    explain: [
      { rule: 'locate.mask_overlap', inputs: { part: 'front_door_left' } },
      { rule: 'severity.dent', inputs: { long_side_cm: 14, score: 3.3 } },
      { rule: 'option.dent-repair', inputs: {} },
    ],
    ...more,
  };
}

const ONE = 'dmg_front_door_left_001';
const TWO = 'dmg_front_door_left_002';
const CHK = 'chk_rear_door_left_001';
const CHECK = finding('chk_rear_door_left_001', 3, {
  type: 'scratch',
  confidence: 0.3,
  location: { ...finding('', 1).location, part: 'rear_door_left' },
});

let pricer: Pricer;
let envelope: InspectionEnvelope;
beforeAll(async () => {
  pricer = pricerOf(await tablesWith(undefined), 'US_MIDWEST', 'USD');
  const damages = [finding(ONE, 1), finding(TWO, 2, { severity_score: 4 })];
  const results = presentResults(damages, [CHECK], exampleGrounds(PHOTOS, [CHECK]));
  envelope = {
    status: 'success',
    data: { images: PHOTOS, results },
    meta: { region: 'US_MIDWEST', currency: 'USD' },
  } as unknown as InspectionEnvelope;
});

const scenes = new Map(PHOTOS.map((photo) => [photo.index, sceneOfPhoto(LEFT, photo)]));
function review(decisions: readonly Decision[], with_ = scenes) {
  const at = new Date('2026-01-31T12:00:00Z');
  return applyDecisions(envelope, parse(decisions), {
    pricer,
    scenes: with_,
    reviewedAt: at,
    reviewer: 'Ada',
  });
}
const parse = (json: unknown) => parseDecisions(json, reviewableOf(envelope), 'd.json');
const damagesOf = (decisions: readonly Decision[]) => review(decisions).data.results?.damages ?? [];
const BOX = { x: 520, y: 150, width: 60, height: 50 };

describe('what a decision does', () => {
  test('nothing decided: the damages stay, places to check are in no sum, and all is not reviewed', () => {
    const { data, review: record } = review([]);
    expect(data.results?.damages.map((one) => one.damage_id)).toEqual([ONE, TWO]);
    expect(record.not_reviewed).toEqual([ONE, TWO]);
    expect(record.reviewer).toBe('Ada');
  });

  test('a box that moves and grows gives another size, severity and price', () => {
    const box = { x: 300, y: 100, width: 300, height: 200 };
    const [changed] = damagesOf([{ decision: 'change', damage_id: ONE, box }]);
    expect(changed?.evidence[0]?.coordinates).toEqual({ ...box, image_width: 1200, image_height: 600 });
    expect(changed?.location.coordinates).toEqual(changed?.evidence[0]?.coordinates);
    const [trace, ...more] = changed?.explain.filter(({ inputs }) => 'long_side_cm' in inputs) ?? [];
    expect(more).toEqual([]);
    expect(trace?.inputs.long_side_cm).toBe(42);
    expect(changed?.severity).toBe('severe');
    expect(changed?.estimated_repair.max).toBeGreaterThan(200);
  });

  test('another type is graded by its own rules, unless the severity is said', () => {
    const [scratch] = damagesOf([{ decision: 'change', damage_id: ONE, type: 'scratch' }]);
    expect(scratch).toMatchObject({ type: 'scratch', severity: 'minor', severity_score: 2.2 });
    const said = { decision: 'change', damage_id: ONE, type: 'scratch', severity: 'severe' } as const;
    expect(damagesOf([said])[0]).toMatchObject({ type: 'scratch', severity: 'severe', severity_score: 5 });
  });

  test('an added box is placed, sized, graded and priced, with the next free id and number', () => {
    const add = { decision: 'add', image_index: 0, box: BOX, type: 'dent' } as const;
    const reviewed = review([add, { ...add, box: { ...BOX, x: 340 } }]);
    const [, , rear, front] = reviewed.data.results?.damages ?? [];
    expect(rear).toMatchObject({ damage_id: 'dmg_rear_door_left_001', number: 4, confidence: 1 });
    expect(front).toMatchObject({ damage_id: 'dmg_front_door_left_003', number: 5 });
    expect(rear?.explain[0]).toMatchObject({ rule: 'review.added' });
    expect(rear?.estimated_repair.min).toBeGreaterThan(0);
    expect(reviewed.review.decisions[0]).toMatchObject({
      decision: 'add',
      original: null,
      damage_id: rear?.damage_id,
    });
  });

  test('a named part outranks the one proposed; without a map it is needed', () => {
    const add = { decision: 'add', image_index: 0, box: BOX, type: 'dent' } as const;
    expect(damagesOf([{ ...add, part: 'roof' }])[2]?.location).toMatchObject({ part: 'roof', side: 'top' });
    expect(() => review([add], new Map())).toThrow('the photo cannot be read');
    const blind = review([{ ...add, part: 'roof' }], new Map());
    expect(blind.data.results?.damages[2]?.location.part).toBe('roof');
    const off = { ...add, box: { x: 1100, y: 20, width: 60, height: 50 } };
    expect(() => review([off])).toThrow('not on the vehicle');
    expect(review([{ ...off, part: 'hood' }]).data.results?.damages).toHaveLength(3);
  });

  test('a place to check that is accepted becomes a damage and leaves the list', () => {
    const { data, review: record } = review([{ decision: 'accept', damage_id: CHK }]);
    expect(data.results?.damages[2]).toMatchObject({ damage_id: 'dmg_rear_door_left_001', number: 3 });
    expect(data.results).toMatchObject({ to_check: [], damage_summary: { total_damages: 3 } });
    expect(record.decisions[0]).toMatchObject({ damage_id: CHK, corrected: { number: 3 } });
    expect(review([{ decision: 'reject', damage_id: CHK }]).data.results).toMatchObject({
      to_check: [],
      damage_summary: { total_damages: 2 },
    });
  });

  test('merged: evidence joined, the higher score, one repair instead of two', () => {
    const { data, review: record } = review([
      { decision: 'merge', damage_id: TWO, into: ONE },
      { decision: 'add', image_index: 1, box: BOX, type: 'dent', into: TWO },
    ]);
    expect(data.results?.damages).toHaveLength(1);
    const [one] = data.results?.damages ?? [];
    expect(one).toMatchObject({ damage_id: ONE, severity_score: 4.3, confidence: 1 });
    expect(one?.evidence.map(({ image_index }) => image_index)).toEqual([1, 0]);
    expect(one?.explain.some(({ rule }) => rule === 'review.merged')).toBe(true);
    expect(record.decisions.map(({ into }) => into)).toEqual([ONE, ONE]);
  });

  test('photos that are ticked are in the record, and what was too small in them counts as seen', () => {
    const ticks = [1, 0].map((image_index) => ({ decision: 'nothing_more' as const, image_index }));
    const { data, review: record } = review(ticks);
    expect(record.photos_checked).toEqual([0, 1]);
    expect(photosToLookAt(ticks)).toEqual([]);
    const before = envelope.data.results?.coverage;
    const after = data.results?.coverage;
    const status = (one: typeof after) => one?.parts.find(({ part }) => part === 'rear_door_left')?.status;
    expect([status(before), status(after)]).toEqual(['too_small', 'seen']);
    expect(after?.seen).toBe((before?.seen ?? 0) + (before?.too_small ?? 0));
    expect(after?.not_seen).toBe(before?.not_seen);
  });

  test('without a tick nothing about what was seen changes', () => {
    expect(review([]).data.results?.coverage).toEqual(envelope.data.results?.coverage);
  });
});

describe('what is proposed for a drawn box', () => {
  const place = (box: typeof BOX, said = {}) => {
    const scene = scenes.get(0);
    if (!scene) throw new Error('no scene');
    return placementOf(placeDrawn(scene, 0, box, said), said, pricer);
  };
  test('the part under it, with what else it could be', () => {
    const across = place({ x: 440, y: 150, width: 100, height: 90 });
    expect(across.part).toBe('front_door_left');
    expect(across.alternatives.map(({ part }) => part)).toEqual(['front_door_left', 'rear_door_left']);
    expect(across.size_cm).toBeGreaterThan(5);
    expect(across.estimated_repair?.max).toBeGreaterThan(0);
  });
  test('a long thin box is a scratch, a compact one a dent; what is said stays', () => {
    expect(place({ x: 320, y: 150, width: 160, height: 20 }).type).toBe('scratch');
    expect(place(BOX).type).toBe('dent');
    expect(place(BOX, { type: 'rust', severity: 'critical' })).toMatchObject({
      type: 'rust',
      severity: 'critical',
    });
  });
  test('outside the vehicle there is no part and no price', () => {
    expect(place({ x: 1100, y: 20, width: 60, height: 50 })).toMatchObject({
      part: null,
      estimated_repair: null,
    });
  });
});

test.each([
  [
    'an unknown photo',
    [{ decision: 'nothing_more', image_index: 9 }],
    '[0].image_index: 9; needed: a photo, 0 to 1',
  ],
  [
    'a box outside',
    [{ decision: 'add', image_index: 0, type: 'dent', box: { ...BOX, x: 1190 } }],
    'inside the photo of 1200x600',
  ],
  [
    'a box of halves',
    [{ decision: 'change', damage_id: 'dmg_front_door_left_001', box: { ...BOX, x: 0.5 } }],
    '[0].box',
  ],
  [
    'a box in a photo that does not show it',
    [{ decision: 'change', damage_id: 'dmg_front_door_left_001', image_index: 1, box: BOX }],
    'a photo of the finding: 0',
  ],
  ['an addition without a type', [{ decision: 'add', image_index: 0, box: BOX }], '[0].type: missing'],
  [
    'a merge with itself',
    [{ decision: 'merge', damage_id: 'dmg_front_door_left_001', into: 'dmg_front_door_left_001' }],
    'in a circle',
  ],
  [
    'a merge into a rejected one',
    [
      { decision: 'merge', damage_id: 'dmg_front_door_left_001', into: 'dmg_front_door_left_002' },
      { decision: 'reject', damage_id: 'dmg_front_door_left_002' },
    ],
    'which is rejected',
  ],
  [
    'a merge into a place nobody accepted',
    [{ decision: 'merge', damage_id: 'dmg_front_door_left_001', into: 'chk_rear_door_left_001' }],
    'a decision that accepts',
  ],
  [
    'a photo ticked twice',
    [
      { decision: 'nothing_more', image_index: 0 },
      { decision: 'nothing_more', image_index: 0 },
    ],
    'photo 0 a second time',
  ],
])('%s is refused', (_, json, words) => {
  expect(() => parse(json)).toThrow(words);
});

describe('laws', () => {
  const verdict = fc.constantFrom('accept', 'reject', 'change', 'merge', undefined);
  const decisions = fc
    .tuple(verdict, verdict, fc.constantFrom('accept', 'reject', 'change', undefined), fc.nat(3))
    .map(([first, second, third, adds]) => [
      ...(first === undefined || first === 'merge' ? [] : [judged(first, ONE)]),
      ...(second === undefined
        ? []
        : second === 'merge'
          ? first === 'reject'
            ? []
            : [{ decision: 'merge' as const, damage_id: TWO, into: ONE }]
          : [judged(second, TWO)]),
      ...(third === undefined ? [] : [judged(third, CHK)]),
      ...Array.from({ length: adds }, (_, i) => ({
        decision: 'add' as const,
        image_index: 0,
        box: { ...BOX, x: 120 + i * 200 },
        type: 'scratch' as const,
      })),
    ]);
  const judged = (decision: 'accept' | 'reject' | 'change', damage_id: string): Decision =>
    decision === 'change' ? { decision, damage_id, severity: 'severe' } : { decision, damage_id };

  test('ids and numbers are unique, sums add up, and the order of decisions on findings does not matter', () => {
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
