import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { VisualInspection } from '../../contract/inspection.ts';
import { compact } from '../../lib/lists.ts';
import { ApiError, describeError, linkSession, session, waitToRetry } from '../shared/api.ts';
import { type Decisions, joinDecisions } from './decisions.ts';
import { returnTo, startHistory } from './history.ts';
import { finishReview, MESSAGES, putReview, readInspection, readReview } from './review-api.ts';
import { findNextUndecided } from './rows.ts';
import * as state from './state.ts';

/** State of the page's connection to the program that stores the review. */
export const phase = signal<'opening' | 'ready' | 'refused' | 'finished'>('opening');
export const refusal = signal('');
/** Why the review is not open yet. */
export const openingNote = signal('');
export const saving = signal<'saved' | 'saving' | 'unreachable'>('saved');
/** Error message of a failed save; null if the service is unreachable. */
const saveFault = signal<string | null>(null);

/** Boxes without a part, by the id of their review, which is not open. */
const leftBoxes = new Map<string, typeof state.newBoxes.value>();

// The browser asks before the page is left or loaded again.
addEventListener('beforeunload', (event) => {
  if (saving.value !== 'saved' || state.newBoxes.value.length > 0) event.preventDefault();
});

/**
 * Opens the review of an inspection, once that open before is saved with the boxes that are being analyzed; the notice says
 * what came of those. Stops if the page is left or another review is opened meanwhile.
 */
export async function openReview(id: string, left: AbortSignal): Promise<void> {
  phase.value = 'opening';
  const noticeBefore = state.notice.value;
  await waitFor(state.newBoxes, (boxes) => boxes.every((one) => 'type' in one));
  await runningSave;
  if (left.aborted) return;
  const outcome = refusal.value || state.notice.value;
  const vehicleBefore = state.inspection.value?.vehicle_id;
  emptyPage(id);
  if (outcome && outcome !== noticeBefore) state.notice.value = `Review of ${vehicleBefore}: ${outcome}`;
  await loadReview(() => left.aborted || state.reviewedId.value !== id);
}

const waitFor = <T>(of: ReadonlySignal<T>, isWanted: (value: T) => boolean) =>
  new Promise<void>((done) => {
    const end = () => done(stop());
    const stop = of.subscribe((value) => isWanted(value) && queueMicrotask(end));
  });

/** Empties the page for another review. A box without a part waits until its own review is opened again. */
function emptyPage(id: string): void {
  phase.value = 'opening';
  openingNote.value = 'Opening…';
  refusal.value = '';
  saving.value = 'saved';
  leftBoxes.set(state.reviewedId.value, state.newBoxes.value);
  state.reviewedId.value = id;
  state.newBoxes.value = leftBoxes.get(id) ?? [];
  state.snapshot.value = null;
  state.selected.value = null;
  state.notice.value = '';
  state.closeDialog();
  state.resetMode();
}

/** Loads the stored review into the page, as soon as the photos are analyzed. */
async function loadReview(isLeft: () => boolean): Promise<void> {
  while (!isLeft()) {
    try {
      const found = await readInspection();
      const stored = found.status === 'processing' ? null : await readReview();
      if (isLeft()) return;
      if (stored !== null) return applyOpened(found, stored);
      openingNote.value = 'The photos are being analyzed. The review opens when that is done.';
      await waitToRetry();
    } catch (error) {
      if (isLeft()) return;
      if (!(error instanceof ApiError && error.isTransient)) return refuse(error);
      openingNote.value = `${error.message} Trying again.`;
      await waitToRetry(error);
    }
  }
}

function applyOpened(found: VisualInspection, stored: state.Snapshot): void {
  batch(() => {
    state.inspection.value = found;
    state.pictures.value = stored.photos;
    state.snapshot.value = stored;
    state.reviewer.value = stored.reviewer;
    state.history.value = startHistory(stored.decisions);
    if (!state.rows.value.some(({ key }) => key === state.selected.value)) {
      const first = findNextUndecided(state.rows.value, null) ?? state.rows.value[0];
      state.selected.value = first?.key ?? null;
      state.photoIndex.value = first?.photoIndex ?? state.photos.value[0]?.index ?? 0;
    }
    phase.value = 'ready';
  });
}

export function describeSaving(): string {
  if (saving.value === 'unreachable') return MESSAGES.unreachable(saveFault.value);
  return saving.value === 'saving' ? 'Saving…' : 'Saved';
}

export function refuse(error: unknown): void {
  saving.value = 'saved';
  const isLinkUsed = error instanceof ApiError && error.status === 401 && linkSession.value !== null;
  refusal.value = isLinkUsed ? 'A newer link was opened: the review continues there.' : describeError(error);
  phase.value = 'refused';
}

let runningSave: Promise<boolean> | null = null;

/**
 * Saves until the service has stored the current decisions; each response includes the new price. Returns false if it
 * refused a change.
 */
export function save(): Promise<boolean> {
  if (phase.value === 'refused' || phase.value === 'finished') return Promise.resolve(false);
  runningSave ??= saveAll().finally(() => {
    runningSave = null;
  });
  return runningSave;
}

async function saveAll(): Promise<boolean> {
  for (;;) {
    const last = state.snapshot.value;
    if (!last || (last.decisions === state.decisions.value && last.reviewer === state.reviewer.value))
      return true;
    // What a repeat says of the service stays until it succeeds.
    if (saving.value === 'saved') saving.value = 'saving';
    const sent = state.decisions.value;
    try {
      const { revision } = last;
      const response = await putReview({ revision, reviewer: state.reviewer.value, decisions: sent });
      const isAsSent = JSON.stringify(response.decisions) === JSON.stringify(sent);
      batch(() => {
        state.snapshot.value = isAsSent ? { ...response, decisions: sent } : response;
        // They differ, for example, if the service has assigned a part to a box.
        if (!isAsSent && state.decisions.value === sent)
          state.history.value = { ...state.history.value, present: response.decisions };
      });
      saving.value = 'saved';
    } catch (error) {
      if (!(await recover(error, last, sent))) return false;
    }
  }
}

/** Handles a failed save of `sent`; returns true if it should be retried. */
async function recover(error: unknown, last: state.Snapshot, sent: Decisions): Promise<boolean> {
  const apiError = error instanceof ApiError ? error : new ApiError(0, '', String(error));
  const { status, message } = apiError;
  if (status === 400 || status === 422) {
    const later = state.decisions.value === sent ? '' : ' Later decisions are undone, too.';
    state.notice.value = `Not possible: ${message}${later}`;
    state.history.value = returnTo(state.history.value, last.decisions);
    saving.value = 'saved';
    return false;
  }
  if (status === 409)
    return joinStored(last.decisions).then(
      () => true,
      (failure: unknown) => recover(failure, last, sent),
    );
  // A user whose session has ended signs in, and the review goes on.
  const isSignedOut = status === 401 && linkSession.value === null;
  if (!apiError.isTransient && !isSignedOut) {
    refuse(error);
    return false;
  }
  saveFault.value = status === 0 ? null : message;
  saving.value = 'unreachable';
  await (isSignedOut ? waitFor(session, (value) => value !== null) : waitToRetry(apiError));
  return true;
}

/** Reapplies this page's unsaved changes to the review that another page has stored. @throws ApiError */
async function joinStored(base: Decisions): Promise<void> {
  const stored = await readReview();
  const { joined, lost } = joinDecisions(base, state.decisions.value, stored.decisions);
  const numbers = state.rows.value.flatMap(({ key, number }) =>
    lost.some((one) => 'damage_id' in one && one.damage_id === key) ? [`no. ${number}`] : [],
  );
  const kept =
    lost.length > 0 && `Its decisions on ${numbers.join(', ') || 'the same price or photo'} were kept.`;
  const meanwhile = compact(['Another page has also changed this review.', kept]).join(' ');
  batch(() => {
    state.snapshot.value = stored;
    state.history.value = { ...startHistory(stored.decisions), present: joined };
    // What this page's own change has said stays.
    if (!state.notice.value.endsWith(meanwhile))
      state.notice.value = compact([state.notice.value, meanwhile]).join(' ');
  });
}

export async function finish(): Promise<void> {
  const { value: id } = state.reviewedId;
  const isSaved = await save();
  // Closing the dialog before everything was saved withdraws it.
  if (state.dialog.value !== 'finish') return;
  const last = state.snapshot.value;
  const problem =
    isSaved && last?.decisions === state.decisions.value
      ? await finishReview(last.revision).then(() => null, describeError)
      : 'the last change is not saved.';
  // Another review was opened meanwhile.
  if (phase.value !== 'ready' || state.reviewedId.value !== id) return;
  state.closeDialog();
  if (problem === null) phase.value = 'finished';
  else state.notice.value = compact([!isSaved && state.notice.value, `Not finished: ${problem}`]).join(' ');
}
