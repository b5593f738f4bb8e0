import type { Stated } from '../../contract/review.ts';
import { DAMAGE_TYPES } from '../../domain/damage.ts';
import { listFittingTypes } from '../../domain/possible-types.ts';
import { isUnlisted } from '../../domain/unlisted-parts.ts';
import { findMergeOverVehicles } from '../../domain/vehicle-photos.ts';
import { DECISION_WORDS, describeDamage, describePart } from '../../report/words.ts';
import { decide } from './decide.ts';
import type { Decisions, Verdict } from './decisions.ts';
import * as edit from './decisions.ts';
import { findNextUndecided, listVehicles, type Row, readAdditionIndex } from './rows.ts';
import {
  closeDialog,
  current,
  decisions,
  findVehicleOf,
  inspection,
  leaveMode,
  mode,
  namePhotoAt,
  notice,
  photoIndex,
  photos,
  photosLeft,
  resetMode,
  rows,
  select,
  selected,
  shownRows,
  vehicles,
} from './state.ts';

/** Selects the next undecided finding after the given or the selected one. */
export function selectNextUndecided(after: Row | null): void {
  const next = findNextUndecided(shownRows.value, after?.key ?? selected.value);
  const hidden = rows.value.filter(({ outcome }) => outcome === 'undecided').length;
  const end =
    hidden > 0 ? `All findings shown are decided; hidden: ${hidden} to check.` : 'All findings are decided.';
  if (next) select(next.key);
  else notice.value = `${after === null ? '' : `${notice.value} `}${end}`.trim();
}

/** Returns the next or previous item of a list, wrapping around; the first one if none is current. */
function findNeighbor<T>(list: readonly T[], isCurrent: (one: T) => boolean, step: 1 | -1): T | undefined {
  const at = list.findIndex(isCurrent);
  return list[at < 0 ? 0 : (at + step + list.length) % list.length];
}

export function selectNeighbor(step: 1 | -1): void {
  const next = findNeighbor(shownRows.value, ({ key }) => key === selected.value, step);
  if (next) select(next.key);
}

/** Shows a photo and selects the given finding; without one keeps a selection that it shows, or selects its first one. */
export function showPhoto(index: number, key?: string): void {
  leaveMode();
  photoIndex.value = index;
  const inPhoto = shownRows.value.filter((row) => row.boxes.some(({ imageIndex }) => imageIndex === index));
  if (key !== undefined) selected.value = key;
  else if (!inPhoto.some((row) => row.key === selected.value)) selected.value = inPhoto[0]?.key ?? null;
}

export function stepPhoto(step: 1 | -1): void {
  const next = findNeighbor(photos.value, ({ index }) => index === photoIndex.value, step);
  if (next) showPhoto(next.index);
}

/** Accepts or rejects the selected finding and selects the next one; a rejected drawn finding is removed. */
export function judgeCurrent(verdict: Verdict): void {
  const row = current.value;
  if (!row) return;
  resetMode();
  const index = readAdditionIndex(row.key);
  if (index === null) decide(edit.judge(decisions.value, row.key, verdict));
  else if (verdict === 'reject') decide(edit.removeAddition(decisions.value, index));
  selectNextUndecided(row);
}

export function clearCurrent(): void {
  const row = current.value;
  if (!row || readAdditionIndex(row.key) !== null) return;
  decide(edit.clearDecision(decisions.value, row.key));
  // The notice names a finding that was rejected or merged already.
  if (row.outcome !== 'rejected' && row.outcome !== 'merged')
    notice.value = `No. ${row.number} is undecided again, as it was found. ${notice.value}`.trim();
}

export function changeCurrent(stated: Stated): void {
  if (current.value) decide(changeRow(current.value.key, stated));
}

/** Returns the decisions with a finding, or a drawn one, changed. */
export function changeRow(key: string, stated: Parameters<typeof edit.changeFinding>[2]): Decisions {
  const index = readAdditionIndex(key);
  if (index === null) return edit.changeFinding(decisions.value, key, stated);
  const { image_index: _, ...others } = stated;
  return edit.changeAddition(decisions.value, index, others);
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
  if (!isUnlisted(item)) changeCurrent(choice);
  else if (choice.subtype === 'missing_part')
    changeCurrent({ ...choice, subtype: item, severity: 'critical' });
  else changeCurrent({ ...choice, subtype: item });
}

/** Sets the type by its digit and leaves type mode; rejects a type that the part cannot have. */
export function setTypeByDigit(digit: number): void {
  const choice = TYPE_CHOICES[digit - 1];
  const row = current.value;
  resetMode();
  if (!row) return;
  const { location, type } = row.damage;
  if (!choice) notice.value = `No type has the digit ${digit}. Press T, then 1 to ${TYPE_CHOICES.length}.`;
  else if (listFittingTypes(location.part, type).includes(choice.type)) setType(row, choice);
  else
    notice.value = `${describePart(location.part)} cannot have ${describeDamage(choice.type).toLowerCase()}. Choose another type, or change the part first.`;
}

/** Toggles the completion mark of the visible photo; once marked, shows the next photo. */
export function completePhoto(): void {
  const isComplete = !edit.isMarkedComplete(decisions.value, photoIndex.value);
  decide(edit.markComplete(decisions.value, photoIndex.value, isComplete));
  if (isComplete) stepPhoto(1);
}

export function completeAllPhotos(): void {
  decide(photosLeft.value.reduce((list, { index }) => edit.markComplete(list, index, true), decisions.value));
  notice.value = `All ${photos.value.length} photos are marked as looked through.`;
}

/** Applies decisions, unless they would spread one damage over two vehicles. */
export function decideOnOne(next: Decisions): void {
  const found = inspection.value;
  const findings = [...(found?.results?.damages ?? []), ...(found?.results?.to_check ?? [])];
  if (found && findMergeOverVehicles(findings, listVehicles(found, next), next))
    notice.value = 'The merged damage would be on two vehicles. Press V to move a photo to its vehicle.';
  else decide(next);
}

/** Merges two findings: the first call selects the source, the second the target. */
export function mergeCurrent(): void {
  const row = current.value;
  const currentMode = mode.value;
  if (!row) return;
  if (currentMode.kind !== 'merge') {
    mode.value = { kind: 'merge', key: row.key };
    notice.value = 'Choose the damage it belongs to, then press M again.';
    return;
  }
  resetMode();
  notice.value = '';
  if (currentMode.key === row.key) return;
  const [from, into] = [readAdditionIndex(currentMode.key), readAdditionIndex(row.key)];
  if (from === null && into === null)
    decideOnOne(edit.mergeFinding(decisions.value, currentMode.key, row.key));
  else if (from !== null && into !== null)
    notice.value = 'Merge a drawn box into a finding, not into another drawn one.';
  else if (from !== null) decideOnOne(edit.attachAddition(decisions.value, from, row.key));
  else if (into !== null) {
    decideOnOne(edit.attachAddition(decisions.value, into, currentMode.key));
    select(currentMode.key);
  }
}

/** Accepts or rejects the visible undecided findings of the current photo, then selects the next undecided one. */
export function judgePhoto(verdict: Verdict): void {
  const undecided = shownRows.value.filter(
    (row) => row.photoIndex === photoIndex.value && row.outcome === 'undecided',
  );
  if (undecided.length === 0) {
    notice.value = 'Nothing is undecided on this photo.';
    return;
  }
  const keys = undecided.map(({ key }) => key);
  decide(edit.judgeAll(decisions.value, keys, verdict));
  notice.value = `${undecided.length} ${DECISION_WORDS[verdict]} on this photo.`;
  selectNextUndecided(undecided.at(-1) ?? null);
}

/** Data type of a drag: the index of a photo. */
export const DRAGGED_PHOTO = 'application/x-vehi-photo';

/** Moves a photo to the vehicle at a position; a position after the last one creates a new vehicle. */
export function moveToPosition(photo: number, at: number): void {
  closeDialog();
  const next = Math.max(0, ...vehicles.value.map(({ vehicle }) => vehicle)) + 1;
  const vehicle = vehicles.value[at]?.vehicle ?? next;
  if (at > vehicles.value.length || vehicles.value[findVehicleOf(photo)]?.vehicle === vehicle) return;
  decideOnOne(edit.moveToVehicle(decisions.value, photo, vehicle, groupsFound()));
  const now = findVehicleOf(photo);
  if (vehicles.value[now]?.vehicle === vehicle)
    notice.value = `${namePhotoAt(photo)} shows vehicle ${now + 1} now.`;
}

export const groupsFound = () => inspection.value?.vehicle_groups ?? [];
