import { describe, expect, test } from 'vitest';
import type { Correction, Decision } from '../../../../src/contract/review.ts';
import type { ReviewedEnvelope } from '../../../../src/contract/review-answers.ts';
import { keepBestOfPhoto } from '../../../../src/domain/damage.ts';
import { readGradedSizeCm } from '../../../../src/domain/grading/graded-size.ts';
import { DETECTOR_LABELS } from '../../../../src/domain/sight/detection.ts';
import { UNLISTED_PARTS } from '../../../../src/domain/unlisted-parts.ts';
import { presentEstimate } from '../../../../src/engine/present-repair.ts';
import { toPricingDamage } from '../../../../src/engine/pricer.ts';
import { applyDecisions } from '../../../../src/engine/review/apply.ts';
import { applyChange, NOT_MEASURED } from '../../../../src/engine/review/change.ts';
import { exportCorrections } from '../../../../src/engine/review/corrections-coco.ts';
import { mergeDamages } from '../../../../src/engine/review/merge.ts';
import { makeUnseenScene, placeDrawn } from '../../../../src/engine/review/place.ts';
import { writeReview } from '../../../../src/report/content/review.ts';
import { findConfirmers } from '../../../../src/report/stored-review.ts';
import { english } from '../../../../src/report/translator.ts';
import {
  BOX,
  CHK,
  damagesOf,
  envelope,
  finding,
  ONE,
  parse,
  pricer,
  review,
  TWO,
} from '../../../helpers/results/reviewed-result.ts';

const ADD = { decision: 'add', image_index: 0, box: BOX, type: 'dent' } as const;
const measured = (length: number, uncertainty_cm: number) => ({
  measurements: { length, unit: 'cm' as const, method: 'scale', uncertainty_cm },
  explain: [{ rule: 'severity.dent', inputs: { long_side_cm: length } }],
});

describe('what a decision does', () => {
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
    const also = ['scratch', 'rust'] as const;
    const scratch = applyChange(finding(ONE, 1, { also: [...also] }), { type: 'scratch' }, pricer);
    expect(scratch).toMatchObject({ severity: 'minor', severity_score: 2.2, also: ['rust'] });
    const said = applyChange(finding(ONE, 1), { type: 'scratch', severity: 'severe' }, pricer);
    expect(said).toMatchObject({ type: 'scratch', severity: 'severe', severity_score: 5 });
  });

  const OPEN = 'side uncertain: the close-up could be of the left or the right; more';
  test.each([
    [{ severity: 'minor' }, { side: 'unknown', uncertain: 'side', detail: OPEN }],
    [{ part: 'front_door_right' }, { side: 'right', uncertain: undefined, detail: 'more' }],
  ] as const)('what the photos leave open stays until a person names the part: %o', (change, wanted) => {
    const open = finding(ONE, 1, { detail: OPEN });
    Object.assign(open.location, { side: 'unknown', uncertain: 'side' });
    const { location, detail } = applyChange(open, change, pricer);
    expect({ side: location.side, uncertain: location.uncertain, detail }).toEqual(wanted);
  });

  test('the severity floors hold for a corrected and for an added damage, but not against a stated severity', () => {
    const stated = { part: 'rear_window', type: 'crack' } as const;
    const small = finding(ONE, 1, { explain: [{ rule: 'severity.dent', inputs: { long_side_cm: 1 } }] });
    const add = { ...ADD, box: { ...BOX, width: 5, height: 5 }, ...stated };
    for (const one of [applyChange(small, stated, pricer), damagesOf([add]).at(-1)]) {
      expect(one).toMatchObject({ severity: 'severe', severity_score: 5 });
      expect(one?.explain.map(({ rule }) => rule)).toContain('severity.floor.tempered-glass');
    }
    expect(applyChange(small, { ...stated, severity: 'minor' }, pricer).severity).toBe('minor');
  });

  test.each([
    [{ severity: 'minor' }, undefined],
    [{ type: 'scratch' }, NOT_MEASURED],
    [{ box: BOX }, NOT_MEASURED],
  ] as const)('%o: measured, or with the reason why not', (change, absent) => {
    const { measurements } = measured(14, 1);
    const changed = applyChange(finding(ONE, 1, { measurements }), change, pricer);
    expect(changed.measurements).toEqual(absent ? undefined : measurements);
    expect(changed.measurements_absent).toBe(absent);
    const without = applyChange(finding(ONE, 1, { measurements_absent: 'no scale' }), change, pricer);
    expect(without.measurements_absent).toBe('no scale');
  });

  test('a severity that is named again costs what it did: no price is made by a size that was assumed', () => {
    const assumed = { rule: 'severity.scratch', inputs: { long_side_cm: null, assumed_close_up_cm: 34.5 } };
    const scratch = finding(ONE, 1, { type: 'scratch', severity_score: 3.1, explain: [assumed] });
    const { estimated_repair } = applyChange(scratch, { severity: 'moderate' }, pricer);
    expect(estimated_repair).toEqual(presentEstimate(pricer.estimate(toPricingDamage(scratch))));
  });

  test('an added box is placed, sized, graded and priced, with the next free id and number', () => {
    const reviewed = review([ADD, { ...ADD, box: { ...BOX, x: 340 } }]);
    const [, , rear, front] = reviewed.data.results?.damages ?? [];
    expect(rear).toMatchObject({ damage_id: 'dmg_rear_door_left_001', number: 4, confidence: 1 });
    expect(front).toMatchObject({ damage_id: 'dmg_front_door_left_003', number: 5 });
    expect(rear?.explain[0]).toMatchObject({ rule: 'review.added' });
    expect(rear?.estimated_repair.min).toBeGreaterThan(0);
    const recorded = { decision: 'add', original: null, damage_id: rear?.damage_id };
    expect(reviewed.review.decisions[0]).toMatchObject(recorded);
  });

  test('a named part outranks the one proposed; without a map it is needed', () => {
    const onRoof = { ...ADD, part: 'roof' } as const;
    expect(damagesOf([onRoof])[2]?.location).toMatchObject({ part: 'roof', side: 'top' });
    expect(() => review([ADD], new Map())).toThrow('the photo cannot be read');
    expect(review([onRoof], new Map()).data.results?.damages[2]?.location.part).toBe('roof');
    const off = { ...ADD, box: { ...BOX, x: 1100, y: 20 } };
    expect(() => review([off])).toThrow('sees no vehicle under the box');
    expect(review([{ ...off, part: 'hood' }]).data.results?.damages).toHaveLength(3);
  });

  test('a place to check that is accepted becomes a damage and leaves the list', () => {
    const { data, review: record } = review([{ decision: 'accept', damage_id: CHK }]);
    expect(data.results?.damages[2]).toMatchObject({ damage_id: 'dmg_rear_door_left_001', number: 3 });
    expect(data.results).toMatchObject({ to_check: [], damage_summary: { total_damages: 3 } });
    expect(record.decisions[0]).toMatchObject({ damage_id: CHK, corrected: { number: 3 } });
    const rejected = review([{ decision: 'reject', damage_id: CHK }]).data.results;
    expect(rejected).toMatchObject({ to_check: [], damage_summary: { total_damages: 2 } });
  });

  test('merged: every box stays, the higher score, one repair instead of two', () => {
    const { data, review: record } = review([
      { decision: 'merge', damage_id: TWO, into: ONE },
      { ...ADD, image_index: 1, into: TWO },
    ]);
    const [one, ...others] = data.results?.damages ?? [];
    expect(others).toEqual([]);
    expect(one).toMatchObject({ damage_id: ONE, severity_score: 4.3, confidence: 1 });
    expect(one?.evidence.map(({ image_index }) => image_index)).toEqual([1, 0, 0]);
    expect(one?.explain.some(({ rule }) => rule === 'review.merged')).toBe(true);
    expect(record.decisions.map(({ into }) => into)).toEqual([ONE, ONE]);
  });

  test.each([
    ['a longer one of its type', 'dent', 30, { length: 30, uncertainty_cm: 2 }],
    ['a longer one of another type, so there are none', 'scratch', 30, undefined],
    ['a shorter one', 'dent', 5, { length: 14, uncertainty_cm: 1 }],
  ] as const)('merged with %s: it measures as the longest of its type', (_, type, cm, wanted) => {
    const into = finding(ONE, 1, measured(14, 1));
    const merged = mergeDamages(into, [finding(TWO, 2, { type, ...measured(cm, 2) })], {}, pricer);
    const { length, uncertainty_cm } = merged.measurements ?? {};
    expect(merged.measurements && { length, uncertainty_cm }).toEqual(wanted);
    expect(merged.measurements_absent).toBe(wanted ? undefined : NOT_MEASURED);
    expect(readGradedSizeCm(merged.explain)).toBe(Math.max(14, cm));
  });

  test('merged: an assumed size neither prices the damage nor reads as a measured one', () => {
    const assumed = (cm: number) => ({
      measurements_absent: 'no part of known size is in the photo',
      explain: [{ rule: 'severity.dent', inputs: { assumed_close_up_cm: cm } }],
    });
    const into = finding(ONE, 1, assumed(20));
    const merged = mergeDamages(into, [finding(TWO, 2, assumed(60))], {}, pricer);
    expect(readGradedSizeCm(merged.explain)).toBeUndefined();
    expect(toPricingDamage(merged).sizeCm).toBeUndefined();
    expect(merged.measurements_absent).toBeDefined();
    const withMeasured = mergeDamages(into, [finding(TWO, 2, measured(14, 1))], {}, pricer);
    expect(withMeasured).toMatchObject({ measurements: { length: 14 } });
    expect(withMeasured).not.toHaveProperty('measurements_absent');
    expect(readGradedSizeCm(withMeasured.explain)).toBe(14);
  });

  test('merged in one photo: the larger box stands, unless the reviewer drew the other', () => {
    const into = finding(ONE, 1);
    const coordinates = { ...into.location.coordinates, x: 10, width: 400 };
    const evidence = into.evidence.map((one) => ({ ...one, coordinates, confidence: 0.4 }));
    const larger = finding(TWO, 2, { evidence });
    const widths = (stated: Correction) => {
      const merged = mergeDamages(into, [larger], stated, pricer);
      const [best] = keepBestOfPhoto(merged.evidence);
      return [best?.coordinates.width, merged.location.coordinates.width, merged.confidence];
    };
    expect(widths({})).toEqual([400, 400, 0.8]);
    expect(widths({ box: into.location.coordinates })).toEqual([100, 100, 0.8]);
  });

  test('corrected and merged: one change in the record, the stated severity, the price of both', () => {
    const [one] = damagesOf([
      { decision: 'change', damage_id: ONE, severity: 'severe' },
      { decision: 'merge', damage_id: TWO, into: ONE },
    ]);
    expect(one).toMatchObject({ severity: 'severe', severity_score: 5 });
    const reviewed = one?.explain.filter(({ rule }) => rule.startsWith('review.'));
    const said = reviewed?.map(({ rule, inputs }) => `${rule} ${inputs.severity_before ?? ''}`);
    expect(said).toEqual(['review.changed moderate', 'review.merged ']);
  });

  test('a finding is merged, and rejected, as it was corrected', () => {
    const critical = { damage_id: TWO, severity: 'critical' } as const;
    const [one] = damagesOf([{ decision: 'merge', into: ONE, ...critical }]);
    expect(one?.severity).toBe('critical');
    const { review: record } = review([{ decision: 'reject', ...critical }]);
    expect(record.decisions[0]).toMatchObject({ original: { severity: 'moderate' }, corrected: null });
  });

  test('photos that are ticked are in the record, and what was too small in them counts as seen', () => {
    expect(review([]).data.results?.coverage).toEqual(envelope.data.results?.coverage);
    const ticks = [1, 0].map((image_index) => ({ decision: 'nothing_more' as const, image_index }));
    const { data, review: record } = review(ticks);
    expect(record.photos_checked).toEqual([0, 1]);
    const before = envelope.data.results?.coverage;
    const after = data.results?.coverage;
    const status = (one: typeof after) => one?.parts.find(({ part }) => part === 'rear_door_left')?.status;
    expect([status(before), status(after)]).toEqual(['too_small', 'seen']);
    expect(after?.seen).toBe((before?.seen ?? 0) + (before?.too_small ?? 0));
    expect(after?.not_seen).toBe(before?.not_seen);
  });
});

test('a remark stands with its decision, and changes nothing', () => {
  const noted = [
    { decision: 'accept', damage_id: ONE, note: 'seen at the shop' },
    { decision: 'reject', damage_id: TWO, note: 'a reflection' },
    { ...ADD, note: 'below the sill' },
  ] as const satisfies readonly Decision[];
  const { data, review: record } = review(noted);
  expect(record.decisions.map(({ note }) => note)).toEqual(noted.map(({ note }) => note));
  expect(data.results?.damages[0]).toEqual(damagesOf([])[0]);
});

describe('what has no name in the contract', () => {
  test.each(UNLISTED_PARTS.map(({ part, subtype }) => [subtype, part] as const))(
    '%s at %s is panel damage of the nearest part, at the price of its own row',
    (subtype, part) => {
      const said = { type: 'panel_damage', part, subtype, severity: 'critical' } as const;
      const changed = applyChange(finding(ONE, 1), said, pricer);
      expect(changed).toMatchObject({ type: 'panel_damage', subtype, location: { part } });
      const whole = { ...said, severityScore: changed.severity_score, subtype: undefined };
      expect(changed.estimated_repair.estimated).not.toBe(pricer.estimate(whole).total.est / 100);
      const drawn = placeDrawn(makeUnseenScene({ width: 1200, height: 600 }), 1, BOX, said).observation;
      expect(drawn).toMatchObject({ type: 'panel_damage', subtype, part });
    },
  );

  test('a missing part is replaced, no less than moderate, missing wherever it is moved; the word alone makes it panel damage', () => {
    const [missing] = damagesOf([{ decision: 'change', damage_id: ONE, subtype: 'missing_part' }]);
    expect(missing).toMatchObject({ type: 'panel_damage', subtype: 'missing_part' });
    expect(missing?.estimated_repair.repair_type).toBe('replacement');
    expect(missing?.severity).not.toBe('minor');
    const moved = missing && applyChange(missing, { part: 'rear_bumper' }, pricer);
    expect(moved).toMatchObject({ subtype: 'missing_part', severity_score: missing?.severity_score });
    const pane = [{ decision: 'change', damage_id: ONE, part: 'windshield', subtype: 'missing_part' }];
    expect(() => parse(pane)).toThrow('panel_damage on windshield');
  });
});

const write = (inspection: ReviewedEnvelope) =>
  JSON.stringify(writeReview({ inspection, assessment: null }, english)?.blocks);
const TICK = { decision: 'nothing_more', image_index: 0 } as const;
const LATER = { pricer, scenes: new Map(), reviewedAt: new Date(0) };

describe('what is decided on the repair itself', () => {
  const { data } = review([]);
  const row = data.results?.repair_lines?.find(({ kind }) => kind === 'part');
  const [operation] = (data.results?.expected_operations ?? []).toSorted(
    (a, b) => b.cost * b.share_of_jobs - a.cost * a.share_of_jobs,
  );
  const [line, line_id] = [row?.part ?? '', operation?.line_id ?? ''];
  const costOf = (made: typeof data, part: string) =>
    made.results?.repair_lines?.find((one) => one.kind === 'part' && one.part === part)?.cost;

  test('a price is what its row comes to, and the review says what it was', () => {
    const agreed = { decision: 'price', line, cost: 777, note: 'agreed' };
    const priced = review(parse([agreed]));
    expect(costOf(priced.data, line)).toBe(777);
    expect(priced.review.repair).toEqual([{ ...agreed, computed: row?.cost }]);
    expect(write(priced)).toMatch(/: price set to \$777\.00, computed \$[\d,.]+ \(agreed\)\./);
  });

  test.each([
    ['include', 'total', 'included in full'],
    ['exclude', 'none', 'left out'],
  ] as const)('an operation that a person would %s counts in %s', (decision, counted_in, said) => {
    const made = review(parse([{ decision, line_id }]));
    const { expected_operations: now = [] } = made.data.results ?? {};
    expect(now.find((one) => one.line_id === line_id)).toMatchObject({ counted_in });
    expect(write(made)).toContain(said);
  });

  test('it stays in effect in a review of the reviewed result, which grades and prices the same', () => {
    const price = { decision: 'price', line, cost: 777 } as const;
    const first = review(
      parse([price, { decision: 'include', line_id }, { decision: 'accept', damage_id: ONE }]),
    );
    const again = (decisions: readonly Decision[]) => applyDecisions(first, decisions, LATER);
    expect(again([]).data.results).toEqual(first.data.results);
    expect(again([]).review.repair).toEqual(first.review.repair);
    expect(costOf(again([{ ...price, cost: 500 }]).data, line)).toBe(500);
  });

  test('what an earlier review decided is reviewed, and annotated by the later one as well', () => {
    const first = review([
      { decision: 'accept', damage_id: ONE },
      { decision: 'reject', damage_id: CHK, note: 'a lamp' },
    ]);
    const second = applyDecisions(first, parse([{ decision: 'accept', damage_id: TWO }, TICK]), LATER);
    const third = applyDecisions(second, [], LATER);
    expect([first, second, third].map((one) => one.review.not_reviewed)).toEqual([[TWO], [], []]);
    expect([first, second, third].map((one) => one.review.photos_checked)).toEqual([[], [0], [0]]);
    expect(third.data.results).toEqual(second.data.results);
    const signed = [second, first].map(({ review: { reviewed_at, reviewer, decisions } }) => {
      return { reviewed_at, ...(reviewer && { reviewer }), decisions };
    });
    expect(third.review.earlier).toEqual(signed);
    expect([ONE, TWO].map(findConfirmers(third))).toEqual(['Ada', '']);
    const words = /No finding was decided on\..*Accepted 1\..*by Ada\. Accepted 1, Rejected 1\..*a lamp/;
    expect(write(third)).toMatch(words);
    const severe = parse([{ decision: 'change', damage_id: ONE, severity: 'severe' }]);
    const changed = applyDecisions(second, severe, LATER);
    const gone = applyDecisions(changed, parse([{ decision: 'reject', damage_id: ONE }]), LATER);
    const exported = [first, second, changed, gone].map((one) => {
      const { annotations, rejected, images } = exportCorrections(one);
      const said = annotations.map(
        ({ attributes: { decision, severity, before } }) => `${decision} ${severity} ${before?.severity}`,
      );
      return [images[0]?.labelled.length, said, rejected.map(({ damage_id: id }) => id)];
    });
    const all = DETECTOR_LABELS.length;
    const accepted = 'accept moderate moderate';
    expect(exported).toEqual([
      [0, [accepted], [CHK]],
      [all, [accepted, accepted], [CHK]],
      [all, ['change severe moderate', accepted], [CHK]],
      [all, [accepted], [CHK, ONE]],
    ]);
  });

  test('it no longer counts where nothing is repaired, and what is decided twice is refused', () => {
    const gone = [ONE, TWO].map((damage_id) => ({ decision: 'reject', damage_id }));
    const of = [
      { decision: 'price', line, cost: 5 },
      { decision: 'include', line_id },
    ];
    expect(review(parse([...gone, ...of])).review.repair).toBeUndefined();
    for (const one of of) expect(() => parse([one, one])).toThrow(/decided twice; decide it once/);
    expect(() => parse([{ decision: 'price', line: 'wing', cost: 5 }])).toThrow(/line/);
  });
});
