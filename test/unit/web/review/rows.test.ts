import { expect, test } from 'vitest';
import type { Damage } from '../../../../src/contract/inspection.ts';
import type { Decision } from '../../../../src/contract/review.ts';
import { findNextUndecided, listRows } from '../../../../src/web/review/rows.ts';
import {
  BOX,
  CHECK,
  CHK,
  envelope,
  finding,
  ONE,
  review,
  TWO,
} from '../../../helpers/results/reviewed-result.ts';

/** The example with other findings. */
const find = (damages: readonly Damage[], toCheck: readonly Damage[] = []) =>
  ({
    ...envelope.data,
    results: { ...envelope.data.results, damages, to_check: toCheck },
  }) as unknown as typeof envelope.data;

const at = (damage: Damage, part: Damage['location']['part'], estimated: number): Damage => ({
  ...damage,
  location: { ...damage.location, part },
  estimated_repair: { ...damage.estimated_repair, estimated },
});

test('rows stand part by part: certain damage first, then by likelihood, cost and number', () => {
  const check = (id: string, part: Damage['location']['part'], confidence: number, cost: number) =>
    at({ ...CHECK, damage_id: `chk_${id}`, confidence }, part, cost);
  const damages = [at(finding(ONE, 1), 'hood', 200), at(finding(TWO, 2), 'roof', 900)];
  const found = find(damages, [
    check('a', 'trunk_lid', 0.3, 100),
    check('b', 'rear_bumper', 0.2, 400),
    check('c', 'hood', 0.5, 5000),
    check('d', 'rear_bumper', 0.4, 100),
    check('e', 'roof', 0.1, 100),
    check('f', 'roof', 0.1, 100),
    check('g', 'front_bumper', 0.3, 100),
  ]);
  const keys = listRows(found, review([]).review, []).map(({ key }) => key);
  expect(keys).toEqual([ONE, 'chk_c', TWO, 'chk_e', 'chk_f', 'chk_b', 'chk_d', 'chk_a', 'chk_g']);
});

test('a drawn box keeps its own values after another one was removed, before and after the answer', () => {
  const add = (x: number, type: 'scratch' | 'dent'): Decision => {
    return { decision: 'add', image_index: 1, box: { ...BOX, x }, type, part: 'hood' };
  };
  const both = [add(5, 'scratch'), add(9, 'dent')];
  const { review: stored } = review(both);
  const listDrawn = (decisions: readonly Decision[]) =>
    listRows(envelope.data, stored, decisions).flatMap(({ kind, key, number, damage }) =>
      kind === 'added' ? [[key, number, damage.type]] : [],
    );
  expect(listDrawn(both)).toEqual([
    ['add:0', 4, 'scratch'],
    ['add:1', 5, 'dent'],
  ]);
  expect(listDrawn(both.slice(1))).toEqual([['add:0', 5, 'dent']]);
  expect(listDrawn([add(6, 'scratch'), add(9, 'dent')])).toHaveLength(2);
});

test('rows say what was decided, into what a finding went, and where one was drawn', () => {
  const decisions: Decision[] = [
    { decision: 'accept', damage_id: ONE },
    { decision: 'merge', damage_id: TWO, into: ONE },
    { decision: 'add', image_index: 1, box: BOX, type: 'scratch', part: 'hood' },
  ];
  const rows = listRows(envelope.data, review(decisions).review, decisions);
  expect(
    rows.map(({ kind, outcome, photoIndex, mergedInto }) => [kind, outcome, photoIndex, mergedInto]),
  ).toEqual([
    ['certain', 'accepted', 0, null],
    ['certain', 'merged', 0, 1],
    ['check', 'undecided', 0, null],
    ['added', 'added', 1, null],
  ]);
  expect(rows.at(-1)?.boxes).toEqual([{ imageIndex: 1, box: BOX }]);
  expect(findNextUndecided(rows, ONE)?.key).toBe(CHK);
  expect(findNextUndecided(rows, CHK)?.key).toBe(CHK);
});

test('rows stand by vehicle; a finding seen on two is one on each', () => {
  const [evidence = expect.fail()] = finding(ONE, 1).evidence;
  const both = finding(ONE, 1, { evidence: [evidence, { ...evidence, image_index: 1, confidence: 0.5 }] });
  const found = find([both]);
  const rows = listRows(found, review([]).review, [{ decision: 'vehicle', image_index: 1, vehicle: 3 }]);
  expect(rows.map(({ key, vehicle, boxes }) => [key, vehicle, boxes.length])).toEqual([
    [ONE, 1, 1],
    [`${ONE}002`, 2, 1],
  ]);
  expect(listRows(found, review([]).review, []).map(({ key }) => key)).toEqual([ONE]);
});
