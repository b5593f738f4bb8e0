import { signal } from '@preact/signals';
import { Dialog } from '../../shared/controls.tsx';
import { findDoor } from '../door.ts';
import { closeDialog } from '../store.ts';

const redact = signal(false);

/** Renders the files that the review can be downloaded as. */
export function ExportDialog() {
  return (
    <Dialog title="Export" onClose={closeDialog}>
      {findDoor().canRedact ? (
        <label class="choice">
          <input
            type="checkbox"
            checked={redact.value}
            onChange={({ currentTarget }) => {
              redact.value = currentTarget.checked;
            }}
          />
          Blur the number plates that are found (some are missed: look at the pictures before you send them)
        </label>
      ) : null}
      <ul class="parts">
        {findDoor().exports.map(({ name, words }) => (
          <li key={name}>
            <a href={findDoor().exportAddress(name, redact.value)} download data-export={name}>
              {words}
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
