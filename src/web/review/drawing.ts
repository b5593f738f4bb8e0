import { computed } from '@preact/signals';
import type { Add, DrawnBox } from '../../contract/review.ts';
import type { PartName } from '../../domain/parts.ts';
import { fitTypeToPart } from '../../domain/possible-types.ts';
import { isUnlisted, STATED_SUBTYPES, type UnlistedSubtype } from '../../domain/unlisted-parts.ts';
import { describeDamage, describePart, nameFinding } from '../../report/words.ts';
import { ApiError, describeError } from '../shared/api.ts';
import { changeRow } from './actions.ts';
import { decide } from './decide.ts';
import { addFinding, listAdditions } from './decisions.ts';
import { prepareAnalysis, proposePlacement } from './review-api.ts';
import { makeAdditionKey, type Row } from './rows.ts';
import * as state from './state.ts';

export function beginDrawing(): void {
  prepareAnalysis(state.photoIndex.value);
  state.mode.value = { kind: 'draw', box: null, key: null };
  state.notice.value = 'Drag over the damage, or use the arrows and Enter.';
}

export function editBox(): void {
  const box = requireBox();
  if (box) state.mode.value = { kind: 'draw', box, key: state.selected.value };
}

/** Returns the selected finding's box in the visible photo; without one says so. */
export function requireBox(): DrawnBox | undefined {
  if (!state.currentBox.value) state.notice.value = 'This photo does not show the selected finding.';
  return state.currentBox.value;
}

/** The box being edited; null before it is drawn. */
export const drawnBox = computed(() => (state.mode.value.kind === 'draw' ? state.mode.value.box : null));

export function setDrawnBox(box: DrawnBox | null): void {
  if (state.mode.value.kind === 'draw') state.mode.value = { ...state.mode.value, box };
}

/** Accepts the drawn box as a new damage, or as the new box of the edited finding. */
export async function acceptBox(): Promise<void> {
  if (state.mode.value.kind !== 'draw' || state.mode.value.box === null) return;
  const { box, key } = state.mode.value;
  const shown = { image_index: state.photoIndex.value, box };
  state.resetMode();
  if (key !== null) return decide(changeRow(key, shown));
  const drawn = { ...shown, selectedThen: state.selected.value };
  state.notice.value = 'Analyzing the box…';
  state.newBoxes.value = [...state.newBoxes.value, drawn];
  const answer = await proposePlacement(drawn.image_index, box).catch((error: unknown) => ({ error }));
  dropBox(drawn);
  if (!('error' in answer)) {
    const { part, type, severity, ...more } = answer;
    if (part === null || severity === null)
      return askForPart({ ...drawn, type }, 'The parts model sees no vehicle here.');
    addBox({ ...drawn, type });
    state.notice.value = `Added: ${nameFinding({ ...more, type, severity, part })}`;
  } else if (answer.error instanceof ApiError && answer.error.code === 'PHOTO_NOT_KEPT')
    // Without the picture, no model can propose a type.
    askForPart({ ...drawn, type: 'dent' }, answer.error.message);
  else state.notice.value = `Not added: ${describeError(answer.error)}`;
}

/** Asks for the part of a box once no other dialog is open; that of finishing gives way. */
function askForPart(box: state.WaitingBox, reason: string): void {
  state.newBoxes.value = [...state.newBoxes.value, box];
  state.notice.value = `${reason} Choose the part.`;
  if (state.dialog.value === 'none' || state.dialog.value === 'finish') state.closeDialog();
}

export function dropBox(box: state.NewBox): void {
  state.newBoxes.value = state.newBoxes.value.filter((one) => one !== box);
}

/** Location of a finding: a part, or an item attached to a part. */
export type NamedPlace = { readonly part: PartName; readonly subtype?: UnlistedSubtype };

/**
 * Sets the location of a finding, or adds the box at it. A type that the part cannot have changes too; an attached item gets
 * panel damage, and a missing item stays missing.
 */
export function setPart(subject: Row | state.WaitingBox, { part, subtype: item }: NamedPlace): void {
  const old = 'damage' in subject ? subject.damage : subject;
  const type = item === undefined ? fitTypeToPart(old.type, part) : 'panel_damage';
  const isKept = type === old.type && item === undefined;
  const missingSubtype = STATED_SUBTYPES.find((one) => !isUnlisted(one) && one === old.subtype);
  const subtype = item ?? (isKept ? missingSubtype : undefined);
  const stated = { part, ...(subtype ? { subtype } : {}), ...(isKept ? {} : { type }) };
  if ('damage' in subject) decide(changeRow(subject.key, stated));
  else {
    dropBox(subject);
    addBox({ ...subject, ...stated });
  }
  state.closeDialog();
  if (type !== old.type && item === undefined)
    state.notice.value = `${describePart(part)} cannot have ${describeDamage(old.type).toLowerCase()}: it is ${describeDamage(type, undefined, part).toLowerCase()} now.`;
}

/** Adds a box, and selects it unless the reviewer has gone on meanwhile; its row appears once the service responds. */
function addBox({ selectedThen, ...addition }: state.NewBox & Omit<Add, 'decision'>): void {
  const index = listAdditions(state.decisions.value).length;
  const { value: mode } = state.mode;
  decide(addFinding(state.decisions.value, addition));
  state.mode.value = mode;
  const isThere = state.selected.value === selectedThen && state.photoIndex.value === addition.image_index;
  if (mode.kind === 'look' && isThere) state.selected.value = makeAdditionKey(index);
}
