import { batch, computed, signal } from '@preact/signals';
import type { VisualInspection } from '../../contract/inspection.ts';
import type { DrawnBox } from '../../contract/review.ts';
import { DECISION_WORDS, isMixed } from '../../report/words.ts';
import { ApiError, linkSession, waitToRetry } from '../app/api.ts';
import { type Decisions, findDecision, joinDecisions, listChangedSubjects } from './decide.ts';
import {
  type History,
  record,
  redo as redoStep,
  returnTo,
  startHistory,
  undo as undoStep,
} from './history.ts';
import { finishReview, type OpenedReview, putReview, readReview, type Snapshot } from './review-api.ts';
import { findNextUndecided, listRows, listVehicles, type Row, sortByAngle } from './rows.ts';

/** State of the page's connection to the program that stores the review. */
type Phase = 'opening' | 'ready' | 'refused' | 'finished';
type Saving = 'saved' | 'saving' | 'unreachable';
type Mode =
  | { readonly kind: 'look' }
  | { readonly kind: 'draw'; readonly box: DrawnBox | null; readonly key: string | null }
  | { readonly kind: 'merge'; readonly key: string }
  | { readonly kind: 'type' };
export type DialogName = 'none' | 'keys' | 'part' | 'repair' | 'export' | 'finish' | 'vehicle';

export const phase = signal<Phase>('opening');
export const refusal = signal('');
/** Error message of a failed save; null if the service is unreachable. */
export const saveFault = signal<string | null>(null);
export const saving = signal<Saving>('saved');
/** Status message, also announced by screen readers. */
export const notice = signal('');
export const inspection = signal<VisualInspection | null>(null);
export const output = signal('');
export const snapshot = signal<Snapshot | null>(null);
export const reviewer = signal('');
export const history = signal<History<Decisions>>(startHistory<Decisions>([]));
export const selected = signal<string | null>(null);
export const photoIndex = signal(0);
export const mode = signal<Mode>({ kind: 'look' });
export const dialog = signal<DialogName>('none');
export const showsToCheck = signal(true);
export const singleLetters = signal(localStorage.getItem('vehi-single-letters') !== 'off');

export const decisions = computed(() => history.value.present);
/** Photos by vehicle as decided. */
export const vehicles = computed(() =>
  inspection.value ? listVehicles(inspection.value, decisions.value) : [],
);
/** Returns the position of a photo's vehicle, from 0. */
export const findVehicleOf = (photo: number) =>
  vehicles.value.findIndex(({ images }) => images.includes(photo));
export const photos = computed(() =>
  sortByAngle(inspection.value?.images ?? []).toSorted(
    (a, b) => findVehicleOf(a.index) - findVehicleOf(b.index),
  ),
);
/** Findings of the last response; a decision shows immediately, its new values after the response. */
export const rows = computed<readonly Row[]>(() => {
  const [found, last] = [inspection.value, snapshot.value];
  return found && last ? listRows(found, last.review, decisions.value) : [];
});
export const shownRows = computed(() =>
  rows.value.filter((row) => showsToCheck.value || row.kind !== 'check' || row.outcome !== 'undecided'),
);
/** Results if the photos show several vehicles: then figures are of each, as in reports; null for one vehicle. */
export const severalVehicles = computed(() => {
  const results = snapshot.value?.results;
  return results && isMixed(results) ? results : null;
});
/** Returns the row of the job that repairs a finding's part; undefined if it is in none. */
export function findRepairLine({ damage }: Row) {
  return snapshot.value?.results?.repair_lines.find(
    ({ kind, damage_ids: ids }) => kind === 'part' && ids.includes(damage.damage_id),
  );
}
export const findPhoto = (index: number) => inspection.value?.images.find((one) => one.index === index);
export const current = computed(() => rows.value.find(({ key }) => key === selected.value) ?? null);

/** Opens the session and loads the review. */
export async function openReview(): Promise<void> {
  phase.value = 'opening';
  saving.value = 'saved';
  selected.value = null;
  dialog.value = 'none';
  notice.value = '';
  resetMode();
  try {
    applyOpened(await readReview());
    phase.value = 'ready';
  } catch (error) {
    refuse(error);
  }
}

function applyOpened(opened: OpenedReview): void {
  batch(() => {
    inspection.value = opened.inspection;
    output.value = opened.output;
    snapshot.value = opened;
    reviewer.value = opened.reviewer;
    history.value = startHistory(opened.decisions);
    const isListed = rows.value.some(({ key }) => key === selected.value);
    if (!isListed) {
      const first = findNextUndecided(rows.value, null) ?? rows.value[0];
      selected.value = first?.key ?? null;
      photoIndex.value = first?.photoIndex ?? photos.value[0]?.index ?? 0;
    }
  });
}

/** Records why the page cannot review. */
export function refuse(error: unknown): void {
  const isLinkUsed = error instanceof ApiError && error.status === 401 && linkSession.value !== null;
  refusal.value = isLinkUsed
    ? 'A newer link was opened: the review continues there.'
    : error instanceof Error
      ? error.message
      : String(error);
  phase.value = 'refused';
}

/** Records new decisions, leaves the current mode and saves them. */
export function decide(next: Decisions): void {
  if (next === decisions.value) return;
  // Clears the message of the previous action; this action may set its own below.
  notice.value = describeRevived(next);
  resetMode();
  const isAsLong = next.length === decisions.value.length;
  // Saying again what is said is no step to undo.
  if (isAsLong && listChangedSubjects(decisions.value, next).length === 0) return;
  history.value = record(history.value, next);
  void save();
}

/** Describes the findings that new decisions restore: rejected ones, and merged ones that are by themselves again. */
function describeRevived(next: Decisions): string {
  return rows.value
    .flatMap(({ key, outcome, number }) => {
      const now = findDecision(next, key)?.decision;
      const words = now ? DECISION_WORDS[now] : 'undecided again';
      if (outcome === 'rejected' && now !== 'reject')
        return [`No. ${number} was rejected and is ${words} now.`];
      if (outcome === 'merged' && now !== 'merge') return [`No. ${number} is by itself again, ${words}.`];
      return [];
    })
    .join(' ');
}

export const undo = () => moveThroughHistory(undoStep, 'Undone');
export const redo = () => moveThroughHistory(redoStep, 'Done again');

/** Undoes or redoes one change, selects its finding, and says what holds now. */
function moveThroughHistory(move: (history: History<Decisions>) => History<Decisions>, words: string): void {
  const before = decisions.value;
  const next = move(history.value);
  if (next === history.value) return;
  history.value = next;
  const subjects = listChangedSubjects(before, next.present);
  const [changed] = subjects;
  if (changed && 'damage_id' in changed) select(changed.damage_id);
  else if (changed && 'image_index' in changed) photoIndex.value = changed.image_index;
  else if (changed && changed.decision !== 'one_vehicle') dialog.value = 'repair';
  const numbers = rows.value.flatMap(({ key, number }) => {
    if (!subjects.some((one) => 'damage_id' in one && one.damage_id === key)) return [];
    const now = findDecision(next.present, key)?.decision;
    return [`no. ${number} is ${now ? DECISION_WORDS[now] : 'undecided'}`];
  });
  notice.value = [words, numbers.join(', ')].filter(Boolean).join(': ');
  void save();
}

/** Selects a finding, and its best photo unless the visible one already shows it. */
export function select(key: string | null): void {
  const row = rows.value.find((one) => one.key === key);
  leaveMode();
  selected.value = key;
  if (row && !row.boxes.some(({ imageIndex }) => imageIndex === photoIndex.value))
    photoIndex.value = row.photoIndex;
}

let runningSave: Promise<void> | null = null;

/** Saves until the service has stored the current decisions; each response includes the new price. */
export function save(): Promise<void> {
  if (phase.value !== 'ready') return Promise.resolve();
  runningSave ??= saveAll().finally(() => {
    runningSave = null;
  });
  return runningSave;
}

async function saveAll(): Promise<void> {
  for (;;) {
    const last = snapshot.value;
    if (!last || (last.decisions === decisions.value && last.reviewer === reviewer.value)) break;
    saving.value = 'saving';
    const sent = decisions.value;
    try {
      const { revision } = last;
      const response = await putReview({ revision, reviewer: reviewer.value, decisions: sent });
      const isAsSent = JSON.stringify(response.decisions) === JSON.stringify(sent);
      if (isAsSent) snapshot.value = { ...response, decisions: sent };
      else applyDifferingResponse(response, sent);
      saving.value = 'saved';
    } catch (error) {
      if (!(await recover(error, last, sent))) break;
    }
  }
}

/** Applies a response whose decisions differ from those sent, as where a box got its part. */
function applyDifferingResponse(response: Snapshot, sent: Decisions): void {
  batch(() => {
    snapshot.value = response;
    if (decisions.value === sent) history.value = { ...history.value, present: response.decisions };
  });
}

/** Handles a failed save of `sent`; returns true if it should be retried. */
async function recover(error: unknown, last: Snapshot, sent: Decisions): Promise<boolean> {
  const apiError = error instanceof ApiError ? error : new ApiError(0, '', String(error), null);
  const { status, message } = apiError;
  if (status === 422) {
    const later = decisions.value === sent ? '' : ' Later decisions are undone, too.';
    notice.value = `Not possible: ${message}${later}`;
    history.value = returnTo(history.value, last.decisions);
    saving.value = 'saved';
    return false;
  }
  if (status === 409) return joinStored(last.decisions);
  if (!apiError.isTransient) {
    refuse(error);
    return false;
  }
  saveFault.value = status === 0 ? null : message;
  saving.value = 'unreachable';
  await waitToRetry(apiError);
  return phase.value === 'ready';
}

/** Brings the changes of this page into what another page stored first; returns true if the result is to be saved. */
async function joinStored(base: Decisions): Promise<boolean> {
  const stored = await readReview().catch(refuse);
  if (!stored) return false;
  const { joined, lost } = joinDecisions(base, decisions.value, stored.decisions);
  const numbers = rows.value.flatMap(({ key, number }) =>
    lost.some((one) => 'damage_id' in one && one.damage_id === key) ? [`no. ${number}`] : [],
  );
  batch(() => {
    snapshot.value = stored;
    history.value = { ...startHistory(stored.decisions), present: joined };
    notice.value = `Another page changed this review, too.${lost.length === 0 ? '' : ` What it said of ${numbers.join(', ') || 'the same price or photo'} stands.`}`;
  });
  return true;
}

/** Saves pending decisions and finishes the review. */
export async function finish(): Promise<void> {
  await save();
  // Closed before reporting, so no dialog covers an error message.
  closeDialog();
  const last = snapshot.value;
  if (!last || last.decisions !== decisions.value) {
    notice.value = 'Not finished: the last change is not saved.';
    return;
  }
  try {
    await finishReview(last.revision);
    phase.value = 'finished';
  } catch (error) {
    notice.value = `Not finished: ${error instanceof Error ? error.message : error}`;
  }
}

export function closeDialog(): void {
  dialog.value = 'none';
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
