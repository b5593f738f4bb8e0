import type { Add, DrawnBox, Said } from '../../contract/review.ts';
import { DAMAGE_TYPES, SEVERITIES } from '../../domain/damage.ts';
import { damageWords, partWords } from '../../report/words.ts';
import {
  acceptAll,
  add,
  attachAddition,
  change,
  changeAddition,
  clear,
  isTicked,
  judge,
  merge,
  removeAddition,
  tick,
} from './decide.ts';
import { door, placeBox } from './door.ts';
import type { Command } from './keys.ts';
import { nextUndecided, type Row, turnOf } from './rows.ts';
import {
  current,
  decide,
  decisions,
  dialog,
  look,
  mode,
  notice,
  photo,
  photos,
  redo,
  select,
  selected,
  shownRows,
  showsToCheck,
  undo,
} from './store.ts';
import { stage } from './view.ts';

/** Accepts or rejects the finding in hand and goes on; a drawn one that is rejected is taken away. */
export function judgeCurrent(verdict: 'accept' | 'reject'): void {
  const row = current.value;
  if (!row) return;
  const turn = turnOf(row.key);
  if (turn === null) decide(judge(decisions.value, row.key, verdict));
  else if (verdict === 'reject') decide(removeAddition(decisions.value, turn));
  goOn(row);
}

/** As undecided as before. */
export function clearCurrent(): void {
  const row = current.value;
  if (row && turnOf(row.key) === null) decide(clear(decisions.value, row.key));
}

/** Says something else of the finding in hand. */
export function say(said: Said): void {
  const row = current.value;
  if (!row) return;
  const turn = turnOf(row.key);
  if (turn === null) decide(change(decisions.value, row.key, said));
  else decide(changeAddition(decisions.value, turn, said));
  if (mode.value.kind === 'type') look();
}

function goOn(from: Row): void {
  const next = nextUndecided(shownRows.value, from.key);
  if (next) select(next.key);
  else notice.value = 'All findings are decided.';
}

function step(by: 1 | -1): void {
  const list = shownRows.value;
  const at = list.findIndex(({ key }) => key === selected.value);
  const next = list[at < 0 ? 0 : (at + by + list.length) % list.length];
  if (next) select(next.key);
}

/** Shows a photo; its first finding is taken in hand, if it has one. */
export function showPhoto(index: number): void {
  photo.value = index;
  const here = shownRows.value.filter((row) => row.boxes.some(({ image }) => image === index));
  if (!here.some(({ key }) => key === selected.value)) selected.value = here[0]?.key ?? null;
}

function stepPhoto(by: 1 | -1): void {
  const list = photos.value;
  const at = list.findIndex(({ index }) => index === photo.value);
  const next = list[(at + by + list.length) % list.length];
  if (next) showPhoto(next.index);
}

/** Ticks the photo in view, or no longer, and goes on to the next. */
export function tickPhoto(): void {
  const ticked = !isTicked(decisions.value, photo.value);
  decide(tick(decisions.value, photo.value, ticked));
  if (ticked) stepPhoto(1);
}

/** Begins to draw a box, or to change that of a finding in the photo in view. */
export function beginDrawing(row: Row | null): void {
  if (row === null) {
    void door().prepare(photo.value);
    mode.value = { kind: 'draw', box: null, key: null };
    notice.value = 'Drag over the damage, click two corners, or use the arrows and Enter.';
    return;
  }
  const box = row.boxes.find(({ image }) => image === photo.value)?.box;
  if (box) mode.value = { kind: 'draw', box, key: row.key };
  else notice.value = 'This photo does not show the finding in hand.';
}

/** Takes the box that was drawn: a new damage, or another box of the one in hand. */
export async function takeBox(box: DrawnBox): Promise<void> {
  const under = mode.value;
  if (under.kind !== 'draw') return;
  const image_index = photo.value;
  look();
  if (under.key !== null) {
    const turn = turnOf(under.key);
    decide(
      turn === null
        ? change(decisions.value, under.key, { box, image_index })
        : changeAddition(decisions.value, turn, { box }),
    );
    return;
  }
  notice.value = 'Looking what is there…';
  try {
    const placed = await placeBox(image_index, box);
    const turn = decisions.value.filter((one) => one.decision === 'add').length;
    pendingPart = placed.part === null ? { image_index, box, type: placed.type } : null;
    if (pendingPart) {
      notice.value = 'Not on the vehicle as far as the parts model sees: name the part.';
      dialog.value = 'part';
      return;
    }
    decide(add(decisions.value, { image_index, box, type: placed.type }));
    afterSave(`add:${turn}`);
    const words = `${damageWords(placed.type)}, ${partWords(placed.part ?? '')}, ${placed.severity}`;
    notice.value = `Added: ${words}`;
  } catch (error) {
    pendingPart = { image_index, box, type: 'dent' };
    notice.value = `${error instanceof Error ? error.message : error} Name the part.`;
    dialog.value = 'part';
  }
}

/** A box that waits for its part. */
let pendingPart: Omit<Add, 'decision'> | null = null;

/** Names the part of the finding in hand, or of the box that waits for one. */
export function namePart(part: NonNullable<Said['part']>): void {
  dialog.value = 'none';
  if (pendingPart === null) {
    say({ part });
    return;
  }
  const turn = decisions.value.filter((one) => one.decision === 'add').length;
  decide(add(decisions.value, { ...pendingPart, part }));
  pendingPart = null;
  afterSave(`add:${turn}`);
}

/** The box that waits for its part, if there is one. */
export function pendingBox(): Omit<Add, 'decision'> | null {
  return pendingPart;
}

/** Leaves a box without a part. */
export function dropPending(): void {
  pendingPart = null;
}

/** Selects a finding that is there when the command has answered. */
function afterSave(key: string): void {
  selected.value = key;
}

/** Merging is pressed twice: on one, then on the other. */
function mergeCurrent(): void {
  const row = current.value;
  const under = mode.value;
  if (!row) return;
  if (under.kind !== 'merge') {
    mode.value = { kind: 'merge', key: row.key };
    notice.value = 'Choose the damage it belongs to, then press M again.';
    return;
  }
  look();
  if (under.key === row.key) return;
  const [from, into] = [turnOf(under.key), turnOf(row.key)];
  if (from === null && into === null) decide(merge(decisions.value, under.key, row.key));
  else if (from !== null && into !== null)
    notice.value = 'Merge a drawn box into a finding, not into another drawn one.';
  else if (from !== null) decide(attachAddition(decisions.value, from, row.key));
  else if (into !== null) {
    decide(attachAddition(decisions.value, into, under.key));
    select(under.key);
  }
}

/** Accepts what is left of the certain findings; those to check exist to be looked at. */
export function acceptAllCertain(): void {
  const left = shownRows.value.filter(({ kind, fate }) => kind === 'certain' && fate === 'undecided');
  decide(
    acceptAll(
      decisions.value,
      left.map(({ key }) => key),
    ),
  );
  notice.value = `${left.length} accepted.`;
  const next = nextUndecided(shownRows.value, selected.value);
  if (next) select(next.key);
}

/** Everything a key or a button can do. */
export const COMMANDS: Readonly<Record<Command, () => void>> = {
  accept: () => (mode.value.kind === 'merge' ? mergeCurrent() : judgeCurrent('accept')),
  acceptAll: acceptAllCertain,
  reject: () => judgeCurrent('reject'),
  minor: () => digit(0),
  moderate: () => digit(1),
  severe: () => digit(2),
  critical: () => digit(3),
  type: () => {
    if (!current.value) return;
    mode.value = { kind: 'type' };
    notice.value = 'Type: press 1 to 7.';
  },
  part: () => {
    if (current.value) dialog.value = 'part';
  },
  draw: () => beginDrawing(null),
  box: () => beginDrawing(current.value),
  merge: mergeCurrent,
  nextFinding: () => step(1),
  previousFinding: () => step(-1),
  nextPhoto: () => stepPhoto(1),
  previousPhoto: () => stepPhoto(-1),
  nextUndecided: () => {
    const next = nextUndecided(shownRows.value, selected.value);
    if (next) select(next.key);
    else notice.value = 'All findings are decided.';
  },
  nothingMore: tickPhoto,
  toCheck: () => {
    showsToCheck.value = !showsToCheck.value;
  },
  zoomIn: () => stage.zoomBy(1.5),
  zoomOut: () => stage.zoomBy(1 / 1.5),
  fit: () => stage.showAll(),
  plan: () => {
    dialog.value = 'plan';
  },
  undo,
  redo,
  export: () => {
    dialog.value = 'export';
  },
  finish: () => {
    dialog.value = 'finish';
  },
  keys: () => {
    dialog.value = 'keys';
  },
  leave: () => {
    look();
    notice.value = '';
  },
};

/** A digit names the type while one is asked for, else the severity. */
function digit(index: number): void {
  const severity = SEVERITIES[index];
  if (mode.value.kind === 'type') sayType(index);
  else if (severity) say({ severity });
}

/** The type by its place in the list. */
export function sayType(index: number): void {
  const type = DAMAGE_TYPES[index];
  if (type) say({ type });
}
