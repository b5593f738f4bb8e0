import { MAX_REVIEWER } from '../../../contract/constants.ts';
import type { Photo } from '../../../contract/inspection.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { compact } from '../../../lib/lists.ts';
import { listFigures } from '../../../report/headline.ts';
import { nameFinding } from '../../../report/words.ts';
import { onSubmit } from '../../shared/forms.ts';
import { StoredInput } from '../../shared/stored-input.tsx';
import { COMMANDS } from '../commands.ts';
import { Dialog } from '../controls.tsx';
import { MESSAGES } from '../review-api.ts';
import { describeSaving, finish, save, saving } from '../saving.ts';
import * as state from '../state.ts';
import { describeVehicle, nameVehicle } from '../vehicle-strip.tsx';

export function FinishDialog() {
  const undecided = describeUndecided();
  const isPlacing = state.newBoxes.value.length > 0;
  const fault = saving.value === 'unreachable' ? describeSaving() : '';
  return (
    <Dialog title="Finish">
      <form onSubmit={onSubmit(finish)}>
        <label>
          Reviewed by
          <StoredInput
            attributes={{ autofocus: true, type: 'text', maxLength: MAX_REVIEWER, autocomplete: 'name' }}
            value={state.reviewer.value}
            onStore={(name) => {
              state.reviewer.value = name;
              void save();
            }}
          />
        </label>
        <ul>
          {(state.snapshot.value?.results?.damages ?? []).map((one) => (
            <li key={one.damage_id}>
              No. {one.number}: {nameFinding({ ...one, ...one.location })}
            </li>
          ))}
        </ul>
        {undecided.length > 0 ? <p>Not decided: {undecided.join('; ')}.</p> : null}
        <Figures />
        {state.photosLeft.value.length === 0 ? null : (
          <p>
            <button type="button" data-command="allLookedAt" onClick={COMMANDS.allLookedAt}>
              I looked through every photo
            </button>
          </p>
        )}
        <p>{MESSAGES.finish()}</p>
        <p role="status">{fault || (isPlacing ? 'A drawn box is being analyzed.' : '')}</p>
        <button type="submit" class="main" data-finish disabled={isPlacing}>
          Finish
        </button>
      </form>
    </Dialog>
  );
}

/** Describes the damages and the places to check without a decision, with what becomes of them. */
function describeUndecided(): readonly string[] {
  const undecided = state.rows.value.filter(({ outcome }) => outcome === 'undecided');
  const toCheck = undecided.filter(({ kind }) => kind === 'check').length;
  const certain = undecided.length - toCheck;
  return compact([
    certain > 0 && `${formatCount(certain, 'damage')}, priced as found`,
    toCheck > 0 && `${formatCount(toCheck, 'place')} to check, listed but not in the price`,
  ]);
}

export function Figures() {
  const figures = listFigures(state.result.value);
  return (
    <>
      {figures.length > 0 ? (
        <dl class="outcome">
          {figures.map(({ label, value, note }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <strong>{value}</strong> {note}
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <ul>
          {state.vehicles.value.map((_, at) => (
            <li key={at}>
              {nameVehicle(at)}: {describeVehicle(at)}
            </li>
          ))}
        </ul>
      )}
      <p class="facts">{describeUnfinished(state.photosLeft.value)}</p>
    </>
  );
}

/** Describes the photos not marked as complete; omits the names if no photo is marked. */
function describeUnfinished(left: readonly Photo[]): string {
  if (left.length === 0) return 'Every photo was looked through to the end.';
  if (left.length === state.photos.value.length) return 'No photo is marked as looked through.';
  const names = left.map(({ index }) => state.namePhotoAt(index)).join(', ');
  return `${left.length} of ${state.photos.value.length} photos are not marked as looked through: ${names}`;
}
