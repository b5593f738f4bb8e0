import { formatCount } from '../../lib/format-count.ts';
import { compact } from '../../lib/lists.ts';
import { DECISION_WORDS } from '../../report/words.ts';
import { type Decisions, findDecision, isMarkedComplete, listChangedSubjects } from './decisions.ts';
import { type History, record, redo as redoStep, undo as undoStep } from './history.ts';
import { save } from './saving.ts';
import * as state from './state.ts';

/** Records new decisions, leaves the current mode and saves them. */
export function decide(next: Decisions): void {
  if (next === state.decisions.value) return;
  // Clears the message of the previous action; this action may set its own below.
  state.notice.value = describeRevived(next);
  state.resetMode();
  const isAsLong = next.length === state.decisions.value.length;
  // Repeating a decision is no step to undo.
  if (isAsLong && listChangedSubjects(state.decisions.value, next).length === 0) return;
  state.history.value = record(state.history.value, next);
  void save();
}

/** Describes the findings that new decisions restore: rejected ones, and merged ones that are separate again. */
const describeRevived = (next: Decisions): string =>
  state.rows.value
    .flatMap(({ key, outcome, number }) => {
      const now = findDecision(next, key)?.decision;
      const words = now ? DECISION_WORDS[now] : 'undecided again';
      if (outcome === 'rejected' && now !== 'reject')
        return [`No. ${number} was rejected and is ${words} now.`];
      if (outcome === 'merged' && now !== 'merge') return [`No. ${number} is separate again, ${words}.`];
      return [];
    })
    .join(' ');

export const undo = () => moveThroughHistory(undoStep, 'Undone');
export const redo = () => moveThroughHistory(redoStep, 'Redone');

/** Undoes or redoes one change, selects its finding, and announces the result. */
function moveThroughHistory(move: (history: History<Decisions>) => History<Decisions>, words: string): void {
  const before = state.decisions.value;
  const next = move(state.history.value);
  if (next === state.history.value) return;
  state.history.value = next;
  // A box belongs to the photo in which it was drawn.
  state.leaveMode();
  const subjects = listChangedSubjects(before, next.present);
  const [changed] = subjects;
  if (changed && 'damage_id' in changed) state.select(changed.damage_id);
  else if (changed && 'image_index' in changed) state.photoIndex.value = changed.image_index;
  else if (changed && changed.decision !== 'one_vehicle') state.dialog.value = 'repair';
  state.notice.value = `${compact([words, describeChanged(subjects).join(', ')]).join(': ')}.`;
  void save();
}

/** Describes what holds now for the changed findings, marks of photos and vehicles. */
function describeChanged(subjects: Decisions): readonly string[] {
  const findings = state.rows.value.flatMap(({ key, number }) => {
    if (!subjects.some((one) => 'damage_id' in one && one.damage_id === key)) return [];
    const now = findDecision(state.decisions.value, key)?.decision;
    return [`no. ${number} is ${now ? DECISION_WORDS[now] : 'undecided'}`];
  });
  return compact([...findings, describeMarks(subjects), describeMoves(subjects)]);
}

function describeMarks(subjects: Decisions): string | undefined {
  const marked = subjects.flatMap((one) => (one.decision === 'nothing_more' ? [one.image_index] : []));
  const [first] = marked;
  if (first === undefined) return undefined;
  const photos = marked.length > 1 ? `${marked.length} photos are` : `${state.namePhotoAt(first)} is`;
  return `${photos} ${isMarkedComplete(state.decisions.value, first) ? '' : 'not '}marked as looked through`;
}

function describeMoves(subjects: Decisions): string | undefined {
  const moves = subjects.filter((one) => 'vehicle' in one || one.decision === 'one_vehicle');
  const [first] = moves;
  if (first === undefined) return undefined;
  return 'vehicle' in first && moves.length === 1
    ? `${state.namePhotoAt(first.image_index)} shows vehicle ${state.findVehicleOf(first.image_index) + 1}`
    : `the photos show ${formatCount(state.vehicles.value.length, 'vehicle')}`;
}
