import { computed, signal } from '@preact/signals';
import type { Add, DrawnBox } from '../../contract/review.ts';
import type { DamageType } from '../../domain/damage.ts';
import type { PartName } from '../../domain/parts.ts';
import { fitTypeToPart } from '../../domain/possible-types.ts';
import { isUnlisted, STATED_SUBTYPES, type UnlistedSubtype } from '../../domain/unlisted-parts.ts';
import { describeDamage, describePart, nameFinding } from '../../report/words.ts';
import { ApiError, describeError } from '../shared/api.ts';
import { changeCurrent, changeRow } from './actions.ts';
import { decide } from './decide.ts';
import { addFinding, listAdditions } from './decisions.ts';
import { prepareAnalysis, proposePlacement } from './review-api.ts';
import { makeAdditionKey } from './rows.ts';
import * as state from './state.ts';

/** A drawn box whose part is not set yet. */
export const pendingBox = signal<Omit<Add, 'decision'> | null>(null);

/** Starts drawing a new box. */
export function beginDrawing(): void {
  prepareAnalysis(state.photoIndex.value);
  state.mode.value = { kind: 'draw', box: null, key: null };
  state.notice.value = 'Drag over the damage, or use the arrows and Enter.';
}

/** Starts editing the selected finding's box in the visible photo. */
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
  const image_index = state.photoIndex.value;
  state.resetMode();
  if (key !== null) return decide(changeRow(key, { box, image_index }));
  state.notice.value = 'Analyzing the box…';
  const id = state.reviewedId.value;
  state.placingCount.value++;
  const askForPart = (type: DamageType, reason: string) => {
    pendingBox.value = { image_index, box, type };
    state.notice.value = `${reason} Choose the part.`;
    state.dialog.value = 'part';
  };
  try {
    const { part, type, severity, ...more } = await proposePlacement(image_index, box);
    if (state.reviewedId.value !== id) return;
    if (part === null || severity === null) return askForPart(type, 'The parts model sees no vehicle here.');
    addBox({ image_index, box, type });
    state.notice.value = `Added: ${nameFinding({ ...more, type, severity, part })}`;
  } catch (error) {
    // Without the picture, no model can propose a type.
    if (error instanceof ApiError && error.code === 'PHOTO_NOT_KEPT') askForPart('dent', error.message);
    else state.notice.value = `Not added: ${describeError(error)}`;
  } finally {
    state.placingCount.value--;
  }
}

/** Location of a finding: a part, or an item attached to a part. */
export interface NamedPlace {
  readonly part: PartName;
  readonly subtype?: UnlistedSubtype;
}

/**
 * Sets the location of the selected finding or of the drawn box. A type that the part cannot have changes too; an
 * attached item gets panel damage, and a missing item stays missing.
 */
export function setPart({ part, subtype: item }: NamedPlace): void {
  state.dialog.value = 'none';
  const pending = pendingBox.value;
  pendingBox.value = null;
  const damage = state.current.value?.damage;
  const oldType = pending?.type ?? damage?.type;
  if (oldType === undefined) return;
  const type = item === undefined ? fitTypeToPart(oldType, part) : 'panel_damage';
  const missingSubtype = STATED_SUBTYPES.find((one) => !isUnlisted(one) && one === damage?.subtype);
  const subtype = item ?? (pending === null && type === oldType ? missingSubtype : undefined);
  const stated = { part, ...(subtype ? { subtype } : {}), ...(type === oldType && !item ? {} : { type }) };
  if (pending !== null) addBox({ ...pending, ...stated, type });
  else changeCurrent(stated);
  if (type !== oldType && item === undefined)
    state.notice.value = `${describePart(part)} cannot have ${describeDamage(oldType).toLowerCase()}: it is ${describeDamage(type, undefined, part).toLowerCase()} now.`;
}

/** Adds a box and selects it; its row appears once the service responds. Another box that is being drawn stays. */
function addBox(addition: Omit<Add, 'decision'>): void {
  const index = listAdditions(state.decisions.value).length;
  const drawing = state.mode.value;
  decide(addFinding(state.decisions.value, addition));
  if (drawing.kind === 'draw') state.mode.value = drawing;
  state.selected.value = makeAdditionKey(index);
}
