import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../../src/contract/review.ts';
import {
  addFinding,
  attachAddition,
  changeAddition,
  changeFinding,
  clearDecision,
  type Decisions,
  findDecision,
  isMarkedComplete,
  judge,
  judgeAll,
  markComplete,
  mergeFinding,
  removeAddition,
  setNote,
} from '../../../../src/web/review/decide.ts';
import { record, redo, startHistory, undo } from '../../../../src/web/review/history.ts';

const BOX = { x: 1, y: 2, width: 3, height: 4 };
const IDS = ['dmg_hood_001', 'dmg_roof_001', 'chk_hood_001'] as const;
const [HOOD, ROOF, CHECK] = IDS;
const drawn = { image_index: 0, box: BOX, type: 'dent' } as const;

describe('decisions', () => {
  test('a remark stays with its finding whatever is decided on it, until it is taken away', () => {
    const [judged] = judge([], HOOD, 'accept');
    const noted = judged ? setNote([judged], judged, 'seen at the shop') : [];
    expect(noted).toEqual([{ decision: 'accept', damage_id: HOOD, note: 'seen at the shop' }]);
    const changed = changeFinding(judge(noted, HOOD, 'reject'), HOOD, { type: 'rust' });
    expect(changed).toMatchObject([{ decision: 'change', note: 'seen at the shop' }]);
    const [last] = changed;
    expect(last && setNote(changed, last, '')[0]).not.toHaveProperty('note');
    expect(clearDecision(changed, HOOD)).toEqual([]);
  });

  test('another type or part takes back the finer word; another severity does not', () => {
    const missing = changeFinding([], HOOD, { type: 'panel_damage', subtype: 'missing_part' });
    const severe = changeFinding(missing, HOOD, { severity: 'severe' });
    expect(severe).toMatchObject([{ subtype: 'missing_part', severity: 'severe' }]);
    expect(changeFinding(severe, HOOD, { type: 'dent' })).toEqual([
      { decision: 'change', damage_id: HOOD, type: 'dent', severity: 'severe' },
    ]);
    const drawnMissing = addFinding([], { ...drawn, type: 'panel_damage', subtype: 'missing_part' });
    expect(changeAddition(drawnMissing, 0, { part: 'roof' })[0]).not.toHaveProperty('subtype');
  });

  test('the last word on a finding counts; a change keeps what was said before', () => {
    const list = changeFinding(changeFinding(judge([], HOOD, 'accept'), HOOD, { type: 'rust' }), HOOD, {
      severity: 'minor',
    });
    expect(list).toEqual([{ decision: 'change', damage_id: HOOD, type: 'rust', severity: 'minor' }]);
    expect(judge(list, HOOD, 'reject')).toEqual([{ decision: 'reject', damage_id: HOOD }]);
    expect(clearDecision(list, HOOD)).toEqual([]);
  });

  test('what was merged into a finding stays by itself when that is rejected', () => {
    const list = changeAddition(addFinding(mergeFinding([], ROOF, HOOD), drawn), 0, { into: HOOD });
    expect(judge(list, HOOD, 'reject')).toEqual([
      { decision: 'add', ...drawn },
      { decision: 'reject', damage_id: HOOD },
    ]);
  });

  test('a place to check that something is merged into becomes a damage, a rejected damage stays after all', () => {
    expect(findDecision(mergeFinding([], HOOD, CHECK), CHECK)?.decision).toBe('accept');
    expect(findDecision(mergeFinding(judge([], CHECK, 'reject'), HOOD, CHECK), CHECK)?.decision).toBe(
      'accept',
    );
    expect(findDecision(mergeFinding(judge([], ROOF, 'reject'), HOOD, ROOF), ROOF)).toBeUndefined();
    const attached = attachAddition(addFinding(judge([], CHECK, 'reject'), drawn), 0, CHECK);
    expect(findDecision(attached, CHECK)?.decision).toBe('accept');
    expect(attached.find((one) => one.decision === 'add')).toMatchObject({ into: CHECK });
  });

  test.each(['accept', 'reject'] as const)(
    'with %s for all that are left no decision is overruled',
    (verdict) => {
      const list = judgeAll(judge([], HOOD, 'reject'), [HOOD, ROOF], verdict);
      expect(list.map(({ decision }) => decision)).toEqual(['reject', verdict]);
    },
  );

  test('additions are named by their turn, photos are ticked and unticked', () => {
    const two = addFinding(addFinding([], drawn), { ...drawn, type: 'rust' });
    expect(removeAddition(two, 0)).toEqual([{ decision: 'add', ...drawn, type: 'rust' }]);
    expect(changeAddition(two, 1, { part: 'roof' })[1]).toMatchObject({ type: 'rust', part: 'roof' });
    expect(isMarkedComplete(markComplete([], 3, true), 3)).toBe(true);
    expect(markComplete(markComplete([], 3, true), 3, false)).toEqual([]);
  });
});

const step: fc.Arbitrary<(list: Decisions) => Decisions> = fc.oneof(
  fc.tuple(fc.constantFrom(...IDS), fc.constantFrom('accept', 'reject')).map(
    ([id, verdict]) =>
      (list: Decisions) =>
        judge(list, id, verdict as 'accept'),
  ),
  fc.constantFrom(...IDS).map((id) => (list: Decisions) => changeFinding(list, id, { severity: 'severe' })),
  fc.constant((list: Decisions) => addFinding(list, drawn)),
  fc.constant((list: Decisions) => removeAddition(list, 0)),
  fc.nat(2).map((index) => (list: Decisions) => markComplete(list, index, !isMarkedComplete(list, index))),
  fc.constant((list: Decisions) => mergeFinding(list, ROOF, HOOD)),
);

describe('undo and redo', () => {
  test('to the start and to the end again give the same list, whatever was decided', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const end = steps.reduce(
          (history, one) => record(history, one(history.present)),
          startHistory<Decisions>([]),
        );
        let back = end;
        while (back.past.length > 0) back = undo(back);
        expect(back.present).toEqual([]);
        let forth = back;
        while (forth.future.length > 0) forth = redo(forth);
        expect(forth).toEqual(end);
      }),
    );
  });

  test('every finding has at most one decision, whatever is decided', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const list = steps.reduce<Decisions>((now, one) => one(now), []);
        const ids = list.flatMap((one: Decision) => ('damage_id' in one ? [one.damage_id] : []));
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test('what is new ends what was undone', () => {
    const history = record(undo(record(startHistory(1), 2)), 3);
    expect(redo(history).present).toBe(3);
    expect(undo(history).present).toBe(1);
  });
});
