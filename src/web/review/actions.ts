import { signal } from '@preact/signals';
import type { Add, DrawnBox, Stated } from '../../contract/review.ts';
import { DAMAGE_TYPES } from '../../domain/damage.ts';
import type { PartName } from '../../domain/parts.ts';
import { fitTypeToPart, listFittingTypes } from '../../domain/possible-types.ts';
import { isUnlisted, STATED_SUBTYPES, type UnlistedSubtype } from '../../domain/unlisted-parts.ts';
import { findMergeOverVehicles } from '../../domain/vehicle-photos.ts';
import { readFileName } from '../../report/figures.ts';
import { DECISION_WORDS, describeDamage, describePart, nameFinding } from '../../report/words.ts';
import { ApiError, describeError } from '../shared/api.ts';
import { decide, redo, undo } from './decide.ts';
import {
  addFinding,
  attachAddition,
  changeAddition,
  changeFinding,
  clearDecision,
  type Decisions,
  isMarkedComplete,
  judge,
  judgeAll,
  listAdditions,
  markComplete,
  mergeFinding,
  moveToVehicle,
  removeAddition,
  toggleOneVehicle,
} from './decisions.ts';
import type { Command } from './keys.ts';
import { prepareAnalysis, proposePlacement } from './review-api.ts';
import { findNextUndecided, listVehicles, makeAdditionKey, type Row, readAdditionIndex } from './rows.ts';
import { stage } from './stage.ts';
import {
  closeDialog,
  current,
  type DialogName,
  decisions,
  dialog,
  findPhoto,
  findVehicleOf,
  inspection,
  leaveMode,
  mode,
  notice,
  photoIndex,
  photos,
  resetMode,
  select,
  selected,
  shownRows,
  showsToCheck,
  vehicles,
} from './state.ts';

function selectNextUndecided(after: Row | null): void {
  const next = findNextUndecided(shownRows.value, after?.key ?? selected.value);
  if (next) select(next.key);
  else notice.value = `${after === null ? '' : `${notice.value} `}All findings are decided.`.trim();
}

/** Selects the next or previous finding of the list, wrapping around. */
export function selectNeighbour(step: 1 | -1): void {
  const list = shownRows.value;
  const at = list.findIndex(({ key }) => key === selected.value);
  const next = list[at < 0 ? 0 : (at + step + list.length) % list.length];
  if (next) select(next.key);
}

/** Shows a photo and selects the given finding; without one keeps a selection that it shows, or selects its first one. */
export function showPhoto(index: number, key?: string): void {
  leaveMode();
  photoIndex.value = index;
  if (key !== undefined) {
    selected.value = key;
    return;
  }
  const inPhoto = shownRows.value.filter((row) => row.boxes.some(({ imageIndex }) => imageIndex === index));
  if (!inPhoto.some(({ key }) => key === selected.value)) selected.value = inPhoto[0]?.key ?? null;
}

/** Shows the next or previous photo around the vehicle. */
function stepPhoto(step: 1 | -1): void {
  const list = photos.value;
  const at = list.findIndex(({ index }) => index === photoIndex.value);
  const next = list[(at + step + list.length) % list.length];
  if (next) showPhoto(next.index);
}

/** Accepts or rejects the selected finding and selects the next one; a rejected drawn finding is removed. */
function judgeCurrent(verdict: 'accept' | 'reject'): void {
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
  notice.value = `No. ${row.number} is undecided again, as it was found. ${notice.value}`.trim();
}

function changeCurrent(stated: Stated): void {
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
    notice.value = `No type has the digit ${digit}. Press T, then 1 to ${TYPE_CHOICES.length}.`;
    return;
  }
  const { part } = row.damage.location;
  if (listFittingTypes(part, row.damage.type).includes(type)) setType(row, choice);
  else
    notice.value = `${describePart(part)} cannot have ${describeDamage(type).toLowerCase()}. Choose another type, or change the part first.`;
}

/** Toggles the completion mark of the visible photo; once marked, shows the next photo. */
function completePhoto(): void {
  const isComplete = !isMarkedComplete(decisions.value, photoIndex.value);
  decide(markComplete(decisions.value, photoIndex.value, isComplete));
  if (isComplete) stepPhoto(1);
}

function completeAllPhotos(): void {
  const left = photos.value.filter(({ index }) => !isMarkedComplete(decisions.value, index));
  decide(left.reduce((list, { index }) => markComplete(list, index, true), decisions.value));
  notice.value = `All ${photos.value.length} photos are marked as looked through.`;
}

/** Applies decisions, unless they would spread one damage over two vehicles. */
function decideOnOne(next: Decisions): void {
  const found = inspection.value;
  const findings = [...(found?.results?.damages ?? []), ...(found?.results?.to_check ?? [])];
  if (found && findMergeOverVehicles(findings, listVehicles(found, next), next))
    notice.value = 'The merged damage would be on two vehicles. Press V to move a photo to its vehicle.';
  else decide(next);
}

/** Merges two findings: the first call selects the source, the second the target. */
function mergeCurrent(): void {
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
  if (from === null && into === null) decideOnOne(mergeFinding(decisions.value, currentMode.key, row.key));
  else if (from !== null && into !== null)
    notice.value = 'Merge a drawn box into a finding, not into another drawn one.';
  else if (from !== null) decideOnOne(attachAddition(decisions.value, from, row.key));
  else if (into !== null) {
    decideOnOne(attachAddition(decisions.value, into, currentMode.key));
    select(currentMode.key);
  }
}

/** Accepts or rejects the visible undecided findings of the current photo, then selects the next undecided one. */
function judgePhoto(verdict: 'accept' | 'reject'): void {
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

/** A drawn box whose part is not set yet. */
export const pendingBox = signal<Omit<Add, 'decision'> | null>(null);

/** Starts drawing a new box, or editing the finding's box in the visible photo. */
function beginDrawing(row: Row | null): void {
  if (row === null) {
    prepareAnalysis(photoIndex.value);
    mode.value = { kind: 'draw', box: null, key: null };
    notice.value = 'Drag over the damage, or use the arrows and Enter.';
    return;
  }
  const box = row.boxes.find(({ imageIndex }) => imageIndex === photoIndex.value)?.box;
  if (box) mode.value = { kind: 'draw', box, key: row.key };
  else notice.value = 'This photo does not show the selected finding.';
}

/** Accepts the drawn box as a new damage, or as the new box of the edited finding. */
export async function acceptBox(box: DrawnBox): Promise<void> {
  const currentMode = mode.value;
  if (currentMode.kind !== 'draw') return;
  const image_index = photoIndex.value;
  resetMode();
  if (currentMode.key !== null) {
    const index = readAdditionIndex(currentMode.key);
    decide(
      index === null
        ? changeFinding(decisions.value, currentMode.key, { box, image_index })
        : changeAddition(decisions.value, index, { box }),
    );
    return;
  }
  notice.value = 'Analyzing the box…';
  try {
    const proposal = await proposePlacement(image_index, box);
    if (proposal.part === null) {
      pendingBox.value = { image_index, box, type: proposal.type };
      notice.value = 'The parts model sees no vehicle here. Choose the part.';
      dialog.value = 'part';
      return;
    }
    addBox({ image_index, box, type: proposal.type });
    const words = nameFinding({ ...proposal, part: proposal.part });
    notice.value = `Added: ${words}`;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'PHOTO_NOT_KEPT') {
      notice.value = `Not added: ${describeError(error)}`;
      return;
    }
    // Without the picture, no model can propose a type, so the reviewer names the part.
    pendingBox.value = { image_index, box, type: 'dent' };
    notice.value = `${error.message} Choose the part.`;
    dialog.value = 'part';
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
  dialog.value = 'none';
  const pending = pendingBox.value;
  pendingBox.value = null;
  const damage = current.value?.damage;
  const oldType = pending?.type ?? damage?.type;
  if (oldType === undefined) return;
  const type = item === undefined ? fitTypeToPart(oldType, part) : 'panel_damage';
  const missingSubtype = STATED_SUBTYPES.find((one) => !isUnlisted(one) && one === damage?.subtype);
  const subtype = item ?? (pending === null && type === oldType ? missingSubtype : undefined);
  const stated = { part, ...(subtype ? { subtype } : {}), ...(type === oldType && !item ? {} : { type }) };
  if (pending !== null) addBox({ ...pending, ...stated, type });
  else changeCurrent(stated);
  if (type !== oldType && item === undefined)
    notice.value = `${describePart(part)} cannot have ${describeDamage(oldType).toLowerCase()}: it is ${describeDamage(type, undefined, part).toLowerCase()} now.`;
}

/** Adds a box and selects it; its row appears once the service responds. */
function addBox(addition: Omit<Add, 'decision'>): void {
  const index = listAdditions(decisions.value).length;
  decide(addFinding(decisions.value, addition));
  selected.value = makeAdditionKey(index);
}

/** Data type of a drag: the index of a photo. */
export const DRAGGED_PHOTO = 'application/x-vehi-photo';

/** Moves a photo to the vehicle at a position; a position after the last one creates a new vehicle. */
export function moveToPosition(photo: number, at: number): void {
  closeDialog();
  const next = Math.max(0, ...vehicles.value.map(({ vehicle }) => vehicle)) + 1;
  const vehicle = vehicles.value[at]?.vehicle ?? next;
  if (at > vehicles.value.length || vehicles.value[findVehicleOf(photo)]?.vehicle === vehicle) return;
  decideOnOne(moveToVehicle(decisions.value, photo, vehicle, groupsFound()));
  const now = findVehicleOf(photo);
  if (vehicles.value[now]?.vehicle === vehicle)
    notice.value = `${readFileName(findPhoto(photo)?.url ?? '')} shows vehicle ${now + 1} now.`;
}

const groupsFound = () => inspection.value?.vehicle_groups ?? [];

const openDialog = (name: DialogName) => {
  dialog.value = name;
};

export const COMMANDS: Readonly<Record<Command, () => unknown>> = {
  accept: () => (mode.value.kind === 'merge' ? mergeCurrent() : judgeCurrent('accept')),
  acceptPhoto: () => judgePhoto('accept'),
  reject: () => judgeCurrent('reject'),
  rejectPhoto: () => judgePhoto('reject'),
  minor: () => changeCurrent({ severity: 'minor' }),
  moderate: () => changeCurrent({ severity: 'moderate' }),
  severe: () => changeCurrent({ severity: 'severe' }),
  critical: () => changeCurrent({ severity: 'critical' }),
  type: () => {
    if (!current.value) return;
    mode.value = { kind: 'type' };
    notice.value = `Type: press 1 to ${TYPE_CHOICES.length}.`;
  },
  part: () => current.value && openDialog('part'),
  draw: () => beginDrawing(null),
  box: () => beginDrawing(current.value),
  merge: mergeCurrent,
  nextFinding: () => selectNeighbour(1),
  previousFinding: () => selectNeighbour(-1),
  nextPhoto: () => stepPhoto(1),
  previousPhoto: () => stepPhoto(-1),
  nextUndecided: () => selectNextUndecided(null),
  nothingMore: completePhoto,
  allLookedAt: completeAllPhotos,
  toCheck: () => {
    showsToCheck.value = !showsToCheck.value;
  },
  vehicle: () => openDialog('vehicle'),
  oneVehicle: () => {
    closeDialog();
    decideOnOne(toggleOneVehicle(decisions.value, groupsFound()));
  },
  zoomIn: () => stage.zoomBy(1.5),
  zoomOut: () => stage.zoomBy(1 / 1.5),
  fit: () => stage.showAll(),
  zoomToFinding: () => {
    const box = current.value?.boxes.find(({ imageIndex }) => imageIndex === photoIndex.value)?.box;
    if (box) stage.zoomToBox(box);
    else notice.value = 'This photo does not show the selected finding.';
  },
  repair: () => openDialog('repair'),
  undo,
  redo,
  export: () => openDialog('export'),
  finish: () => openDialog('finish'),
  keys: () => openDialog('keys'),
  leave: () => {
    resetMode();
    notice.value = '';
  },
};
