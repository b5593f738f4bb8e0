import { describe, expect, it } from 'vitest';
import { describeReviewer, writeReview } from '../../../../src/report/content/review.ts';
import { writeTitleBlock } from '../../../../src/report/content/title-block.ts';
import { describeCertainty, listDamageRows } from '../../../../src/report/finding-rows.ts';
import { writeIn } from '../../../../src/report/languages.ts';
import { english } from '../../../../src/report/translator.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const inspection = exampleInspection({ damages: 2, photos: 2 });
const [first, second] = inspection.data.results?.damages ?? [];
const place = { damage_id: 'chk_hood_001' };
const review = {
  reviewed_at: '2026-11-21T08:00:00.000Z',
  reviewer: 'R. Roe',
  decisions: [
    // The id of a place to check changes when it is accepted.
    { ...place, decision: 'accept', original: { ...first, ...place }, corrected: first },
    { damage_id: second?.damage_id, decision: 'reject', original: second, corrected: null },
  ],
  photos_checked: [],
  not_reviewed: [],
};

const reviewed = (more: object) => ({ ...inspection, review: { ...review, ...more } });
const write = (more: object) =>
  writeReview({ inspection: reviewed(more) as never, assessment: null }, english);

describe('the review in a report', () => {
  it('says who reviewed when, and what was rejected', () => {
    const input = { inspection: reviewed({}), assessment: null };
    expect(describeReviewer(input, english)).toBe('reviewed by R. Roe 2026-11-21 08:00 UTC');
    const text = JSON.stringify(write({}));
    expect(text).toContain('Reviewed 2026-11-21 08:00 UTC by R. Roe. Accepted 1, Rejected 1.');
    expect(text).not.toContain(second?.damage_id);
    const rows = JSON.stringify([[String(second?.number), 'Rejected']]).slice(2, -2);
    expect(text).toContain(rows);
  });

  it('says that it is not finished', () => {
    const begun = { inspection: reviewed({ unfinished: true }), assessment: null };
    expect(writeTitleBlock(begun, new Date(0), english).status).toMatch(/, review not finished$/);
    const text = JSON.stringify(write({ unfinished: true }));
    expect(text).toContain('The review is not finished. Accepted 1, Rejected 1.');
    expect(text).not.toContain('Reviewed 2026');
  });

  it('names who confirmed a damage in place of how sure its photos are', () => {
    const decided = reviewed({ decisions: review.decisions.slice(0, 1) });
    const [confirmed, open] = listDamageRows({ inspection: decided, assessment: null });
    expect(confirmed && describeCertainty(confirmed)).toBe('confirmed by R. Roe');
    expect(open && describeCertainty(open)).toMatch(/^\d+ % sure$/);
  });

  it('carries what was remarked, also on what was accepted', () => {
    const [accepted, ...rest] = review.decisions;
    const decisions = [{ ...accepted, note: 'seen at the shop' }, ...rest];
    expect(JSON.stringify(write({ decisions }))).toContain('. seen at the shop');
  });

  it.each([
    [english, 'Hood, remove and install: included in full (agreed).'],
    [writeIn('de'), 'Motorhaube, Aus- und Einbau: voll enthalten (agreed).'],
  ])('words the operation of a decision on the repair', (t, sentence) => {
    const line_id = 'hood/ri';
    const expected_operations = [{ line_id, operation: 'R&I', part: 'hood' }];
    const results = { ...inspection.data.results, expected_operations };
    const repair = [{ decision: 'include', line_id, note: 'agreed' }];
    const decided = { ...reviewed({ repair }), data: { ...inspection.data, results } };
    const { blocks = [] } = writeReview({ inspection: decided as never, assessment: null }, t) ?? {};
    expect(blocks.at(-1)).toMatchObject({ text: sentence });
  });

  it.each([
    ['reject', 'a reflection', {}, 'a reflection'],
    ['reject', undefined, {}, '–'],
    ['merge', undefined, { into: first?.damage_id }, `Part of no. ${first?.number}`],
  ])('shows what became of a finding: %s, %s', (decision, note, more, wanted) => {
    const [accepted, other] = review.decisions;
    const decisions = [accepted, { ...other, decision, ...more, ...(note && { note }) }];
    const blocks = write({ decisions })?.blocks ?? [];
    const rows = blocks.flatMap((one) => (one.kind === 'table' ? one.rows : []));
    expect(rows.map(({ cells }) => cells.at(-1))).toEqual([wanted]);
  });

  it.each([
    [['a', 'b'], ' Not reviewed: 2.'],
    [[], ''],
  ])('counts what was not reviewed: %j', (not_reviewed, end) => {
    const text = `Reviewed 2026-11-21 08:00 UTC by R. Roe. No finding was decided on.${end}`;
    expect(write({ decisions: [], not_reviewed })?.blocks).toMatchObject([{ text }]);
  });

  it.each([
    ...[undefined, null, 7, { reviewed_at: 3 }, { ...review, decisions: [{}] }],
    { ...review, decisions: [{ ...review.decisions[0], note: 7 }] },
    { ...review, decisions: [{ ...review.decisions[0], decision: 'constructor' }] },
    { ...review, decisions: [{ ...review.decisions[0], original: { ...first, subtype: 5 } }] },
  ])('is absent for %j', (other) => {
    const odd = { ...inspection, review: other };
    expect(writeReview({ inspection: odd, assessment: null }, english)).toBeNull();
  });
});
