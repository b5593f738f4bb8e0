import type { InspectionEnvelope, Photo } from '../../../contract/inspection.ts';
import { MAX_REVIEWER } from '../../../contract/review-answers.ts';
import { listFigures } from '../../../report/headline.ts';
import { nameFinding } from '../../../report/words.ts';
import { StoredInput } from '../../shared/stored-input.tsx';
import { COMMANDS } from '../commands.ts';
import { Dialog } from '../controls.tsx';
import { MESSAGES } from '../review-api.ts';
import { describeSaving, finish, save, saving } from '../saving.ts';
import { inspection, namePhotoAt, photos, photosLeft, reviewer, rows, snapshot, vehicles } from '../state.ts';
import { describeVehicle, nameVehicle } from '../vehicle-strip.tsx';

export function FinishDialog() {
  const undecided = rows.value.filter(({ outcome }) => outcome === 'undecided');
  const toCheck = undecided.filter(({ kind }) => kind === 'check').length;
  const results = snapshot.value?.results;
  return (
    <Dialog title="Finish">
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void finish();
        }}
      >
        <label>
          Reviewed by
          <StoredInput
            attributes={{
              autofocus: true,
              type: 'text',
              maxLength: MAX_REVIEWER,
              autocomplete: 'name',
            }}
            value={reviewer.value}
            onStore={(name) => {
              reviewer.value = name;
              void save();
            }}
          />
        </label>
        <ul>
          {(results?.damages ?? []).map((one) => (
            <li key={one.damage_id}>
              No. {one.number}: {nameFinding({ ...one, ...one.location })}
            </li>
          ))}
        </ul>
        {undecided.length > toCheck ? <p>{undecided.length - toCheck} not decided: as found.</p> : null}
        {toCheck > 0 ? <p>{toCheck} to check, not decided: in the list, in no sum.</p> : null}
        <Figures />
        {photosLeft.value.length === 0 ? null : (
          <p>
            <button type="button" data-command="allLookedAt" onClick={COMMANDS.allLookedAt}>
              I looked through every photo
            </button>
          </p>
        )}
        <p>{MESSAGES.finish()}</p>
        <p role="status">{saving.value === 'unreachable' ? describeSaving() : ''}</p>
        <button type="submit" class="main" data-finish>
          Finish
        </button>
      </form>
    </Dialog>
  );
}

/** Lists the figures of the review as in reports: repair, damage, open findings; none for several vehicles. */
export function listReviewFigures() {
  // The figures use no other field of the envelope.
  const reviewed = { data: { ...inspection.value, results: snapshot.value?.results } } as InspectionEnvelope;
  return listFigures({ inspection: reviewed, assessment: null });
}

export function Figures() {
  const figures = listReviewFigures();
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
          {vehicles.value.map((_, at) => (
            <li key={at}>
              {nameVehicle(at)}: {describeVehicle(at)}
            </li>
          ))}
        </ul>
      )}
      <p class="facts">{describeUnfinished(photosLeft.value)}</p>
    </>
  );
}

/** Describes the photos not marked as complete; omits the names if no photo is marked. */
function describeUnfinished(left: readonly Photo[]): string {
  if (left.length === 0) return 'Every photo was looked through to the end.';
  if (left.length === photos.value.length) return 'No photo is marked as looked through.';
  const names = left.map(({ index }) => namePhotoAt(index)).join(', ');
  return `${left.length} of ${photos.value.length} photos are not marked as looked through: ${names}`;
}
