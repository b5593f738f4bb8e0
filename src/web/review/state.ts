import { computed, signal } from '@preact/signals';
import type { InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import type { Add, Decision, DrawnBox } from '../../contract/review.ts';
import type { Review } from '../../contract/review-answers.ts';
import { groupAsDecided } from '../../domain/vehicle-photos.ts';
import { namePhoto } from '../../report/figures.ts';
import { hasSeveralVehicles } from '../../report/grade.ts';
import { type Decisions, isMarkedComplete } from './decisions.ts';
import { startHistory } from './history.ts';
import { listRows, type Row, sortByAngle } from './rows.ts';

type Mode =
  | { readonly kind: 'look' }
  | { readonly kind: 'draw'; readonly box: DrawnBox | null; readonly key: string | null }
  | { readonly kind: 'merge'; readonly key: string }
  | { readonly kind: 'type' };
export type DialogName = 'none' | 'keys' | 'part' | 'box' | 'repair' | 'export' | 'finish' | 'vehicle';

/** A drawn box that the service is analyzing, with the finding that was selected when it was drawn. */
export type NewBox = Pick<Add, 'image_index' | 'box'> & { readonly selectedThen: string | null };
/** A drawn box whose part the reviewer has to choose. */
export type WaitingBox = NewBox & Pick<Add, 'type' | 'subtype'>;

export type Snapshot = Omit<Review, 'decisions'> & { readonly decisions: readonly Decision[] };

/** An inspection; that of a command names the file it writes on finishing, `-` for stdout, and the command that reports on it. */
type ReviewedInspection = VisualInspection & {
  readonly reviewed_to?: string;
  readonly report_command?: string;
};

const SINGLE_LETTERS_KEY = 'vehi-single-letters';

/** Status message, also announced by screen readers. */
export const notice = signal('');
/** Id of the inspection under review, or of the one that is being opened. */
export const reviewedId = signal('');
export const inspection = signal<ReviewedInspection | null>(null);
/** Links to the photos as opened: every later answer signs new ones, by which all pictures would load again. */
export const pictures = signal<Review['photos']>([]);
export const snapshot = signal<Snapshot | null>(null);
export const reviewer = signal('');
export const history = signal(startHistory<Decisions>([]));
export const selected = signal<string | null>(null);
export const photoIndex = signal(0);
export const mode = signal<Mode>({ kind: 'look' });
export const dialog = signal<DialogName>('none');
/** Drawn boxes of this review that are not added yet. */
export const newBoxes = signal<readonly (NewBox | WaitingBox)[]>([]);
export const showsToCheck = signal(true);
/** Whether single letters and digits are shortcuts; remembered in this browser. */
export const singleLetters = signal(localStorage.getItem(SINGLE_LETTERS_KEY) !== 'off');

/** The box that has waited longest for its part. */
export const waitingBox = computed(() => newBoxes.value.find((one) => 'type' in one));
export const decisions = computed(() => history.value.present);
/** Photos by vehicle, as the inspection grouped them. */
export const foundGroups = computed(() => inspection.value?.vehicle_groups ?? []);
/** Lists the photos by vehicle, grouped as decided. */
export const listVehicles = (list: Decisions) =>
  groupAsDecided(inspection.value?.images ?? [], foundGroups.value, list);
export const vehicles = computed(() => listVehicles(decisions.value));
/** Returns the position of a photo's vehicle, from 0. */
export const findVehicleOf = (photo: number) =>
  vehicles.value.findIndex(({ images }) => images.includes(photo));
export const photos = computed(() =>
  sortByAngle(inspection.value?.images ?? []).toSorted(
    (a, b) => findVehicleOf(a.index) - findVehicleOf(b.index),
  ),
);
/** Photos that are not marked as looked through. */
export const photosLeft = computed(() =>
  photos.value.filter(({ index }) => !isMarkedComplete(decisions.value, index)),
);
/** Findings of the last response; a decision shows immediately, its new values with the next response. */
export const rows = computed<readonly Row[]>(() => {
  const [found, last] = [inspection.value, snapshot.value];
  return found && last ? listRows(found, last.review, decisions.value) : [];
});
export const shownRows = computed(() =>
  rows.value.filter((row) => showsToCheck.value || row.kind !== 'check' || row.outcome !== 'undecided'),
);
/** The result under review for the figures of reports, which use no other field of the envelope. */
export const result = computed<Result>(() => {
  const data = { ...inspection.value, results: snapshot.value?.results };
  return { inspection: { data } as InspectionEnvelope, assessment: null };
});
/** Results if the photos show several vehicles, each with its own figures, as in reports; null for one vehicle. */
export const severalVehicles = computed(() => {
  const results = snapshot.value?.results;
  return results && hasSeveralVehicles(results) ? results : null;
});
/** Returns the job row that repairs a finding's part; undefined if there is none. */
export const findRepairLine = ({ damage }: Row) =>
  snapshot.value?.results?.repair_lines.find(
    ({ kind, damage_ids: ids }) => kind === 'part' && ids.includes(damage.damage_id),
  );
export const findPhoto = (index: number) => inspection.value?.images.find((one) => one.index === index);
export const namePhotoAt = (index: number) =>
  namePhoto(findPhoto(index)?.url ?? '', inspection.value?.images ?? []);
export const current = computed(() => rows.value.find(({ key }) => key === selected.value) ?? null);
export const currentBox = computed(
  () => current.value?.boxes.find(({ imageIndex }) => imageIndex === photoIndex.value)?.box,
);

/** Selects a finding, and its best photo unless the visible one already shows it. */
export function select(key: string | null): void {
  const row = rows.value.find((one) => one.key === key);
  leaveMode();
  selected.value = key;
  if (row && !row.boxes.some(({ imageIndex }) => imageIndex === photoIndex.value))
    photoIndex.value = row.photoIndex;
}

export function allowSingleLetters(isAllowed: boolean): void {
  singleLetters.value = isAllowed;
  localStorage.setItem(SINGLE_LETTERS_KEY, isAllowed ? 'on' : 'off');
}

/** Closes the dialog; the next one asks for the part of a box that waits. */
export function closeDialog(): void {
  dialog.value = waitingBox.value ? 'box' : 'none';
}

/** Leaves the mode when the finding or photo changes; a merge continues on its target. */
export function leaveMode(): void {
  if (mode.value.kind === 'look' || mode.value.kind === 'merge') return;
  resetMode();
  notice.value = '';
}

export function resetMode(): void {
  mode.value = { kind: 'look' };
}
