import { signal } from '@preact/signals';
import type { Add, DrawnBox, Said } from '../../../contract/review.ts';
import { fitTypeToPart } from '../../../domain/possible.ts';
import { describeDamage, describePart } from '../../../report/words.ts';
import { add, change, changeAddition, listAdditions } from '../decide.ts';
import { placeBox, prepare } from '../door.ts';
import { type Row, readTurn } from '../rows.ts';
import { current, decide, decisions, dialog, look, mode, notice, photo, selected } from '../store.ts';
import { say } from './judge.ts';

/** Begins to draw a box, or to change that of a finding in the photo in view. */
export function beginDrawing(row: Row | null): void {
  if (row === null) {
    prepare(photo.value);
    mode.value = { kind: 'draw', box: null, key: null };
    notice.value = 'Drag over the damage, click two corners, or use the arrows and Enter.';
    return;
  }
  const box = row.boxes.find(({ image }) => image === photo.value)?.box;
  if (box) mode.value = { kind: 'draw', box, key: row.key };
  else notice.value = 'This photo does not show the selected finding.';
}

/** Takes the box that was drawn: a new damage, or another box of the selected one. */
export async function takeBox(box: DrawnBox): Promise<void> {
  const under = mode.value;
  if (under.kind !== 'draw') return;
  const image_index = photo.value;
  look();
  if (under.key !== null) {
    const turn = readTurn(under.key);
    decide(
      turn === null
        ? change(decisions.value, under.key, { box, image_index })
        : changeAddition(decisions.value, turn, { box }),
    );
    return;
  }
  notice.value = 'Checking what is there…';
  try {
    const placed = await placeBox(image_index, box);
    if (placed.part === null) {
      pendingBox.value = { image_index, box, type: placed.type };
      notice.value = 'Not on the vehicle as far as the parts model sees: name the part.';
      dialog.value = 'part';
      return;
    }
    addBox({ image_index, box, type: placed.type });
    const words = `${describeDamage(placed.type)}, ${describePart(placed.part)}, ${placed.severity}`;
    notice.value = `Added: ${words}`;
  } catch (error) {
    pendingBox.value = { image_index, box, type: 'dent' };
    notice.value = `${error instanceof Error ? error.message : error} Name the part.`;
    dialog.value = 'part';
  }
}

/** A box that waits for its part. */
export const pendingBox = signal<Omit<Add, 'decision'> | null>(null);

/** Names the part of the selected finding, or of the box that waits for one; a type that it cannot have changes too. */
export function namePart(part: NonNullable<Said['part']>): void {
  dialog.value = 'none';
  const waiting = pendingBox.value;
  pendingBox.value = null;
  const was = waiting?.type ?? current.value?.damage.type;
  if (was === undefined) return;
  const type = fitTypeToPart(was, part);
  if (waiting !== null) addBox({ ...waiting, part, type });
  else say(type === was ? { part } : { part, type });
  if (type !== was)
    notice.value = `${describePart(part)} cannot have ${describeDamage(was).toLowerCase()}: it is ${describeDamage(type).toLowerCase()} now.`;
}

/** Adds a box and selects it; its row is there when the command has answered. */
function addBox(addition: Omit<Add, 'decision'>): void {
  const turn = listAdditions(decisions.value).length;
  decide(add(decisions.value, addition));
  selected.value = `add:${turn}`;
}
