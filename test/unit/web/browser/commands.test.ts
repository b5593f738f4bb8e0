import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { DAMAGE_TYPES } from '../../../../src/domain/damage.ts';
import { OUTSIDE_PARTS } from '../../../../src/domain/parts.ts';
import { UNLISTED_PARTS } from '../../../../src/domain/unlisted-parts.ts';
import { describePlace } from '../../../../src/report/words.ts';
import { CHK, ONE, TWO } from '../../../helpers/results/reviewed-result.ts';
import {
  actions,
  CHK2,
  drawing,
  findPlaces,
  openExample,
  press,
  saving,
  settle,
  state,
  THREE,
} from './example-review.ts';

let service: Awaited<ReturnType<typeof openExample>>;
const notice = () => state.notice.value;

beforeEach(async () => {
  service = await openExample();
});
afterAll(() => vi.unstubAllGlobals());

/** Draws a box on the front door in the photo shown. */
async function draw(): Promise<void> {
  await press('d');
  drawing.setDrawnBox({ x: 320, y: 120, width: 100, height: 80 });
  await drawing.acceptBox();
  await settle();
}

test.each([
  ['t 1', { type: DAMAGE_TYPES[0] }],
  ['d t 1', { type: DAMAGE_TYPES[0] }],
  ['b t 1', { type: DAMAGE_TYPES[0] }],
  ['m t 1', { type: DAMAGE_TYPES[0] }],
  ['t 8', { type: 'panel_damage', subtype: 'missing_part' }],
  ['t 9', { type: 'panel_damage', subtype: 'misaligned_part' }],
  ['t 8 t 7', { type: 'panel_damage' }],
  ['t 7 3', { type: 'panel_damage', severity: 'severe' }],
])('%s states %j, and ends the mode', async (keys, stated) => {
  await press(keys);
  expect(service.decisions).toEqual([{ decision: 'change', damage_id: ONE, ...stated }]);
  expect(state.mode.value.kind).toBe('look');
});

test.each(['t Escape', 't j', 't n', 't u', 't a', 't x', 'd n', 'b j', 'm m'])(
  '%s ends what was begun, without a word',
  async (keys) => {
    await press(keys);
    expect([state.mode.value.kind, notice()]).toEqual(['look', '']);
  },
);

test.each([
  ['accepted', 'r k a', 'No. 1 was rejected and is accepted now.'],
  ['of another severity', 'r k 3', 'No. 1 was rejected and is changed now.'],
  ['of another type', 'r k t 1', 'No. 1 was rejected and is changed now.'],
  ['a key without a command', '7', '7 does nothing here: 1 to 4 set the severity, T and a digit the type.'],
  ['a letter without a command', 'h', 'H does nothing here: ? lists the keys.'],
  ['with Shift', 'Shift+H', 'Shift+H does nothing here: ? lists the keys.'],
  ['a key that is none of the page', 'h F2', 'H does nothing here: ? lists the keys.'],
  ['photos unmarked', 'Shift+X z', 'Undone: 2 photos are not marked as looked through.'],
  ['a photo unmarked', 'x z', 'Undone: left.jpg is not marked as looked through.'],
  ['a photo marked again', 'x z Shift+Z', 'Redone: left.jpg is marked as looked through.'],
  ['a change that is back', '1 r z', 'Undone: no. 1 is changed.'],
  ['a photo moved to another vehicle', 'v 2', 'left.jpg shows vehicle 2 now.'],
  ['a photo moved back', 'v 2 z', 'Undone: left.jpg shows vehicle 1.'],
  ['all made one vehicle', 'v 2 Shift+V z', 'Undone: left.jpg shows vehicle 2.'],
  [
    'all decided but what is hidden',
    'c a a a',
    'All findings in the list are decided. Press C to list 2 hidden places to check.',
  ],
])('what is said: %s', async (_, keys, said) => {
  await press(keys);
  expect(notice()).toBe(said);
});

test('a type that the part cannot have is refused', async () => {
  if (state.current.value) drawing.setPart(state.current.value, { part: 'windshield' });
  await press('t 2');
  expect(notice()).toMatch(/^Windshield cannot have dent\. Choose another type/);
  expect(service.decisions).toMatchObject([{ type: 'glass_damage', part: 'windshield' }]);
  await press('t 4');
  expect(service.decisions).toMatchObject([{ type: 'crack', part: 'windshield' }]);
});

test('undoing the mark of another photo shows that photo and drops a drawn box', async () => {
  await press('x d');
  drawing.setDrawnBox({ x: 1, y: 2, width: 3, height: 4 });
  await press('z');
  expect([state.photoIndex.value, state.mode.value]).toEqual([0, { kind: 'look' }]);
});

test('a finding that is as found again is named once', async () => {
  await press('r k');
  actions.clearCurrent();
  expect(notice()).toBe('No. 1 was rejected and is undecided again now.');
});

test('a key that is held decides one finding', async () => {
  await press('r');
  await press('r r', true);
  expect(service.decisions).toEqual([{ decision: 'reject', damage_id: ONE }]);
});

test('saying again what is said is no step of its own to undo', async () => {
  await press('1 1 a k a');
  expect(service.decisions).toHaveLength(1);
  await press('z');
  expect(service.decisions).toEqual([]);
});

test.each([
  ['Shift+A', 'r', 'accept', '1 accepted on this photo.'],
  ['Shift+R', 'a', 'reject', '1 rejected on this photo.'],
] as const)('%s decides what is left on the photo, and nothing else', async (rest, other, verdict, said) => {
  state.select(THREE);
  await press(other);
  actions.showPhoto(1);
  await press(rest);
  expect(service.decisions).toEqual([
    { decision: verdict === 'accept' ? 'reject' : 'accept', damage_id: THREE },
    { decision: verdict, damage_id: CHK2 },
  ]);
  expect(notice()).toContain(said);
});

test('a drawn box stays when it is accepted, and goes when it is rejected', async () => {
  await draw();
  const { part } = state.current.value?.damage.location ?? {};
  expect([state.selected.value, part]).toEqual(['add:0', 'front_door_left']);
  await press('a');
  expect(service.decisions).toMatchObject([{ decision: 'add', image_index: 0 }]);
  state.select('add:0');
  await press('r');
  expect(service.decisions).toEqual([]);
});

test('a new box does not begin with that of the finding that was edited', async () => {
  await press('b');
  expect(drawing.drawnBox.value).not.toBeNull();
  await press('d');
  expect(drawing.drawnBox.value).toBeNull();
});

test.each([
  ['a finding into a finding', 'm j m', [{ decision: 'merge', damage_id: ONE, into: TWO }]],
  [
    'a finding into a place to check',
    `m j j j m`,
    [
      { decision: 'accept', damage_id: CHK },
      { decision: 'merge', damage_id: ONE, into: CHK },
    ],
  ],
  ['a finding into itself', 'm m', []],
])('M merges %s', async (_, keys, decisions) => {
  await press(keys);
  expect(service.decisions).toEqual(decisions);
});

test('M attaches a drawn box to a finding, from either side', async () => {
  await draw();
  await press('m');
  state.select(CHK);
  await press('m');
  expect(service.decisions).toMatchObject([{ decision: 'add', into: CHK }, { damage_id: CHK }]);
  await press('z');
  state.select(CHK);
  await press('m');
  state.select('add:0');
  await press('m');
  expect(service.decisions).toMatchObject([{ decision: 'add', into: CHK }, { damage_id: CHK }]);
});

test('what two pages decide is joined; what does not stand is named, and what the page said stays', async () => {
  const storeElsewhere = (...decisions: typeof service.decisions) =>
    Object.assign(service, { revision: service.revision + 1, decisions });
  storeElsewhere({ decision: 'accept', damage_id: ONE });
  await press('r');
  expect(notice()).toBe('Another page has also changed this review. Its decisions on no. 1 were kept.');
  await press('r');
  expect(service.decisions.map(({ decision }) => decision)).toEqual(['accept', 'reject']);
  storeElsewhere(...service.decisions, { decision: 'nothing_more', image_index: 1 });
  await press('z');
  expect(notice()).toBe('Undone: no. 2 is undecided. Another page has also changed this review.');
});

test('a failed save is said until its repeat succeeds', async () => {
  const seen: string[] = [];
  const stop = saving.saving.subscribe((value) => seen.push(value));
  service.refuses = 503;
  await press('r');
  stop();
  expect(seen).toEqual(['saved', 'saving', 'unreachable', 'saved']);
});

test.each([
  [400, 'ready', 'Not possible: no.', 0],
  [422, 'ready', 'Not possible: no.', 0],
  [404, 'refused', '', 0],
  [503, 'ready', '', 1],
])('a change answered with %d leaves the page %s, which says %j', async (status, phase, said, stored) => {
  service.refuses = status;
  await press('r');
  expect([saving.phase.value, notice(), service.decisions.length]).toEqual([phase, said, stored]);
  expect(state.decisions.value).toHaveLength(status === 404 ? 1 : stored);
});

test('the words of every part, and of what is next to one, find it first', () => {
  const places = findPlaces('', []);
  expect(places).toHaveLength(OUTSIDE_PARTS.length + UNLISTED_PARTS.length);
  for (const place of places) expect(findPlaces(describePlace(place), [])[0]).toEqual(place);
  expect(findPlaces('', ['roof', 'hood']).slice(0, 2)).toEqual([{ part: 'roof' }, { part: 'hood' }]);
});

test.each([
  ['a part that can have the type', { part: 'hood' }, {}, ''],
  [
    'a pane',
    { part: 'windshield' },
    { type: 'glass_damage' },
    'Windshield cannot have dent: it is broken glass now.',
  ],
  ['what is next to one', { part: 'rear_door_left', subtype: 'rocker_damage' }, { type: 'panel_damage' }, ''],
] as const)('a finding is moved to %s', async (_, place, stated, said) => {
  if (state.current.value) drawing.setPart(state.current.value, place);
  await settle();
  expect(service.decisions).toEqual([{ decision: 'change', damage_id: ONE, ...place, ...stated }]);
  expect(notice()).toBe(said);
});
