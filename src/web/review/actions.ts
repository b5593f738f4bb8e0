import type { Photo } from '../../contract/inspection.ts';
import type { Correction, Stated } from '../../contract/review.ts';
import { DAMAGE_TYPES } from '../../domain/damage.ts';
import { listFittingTypes } from '../../domain/possible-types.ts';
import { isUnlisted } from '../../domain/unlisted-parts.ts';
import { findMergeOverVehicles } from '../../domain/vehicle-photos.ts';
import { formatCount } from '../../lib/format-count.ts';
import { DECISION_WORDS, describeDamage, describePart } from '../../report/words.ts';
import { decide } from './decide.ts';
import type { Decisions, Verdict } from './decisions.ts';
import * as edit from './decisions.ts';
import { findNextUndecided, type Row, readAdditionIndex } from './rows.ts';
import * as state from './state.ts';

/** Selects the next undecided finding after the given or the selected one. */
export function selectNextUndecided(after: Row | null): void {
  const next = findNextUndecided(state.shownRows.value, after?.key ?? state.selected.value);
  const hidden = state.rows.value.filter(({ outcome }) => outcome === 'undecided').length;
  const end =
    hidden > 0
      ? `All findings in the list are decided. Press C to list ${formatCount(hidden, 'hidden place')} to check.`
      : 'All findings are decided.';
  if (next) state.select(next.key);
  else state.notice.value = `${after === null ? '' : `${state.notice.value} `}${end}`.trim();
}

/** Returns the next or previous item of a list, wrapping around; the first one if none is current. */
function findNeighbor<T>(list: readonly T[], isCurrent: (one: T) => boolean, step: 1 | -1): T | undefined {
  const at = list.findIndex(isCurrent);
  return list[at < 0 ? 0 : (at + step + list.length) % list.length];
}

export function selectNeighbor(step: 1 | -1): void {
  const next = findNeighbor(state.shownRows.value, ({ key }) => key === state.selected.value, step);
  if (next) state.select(next.key);
}

/** Shows a photo and selects the given finding; without one keeps a selection that it shows, or selects its first one. */
export function showPhoto(index: number, key?: string): void {
  state.leaveMode();
  state.photoIndex.value = index;
  const inPhoto = state.shownRows.value.filter((row) =>
    row.boxes.some(({ imageIndex }) => imageIndex === index),
  );
  if (key !== undefined) state.selected.value = key;
  else if (!inPhoto.some((row) => row.key === state.selected.value))
    state.selected.value = inPhoto[0]?.key ?? null;
}

export function stepPhoto(step: 1 | -1): void {
  const next = findNeighbor(state.photos.value, ({ index }) => index === state.photoIndex.value, step);
  if (next) showPhoto(next.index);
}

/** Accepts or rejects the selected finding and selects the next one; a rejected drawn finding is removed. */
export function judgeCurrent(verdict: Verdict): void {
  const row = state.current.value;
  if (!row) return;
  state.resetMode();
  const index = readAdditionIndex(row.key);
  if (index === null) decide(edit.judge(state.decisions.value, row.key, verdict));
  else if (verdict === 'reject') decide(edit.removeAddition(state.decisions.value, index));
  selectNextUndecided(row);
}

export function clearCurrent(): void {
  const row = state.current.value;
  if (!row || readAdditionIndex(row.key) !== null) return;
  decide(edit.clearDecision(state.decisions.value, row.key));
  // The notice names a finding that was rejected or merged already.
  if (row.outcome !== 'rejected' && row.outcome !== 'merged')
    state.notice.value =
      `No. ${row.number} is undecided again, as it was found. ${state.notice.value}`.trim();
}

export function changeCurrent(stated: Stated): void {
  if (state.current.value) decide(changeRow(state.current.value.key, stated));
}

/** Returns the decisions with a finding, or a drawn one, changed. */
export function changeRow(key: string, stated: Correction): Decisions {
  const index = readAdditionIndex(key);
  if (index === null) return edit.changeFinding(state.decisions.value, key, stated);
  const { image_index: _, ...others } = stated;
  return edit.changeAddition(state.decisions.value, index, others);
}

type TypeChoice = Required<Pick<Stated, 'type'>> & Pick<Stated, 'subtype'>;

/** Types and subtypes available for a finding, ordered by their digit. */
export const TYPE_CHOICES: readonly TypeChoice[] = [
  ...DAMAGE_TYPES.map((type) => ({ type })),
  { type: 'panel_damage', subtype: 'missing_part' },
  { type: 'panel_damage', subtype: 'misaligned_part' },
];

/** Sets a finding's type. An item attached to its part keeps its subtype; if missing, it becomes critical. */
export function setType(row: Row, choice: TypeChoice): void {
  const item = row.damage.subtype;
  const critical = choice.subtype === 'missing_part' ? ({ severity: 'critical' } as const) : {};
  changeCurrent(isUnlisted(item) ? { ...choice, subtype: item, ...critical } : choice);
}

/** Sets the type by its digit and leaves type mode; rejects a type that the part cannot have. */
export function setTypeByDigit(digit: number): void {
  const choice = TYPE_CHOICES[digit - 1];
  const row = state.current.value;
  state.resetMode();
  if (!row) return;
  const { location, type } = row.damage;
  if (!choice)
    state.notice.value = `No type has the digit ${digit}. Press T, then 1 to ${TYPE_CHOICES.length}.`;
  else if (listFittingTypes(location.part, type).includes(choice.type)) setType(row, choice);
  else
    state.notice.value = `${describePart(location.part)} cannot have ${describeDamage(choice.type).toLowerCase()}. Choose another type, or change the part first.`;
}

/** Toggles the completion mark of the visible photo; once marked, shows the next photo. */
export function completePhoto(): void {
  const isComplete = !edit.isMarkedComplete(state.decisions.value, state.photoIndex.value);
  decide(edit.markComplete(state.decisions.value, state.photoIndex.value, isComplete));
  if (isComplete) stepPhoto(1);
}

export function completeAllPhotos(): void {
  const mark = (list: Decisions, { index }: Photo) => edit.markComplete(list, index, true);
  decide(state.photosLeft.value.reduce(mark, state.decisions.value));
  state.notice.value = `All ${state.photos.value.length} photos are marked as looked through.`;
}

/** Applies decisions, unless they would spread one damage over two vehicles. */
export function decideOnOne(next: Decisions): void {
  const { damages = [], to_check: toCheck = [] } = state.inspection.value?.results ?? {};
  if (findMergeOverVehicles([...damages, ...toCheck], state.listVehicles(next), next))
    state.notice.value =
      'The merged damage would be on two vehicles. Press V to move a photo to its vehicle.';
  else decide(next);
}

/** Merges two findings: the first call selects the source, the second the target. */
export function mergeCurrent(): void {
  const row = state.current.value;
  const currentMode = state.mode.value;
  if (!row) return;
  if (currentMode.kind !== 'merge') {
    state.mode.value = { kind: 'merge', key: row.key };
    state.notice.value = 'Choose the damage it belongs to, then press M again.';
    return;
  }
  state.resetMode();
  state.notice.value = '';
  if (currentMode.key === row.key) return;
  const [from, into] = [readAdditionIndex(currentMode.key), readAdditionIndex(row.key)];
  if (from === null && into === null)
    decideOnOne(edit.mergeFinding(state.decisions.value, currentMode.key, row.key));
  else if (from !== null && into !== null)
    state.notice.value = 'Merge a drawn box into a finding, not into another drawn one.';
  else if (from !== null) decideOnOne(edit.attachAddition(state.decisions.value, from, row.key));
  else if (into !== null) {
    decideOnOne(edit.attachAddition(state.decisions.value, into, currentMode.key));
    state.select(currentMode.key);
  }
}

/** Accepts or rejects the listed undecided findings best seen in the current photo, then selects the next undecided one. */
export function judgePhoto(verdict: Verdict): void {
  const undecided = state.shownRows.value.filter(
    (row) => row.photoIndex === state.photoIndex.value && row.outcome === 'undecided',
  );
  if (undecided.length === 0) {
    state.notice.value = 'Nothing is undecided on this photo.';
    return;
  }
  const judge = (list: Decisions, { key }: Row) => edit.judge(list, key, verdict);
  decide(undecided.reduce(judge, state.decisions.value));
  state.notice.value = `${undecided.length} ${DECISION_WORDS[verdict]} on this photo.`;
  selectNextUndecided(undecided.at(-1) ?? null);
}

/** Data type of a drag: the index of a photo. */
export const DRAGGED_PHOTO = 'application/x-vehi-photo';

/** Moves a photo to the vehicle at a position; a position after the last one creates a new vehicle. */
export function moveToPosition(photo: number, at: number): void {
  state.closeDialog();
  const next = Math.max(0, ...state.vehicles.value.map(({ vehicle }) => vehicle)) + 1;
  const vehicle = state.vehicles.value[at]?.vehicle ?? next;
  const before = state.vehicles.value[state.findVehicleOf(photo)];
  if (at > state.vehicles.value.length || before?.vehicle === vehicle) return;
  decideOnOne(edit.moveToVehicle(state.decisions.value, photo, vehicle, state.foundGroups.value));
  const now = state.findVehicleOf(photo);
  if (state.vehicles.value[now]?.vehicle === vehicle)
    state.notice.value = `${state.namePhotoAt(photo)} shows vehicle ${now + 1} now.`;
}
