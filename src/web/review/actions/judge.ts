import type { Stated } from '../../../contract/review.ts';
import { DAMAGE_TYPES } from '../../../domain/damage.ts';
import { listFittingTypes } from '../../../domain/possible.ts';
import { isUnlisted } from '../../../domain/unlisted-parts.ts';
import { DECISION_WORDS, describeDamage, describePart } from '../../../report/words.ts';
import {
  attachAddition,
  changeAddition,
  changeFinding,
  clearDecision,
  isMarkedComplete,
  judge,
  judgeAll,
  markComplete,
  mergeFinding,
  removeAddition,
} from '../decide.ts';
import { type Row, readAdditionIndex } from '../rows.ts';
import {
  current,
  decide,
  decisions,
  mode,
  notice,
  photoIndex,
  photos,
  resetMode,
  select,
  shownRows,
} from '../store.ts';
import { selectNextUndecided, stepPhoto } from './move.ts';

/** Accepts or rejects the selected finding and selects the next one; a rejected drawn finding is removed. */
export function judgeCurrent(verdict: 'accept' | 'reject'): void {
  const row = current.value;
  if (!row) return;
  resetMode();
  const index = readAdditionIndex(row.key);
  if (index === null) decide(judge(decisions.value, row.key, verdict));
  else if (verdict === 'reject') decide(removeAddition(decisions.value, index));
  selectNextUndecided(row);
}

/** Resets the decision on the selected finding. */
export function clearCurrent(): void {
  const row = current.value;
  if (!row || readAdditionIndex(row.key) !== null) return;
  decide(clearDecision(decisions.value, row.key));
  notice.value = `No. ${row.number} is as found again, undecided. ${notice.value}`.trim();
}

/** Changes the selected finding. */
export function changeCurrent(stated: Stated): void {
  const row = current.value;
  if (!row) return;
  const index = readAdditionIndex(row.key);
  if (index === null) decide(changeFinding(decisions.value, row.key, stated));
  else decide(changeAddition(decisions.value, index, stated));
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
  const type = choice?.type;
  const row = current.value;
  resetMode();
  if (!row) return;
  if (!type) {
    notice.value = `No type has the digit ${digit}: T, then 1 to ${TYPE_CHOICES.length}.`;
    return;
  }
  const { part } = row.damage.location;
  if (listFittingTypes(part, row.damage.type).includes(type)) setType(row, choice);
  else
    notice.value = `${describePart(part)} cannot have ${describeDamage(type).toLowerCase()}: another type, or change the part first.`;
}

/** Toggles the visible photo as complete and shows the next photo if it is complete. */
export function completePhoto(): void {
  const isComplete = !isMarkedComplete(decisions.value, photoIndex.value);
  decide(markComplete(decisions.value, photoIndex.value, isComplete));
  if (isComplete) stepPhoto(1);
}

/** Marks every photo as complete. */
export function completeAllPhotos(): void {
  const left = photos.value.filter(({ index }) => !isMarkedComplete(decisions.value, index));
  decide(left.reduce((list, { index }) => markComplete(list, index, true), decisions.value));
  notice.value = `All ${photos.value.length} photos are ticked as looked through.`;
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
  if (currentMode.key === row.key) return;
  const [from, into] = [readAdditionIndex(currentMode.key), readAdditionIndex(row.key)];
  if (from === null && into === null) decide(mergeFinding(decisions.value, currentMode.key, row.key));
  else if (from !== null && into !== null)
    notice.value = 'Merge a drawn box into a finding, not into another drawn one.';
  else if (from !== null) decide(attachAddition(decisions.value, from, row.key));
  else if (into !== null) {
    decide(attachAddition(decisions.value, into, currentMode.key));
    select(currentMode.key);
  }
}

/** Accepts or rejects the visible undecided findings of the current photo, then selects the next undecided one. */
export function judgePhoto(verdict: 'accept' | 'reject'): void {
  const undecided = shownRows.value.filter(
    (row) => row.photoIndex === photoIndex.value && row.outcome === 'undecided',
  );
  if (undecided.length === 0) {
    notice.value = 'Nothing is undecided on this photo.';
    return;
  }
  const keys = undecided.map(({ key }) => key);
  decide(judgeAll(decisions.value, keys, verdict));
  notice.value = `${undecided.length} ${DECISION_WORDS[verdict]} on this photo.`;
  selectNextUndecided(undecided.at(-1) ?? null);
}
