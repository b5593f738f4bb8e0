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
  findPrice,
  isMarkedComplete,
  isOneVehicle,
  joinDecisions,
  judge,
  markComplete,
  mergeFinding,
  moveToVehicle,
  removeAddition,
  setNote,
  setPrice,
  toggleOneVehicle,
  toggleOperation,
} from '../../../../src/web/review/decisions.ts';

const BOX = { x: 1, y: 2, width: 3, height: 4 };
const IDS = ['dmg_hood_001', 'dmg_roof_001', 'chk_hood_001'] as const;
const [HOOD, ROOF, CHECK] = IDS;
const drawn = { image_index: 0, box: BOX, type: 'dent' } as const;

describe('decisions', () => {
  test('a remark stays with its finding whatever is decided on it, until it is taken away', () => {
    const [judged] = judge([], HOOD, 'accept');
    const noted = judged ? setNote([judged], judged, 'seen at the shop') : [];
    expect(noted).toEqual([{ decision: 'accept', damage_id: HOOD, note: 'seen at the shop' }]);
    const rejected = judge(noted, HOOD, 'reject');
    expect(judge(rejected, HOOD, 'accept')).toEqual(noted);
    const changed = changeFinding(rejected, HOOD, { type: 'rust' });
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

  test('a box of another photo is added to those of others; one of the same photo replaces it', () => {
    const list = [0, 1, 0].reduce<Decisions>(
      (now, image_index, turn) => changeFinding(now, HOOD, { box: { ...BOX, x: turn }, image_index }),
      [],
    );
    const other = { box: { ...BOX, x: 1 }, image_index: 1 };
    expect(list).toMatchObject([{ box: { x: 2 }, image_index: 0, boxes: [other] }]);
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
    expect(findDecision(mergeFinding(judge([], ROOF, 'reject'), HOOD, ROOF), ROOF)?.decision).toBe('accept');
    const merged = mergeFinding([], HOOD, ROOF);
    expect(merged).toEqual([{ decision: 'merge', damage_id: HOOD, into: ROOF }]);
    expect(judge(merged, HOOD, 'accept')).toEqual(merged);
    const attached = attachAddition(addFinding(judge([], CHECK, 'reject'), drawn), 0, CHECK);
    expect(findDecision(attached, CHECK)?.decision).toBe('accept');
    expect(attached.find((one) => one.decision === 'add')).toMatchObject({ into: CHECK });
  });

  test('additions are named by their turn; photos are ticked and unticked, prices set and taken back', () => {
    const priced = setPrice(setPrice([], 'hood', 5), 'hood', 7);
    expect([priced, findPrice(priced, 'hood')]).toEqual([[{ decision: 'price', line: 'hood', cost: 7 }], 7]);
    expect(setPrice(priced, 'hood', null)).toEqual([]);
    const two = addFinding(addFinding([], drawn), { ...drawn, type: 'rust' });
    expect(removeAddition(two, 0)).toEqual([{ decision: 'add', ...drawn, type: 'rust' }]);
    expect(changeAddition(two, 1, { part: 'roof' })[1]).toMatchObject({ type: 'rust', part: 'roof' });
    expect(isMarkedComplete(markComplete([], 3, true), 3)).toBe(true);
    expect(markComplete(markComplete([], 3, true), 3, false)).toEqual([]);
    expect(toggleOperation(toggleOperation([], 'op', 'include'), 'op', 'include')).toEqual([]);
  });
});

/** What a reviewer may do to the list, by name; the verdicts on a finding may change nothing else that was said of it. */
const VERDICTS: Readonly<Record<string, (list: Decisions, id: string, other: string) => Decisions>> = {
  accept: (list, id) => judge(list, id, 'accept'),
  reject: (list, id) => judge(list, id, 'reject'),
  merge: (list, id, other) => (id === other ? list : mergeFinding(list, id, other)),
};
const CHANGES: typeof VERDICTS = {
  severity: (list, id) => changeFinding(list, id, { severity: 'severe' }),
  nothingMore: (list) => markComplete(list, 1, !isMarkedComplete(list, 1)),
  operation: (list) => toggleOperation(list, 'op', 'include'),
  type: (list, id) => changeFinding(list, id, { type: 'rust' }),
  missing: (list, id) => changeFinding(list, id, { type: 'panel_damage', subtype: 'missing_part' }),
  part: (list, id) => changeFinding(list, id, { part: 'roof' }),
  box: (list, id) => changeFinding(list, id, { box: BOX, image_index: 0 }),
  boxOfAnother: (list, id) => changeFinding(list, id, { box: { ...BOX, x: 9 }, image_index: 1 }),
  note: (list, id) =>
    list.flatMap((one) => ('damage_id' in one && one.damage_id === id ? setNote([one], one, 'n') : [one])),
  price: (list) => setPrice(list, 'hood', 12),
  draw: (list) => addFinding(list, drawn),
  attach: (list, id) => attachAddition(list, 0, id),
  takeAway: (list) => removeAddition(list, 0),
  clear: (list, id) => clearDecision(list, id),
};
const ACTIONS = { ...VERDICTS, ...CHANGES };

const action = fc.constantFrom(...Object.keys(ACTIONS));
const steps = fc.array(fc.tuple(action, fc.constantFrom(...IDS), fc.constantFrom(...IDS)), { maxLength: 40 });
describe('a walk of forty actions', () => {
  test.each(Object.keys(VERDICTS))('after %s, accepting gives back what was changed', (name) => {
    const changed = ['severity', 'part', 'box', 'boxOfAnother'].reduce<Decisions>(
      (list, change) => CHANGES[change]?.(list, HOOD, HOOD) ?? list,
      [],
    );
    const judged = VERDICTS[name]?.(changed, HOOD, ROOF) ?? [];
    const back = judge(clearDecision(judged, ROOF), HOOD, 'accept');
    expect(findDecision(back, HOOD)).toEqual(findDecision(changed, HOOD));
  });

  test('two pages that change different things keep both; where they differ, the stored one stands', () => {
    const base = changeFinding([], HOOD, { severity: 'minor' });
    const own = setPrice(judge(addFinding(base, drawn), ROOF, 'accept'), 'hood', 5);
    const stored = judge(markComplete(base, 1, true), ROOF, 'reject');
    const { joined, lost } = joinDecisions(base, own, stored);
    expect(lost).toEqual([{ decision: 'accept', damage_id: ROOF }]);
    expect(new Set(joined)).toEqual(
      new Set([...stored, { decision: 'add', ...drawn }, { decision: 'price', line: 'hood', cost: 5 }]),
    );
    expect(joinDecisions(base, own, own)).toEqual({ joined: own, lost: [] });
    const box = { decision: 'add' as const, ...drawn };
    const further = { ...box, type: 'rust' as const };
    expect(joinDecisions([box, box], [box], [box, box, further]).joined).toEqual([box, further]);
  });

  test('two pages that walk from one state lose nothing that only one of them touched', () => {
    fc.assert(
      fc.property(steps, steps, steps, (before, one, other) => {
        const walk = (from: Decisions, list: typeof before) =>
          list.reduce<Decisions>((now, [name, id, to]) => ACTIONS[name]?.(now, id, to) ?? now, from);
        const base = walk([], before);
        const [own, stored] = [walk(base, one), walk(base, other)];
        const { joined, lost } = joinDecisions(base, own, stored);
        const texts = (list: Decisions) => list.map((said) => JSON.stringify(said));
        for (const said of texts(stored).filter((text) => !texts(base).includes(text)))
          expect(texts(joined)).toContain(said);
        for (const said of texts(own).filter((text) => !texts(base).includes(text)))
          expect([...texts(joined), ...texts(lost)]).toContain(said);
      }),
      { seed: 41 },
    );
  });
});

const TWO_GROUPS = [1, 2].map((group) => ({ group, images: [group - 1], image_urls: [], color: 'red' }));
const accept: Decision = { decision: 'accept', damage_id: HOOD };
const moved: Decision = { decision: 'vehicle', image_index: 1, vehicle: 3 };

test('a photo back where it was found has no decision; a second move replaces the first', () => {
  const once = moveToVehicle([accept], 1, 3, TWO_GROUPS);
  expect(once).toEqual([accept, moved]);
  expect(moveToVehicle(once, 1, 1, TWO_GROUPS)).toEqual([accept, { ...moved, vehicle: 1 }]);
  expect(moveToVehicle(once, 1, 2, TWO_GROUPS)).toEqual([accept]);
  // Where all are one vehicle, the first is home.
  const one: Decision[] = [{ decision: 'one_vehicle' }];
  expect(moveToVehicle(moveToVehicle(one, 1, 2, TWO_GROUPS), 1, 1, TWO_GROUPS)).toEqual(one);
});

test('all on one vehicle takes back every move, and the same again leads to what was found', () => {
  const one = toggleOneVehicle([accept, moved], TWO_GROUPS);
  expect(one).toEqual([accept, { decision: 'one_vehicle' }]);
  expect(isOneVehicle(one)).toBe(true);
  expect(toggleOneVehicle(one, TWO_GROUPS)).toEqual([accept]);
  expect(toggleOneVehicle([accept, moved], [])).toEqual([accept]);
});
