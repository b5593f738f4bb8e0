import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import type { Decision } from '../../../../src/contract/review.ts';
import { OUTSIDE_PARTS } from '../../../../src/domain/parts.ts';
import { listFittingTypes } from '../../../../src/domain/possible-types.ts';
import { UNLISTED_PARTS } from '../../../../src/domain/unlisted-parts.ts';
import { createRandom } from '../../../../src/lib/random.ts';
import { setPrice } from '../../../../src/web/review/decisions.ts';
import { SHORTCUTS } from '../../../../src/web/review/keys.ts';
import { actions, decide, drawing, openExample, press, settle, state } from './example-review.ts';

/** Walks of these seeds, of this many acts each; `VEHI_WALKS=5-100` walks others. */
const [FIRST = 0, LAST = 4] = process.env.VEHI_WALKS?.split('-').map(Number) ?? [];
const ACTS = 40;
const PLACES = [...OUTSIDE_PARTS.map((part) => ({ part })), ...UNLISTED_PARTS];
const KEYS = Object.values(SHORTCUTS).map(({ keys: [key] }) => key);
/** Keys of which each has an effect that another one may lose. */
const FREQUENT = ['A', 'R', 'K', '1', '4', 'D', 'B', 'M', 'V', 'L', 'Z', 'Shift+Z', 't 1', 't 8'];

type Decisions = readonly Decision[];
type Roll = (below: number) => number;
/** One thing that a person does: a key, or what is done by mouse or in a dialog. */
type Act = readonly [words: string, run: () => unknown];

afterAll(() => vi.unstubAllGlobals());

const pick = <T>(list: readonly T[], roll: Roll): T => list[roll(list.length)] as T;
const key = (name: string): Act => [name, () => press(name)];

/** Chooses what to do next. A dialog and a box are left half of the time. */
function choose(roll: Roll): Act {
  const { value: dialog } = state.dialog;
  const row = state.current.value;
  const leave: Act = [
    'leave',
    () => {
      if (state.waitingBox.value) drawing.dropBox(state.waitingBox.value);
      state.closeDialog();
    },
  ];
  const place = pick(PLACES, roll);
  const subject = dialog === 'part' ? row : state.waitingBox.value;
  if (dialog !== 'none' && roll(2) === 0) return leave;
  if (dialog === 'part' || dialog === 'box')
    return ['name a part', () => subject && drawing.setPart(subject, place)];
  if (dialog === 'repair')
    return [
      'set a price',
      () => decide(setPrice(state.decisions.value, place.part, roll(2) ? roll(900) : null)),
    ];
  if (dialog === 'finish') return ['look through every photo', actions.completeAllPhotos];
  if (dialog === 'vehicle') return pick([key(`${1 + roll(4)}`), key('Shift+V')], roll);
  if (dialog !== 'none') return leave;
  const [x, y, width, height] = [roll(1000), roll(500), 1 + roll(200), 1 + roll(100)];
  const draw: Act = [
    'draw',
    () => {
      drawing.setDrawnBox({ x, y, width, height });
      return drawing.acceptBox();
    },
  ];
  if (state.mode.value.kind === 'draw' && roll(3) > 0) return pick([draw, key('Escape')], roll);
  const types = actions.TYPE_CHOICES.filter(
    ({ type }) => row && listFittingTypes(row.damage.location.part, type).includes(type),
  );
  const byMouse: readonly Act[] = [
    ['click a finding', () => state.select(pick(state.rows.value, roll).key)],
    ['click a photo', () => actions.showPhoto(roll(2))],
    ['click a type', () => row && actions.setType(row, pick(types, roll))],
    ['click As found', actions.clearCurrent],
  ];
  return roll(3) === 0 ? pick(byMouse, roll) : key(pick(roll(3) === 0 ? KEYS : FREQUENT, roll));
}

/** What was said of each subject, without verdicts: corrections of findings, drawn boxes, prices, photos marked. */
function readSaid(decisions: Decisions): ReadonlyMap<string, object> {
  let additions = 0;
  return new Map(
    decisions.map((one): [string, object] => {
      if (one.decision === 'add') {
        const { into: _, ...said } = one;
        return [`add:${additions++}`, said];
      }
      if (!('damage_id' in one)) return [JSON.stringify(one), {}];
      const { decision: _, damage_id: id, into: __, ...said } = one as typeof one & { into?: string };
      return [id, said];
    }),
  );
}

const isOfVehicles = ({ decision }: Decision) => decision === 'vehicle' || decision === 'one_vehicle';
const countBoxes = (decisions: Decisions) => decisions.filter(({ decision }) => decision === 'add').length;

/** Returns what an act lost or changed that it may not; null if nothing. */
function findLoss(
  words: string,
  selected: string | null,
  before: Decisions,
  after: Decisions,
): string | null {
  const [were, are] = [before, after].map((list) => list.filter(isOfVehicles));
  if (!isDeepStrictEqual(were, are)) {
    const others = [before, after].map((list) => list.filter((one) => !isOfVehicles(one)));
    return isDeepStrictEqual(others[0], others[1]) ? null : 'decisions on other things than vehicles';
  }
  const taken = countBoxes(before) - countBoxes(after);
  if (taken > 0)
    return taken === 1 && /^(R|Delete)$/.test(words) && selected?.startsWith('add:') ? null : 'a drawn box';
  const now = readSaid(after);
  const ids = after.flatMap((one) => ('damage_id' in one ? [one.damage_id] : []));
  if (new Set(ids).size < ids.length) return 'a second decision on a finding';
  const isVerdict = /^(Shift\+)?[ARX]$/.test(words);
  for (const one of before) {
    if (!('damage_id' in one) || one.damage_id === selected || one.decision === 'merge') continue;
    const next = after.find((other) => 'damage_id' in other && other.damage_id === one.damage_id);
    // What is merged may become undecided with its target, and any finding may be merged.
    if (next?.decision !== one.decision && next?.decision !== 'merge')
      return `the decision on ${one.damage_id}`;
  }
  for (const [subject, said] of readSaid(before)) {
    const next = now.get(subject);
    if (isDeepStrictEqual(next, said) || (next === undefined && Object.keys(said).length === 0)) continue;
    if (isVerdict || subject !== selected) return `what was said of ${subject}`;
    // Another type or part has its own subtype; one box of several is stated as the box.
    const gone = Object.keys(said).filter(
      (field) => !(field in (next ?? {})) && !/^(subtype|boxes)$/.test(field),
    );
    if (gone.length > 0 && words !== 'click As found') return `${gone.join(', ')} of ${subject}`;
  }
  return null;
}

test.each(Array.from({ length: LAST - FIRST + 1 }, (_, turn) => FIRST + turn))(
  'keys, clicks, boxes and dialogs in any order lose nothing (seed %d)',
  async (seed) => {
    const service = await openExample();
    const random = createRandom(seed + 1);
    const roll: Roll = (below) => Math.floor(random() * below);
    const walked: string[] = [];
    const [past, future]: [Decisions[], Decisions[]] = [[], []];
    let { decisions: before } = service;
    for (let turn = 0; turn < ACTS; turn++) {
      const selected = state.selected.value;
      const [words, run] = choose(roll);
      walked.push(words);
      await run();
      await settle();
      const { decisions: after } = service;
      const [from, to] = words === 'Z' ? [past, future] : [future, past];
      if (words === 'Z' || words === 'Shift+Z') {
        expect([...walked, after]).toEqual([...walked, from.pop() ?? before]);
        if (!isDeepStrictEqual(after, before)) to.push(before);
      } else if (!isDeepStrictEqual(after, before)) {
        expect([...walked, findLoss(words, selected, before, after)]).toEqual([...walked, null]);
        past.push(before);
        future.length = 0;
      }
      before = after;
    }
    // Undo leads to the beginning, redo to the end.
    const ends = { z: past[0] ?? before, 'Shift+Z': future[0] ?? before };
    while (state.dialog.value !== 'none') await choose(() => 0)[1]();
    await press('Escape');
    for (const [undo, steps] of [
      ['z', 'past'],
      ['Shift+Z', 'future'],
    ] as const) {
      while (state.history.value[steps].length > 0) {
        state.dialog.value = 'none';
        await press(undo);
      }
      expect(service.decisions).toEqual(ends[undo]);
    }
  },
);
