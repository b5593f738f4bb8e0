import { describeDamage, describeFindPart, SEVERITY_WORDS } from '../../../report/words.ts';
import { Dialog } from '../../shared/controls.tsx';
import { Figures } from '../outcome.tsx';
import { words } from '../review-api.ts';
import { closeDialog, finish, output, reviewer, rows, save, snapshot } from '../store.ts';

/** Renders a summary of the review, and who made it. */
export function FinishDialog() {
  const open = rows.value.filter(({ fate }) => fate === 'undecided');
  const toCheck = open.filter(({ kind }) => kind === 'check').length;
  const results = snapshot.value?.results;
  return (
    <Dialog title="Finish" onClose={closeDialog}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void finish();
        }}
      >
        <label>
          Reviewed by
          <input
            autofocus
            type="text"
            maxLength={120}
            autocomplete="name"
            value={reviewer.value}
            onChange={({ currentTarget }) => {
              reviewer.value = currentTarget.value.trim();
              void save();
            }}
          />
        </label>
        <ul>
          {(results?.damages ?? []).map(({ damage_id, number, type, subtype, severity, location }) => (
            <li key={damage_id}>
              No. {number}: {SEVERITY_WORDS[severity].toLowerCase()}{' '}
              {describeDamage(type, subtype).toLowerCase()}, {describeFindPart(location)}
            </li>
          ))}
        </ul>
        {open.length > toCheck ? <p>{open.length - toCheck} not decided: they stay as found.</p> : null}
        {toCheck > 0 ? <p>{toCheck} to check are not decided: they stay in the list, in no sum.</p> : null}
        <Figures />
        <p>{words.finish(output.value)}</p>
        <button type="submit" class="main" data-finish>
          Finish
        </button>
      </form>
    </Dialog>
  );
}
