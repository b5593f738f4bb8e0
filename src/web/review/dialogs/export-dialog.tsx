import { signal } from '@preact/signals';
import { describeError } from '../../shared/api.ts';
import { EXPORTS, type ExportName } from '../../shared/exports.ts';
import { Dialog } from '../controls.tsx';
import { downloadExport } from '../review-api.ts';
import { notice } from '../state.ts';

const redact = signal(true);
/** Export in progress, and the error of the last one. */
const state = signal<{ readonly making: ExportName | null; readonly problem: string }>({
  making: null,
  problem: '',
});

async function fetchFile(name: ExportName): Promise<void> {
  state.value = { making: name, problem: '' };
  try {
    await downloadExport(name, redact.value);
    state.value = { making: null, problem: '' };
  } catch (error) {
    notice.value = describeError(error);
    state.value = { making: null, problem: notice.value };
  }
}

export function ExportDialog() {
  return (
    <Dialog title="Export">
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
      <ul class="parts">
        {EXPORTS.map(({ name, words }) => (
          <li key={name}>
            <button
              type="button"
              data-export={name}
              disabled={state.value.making === name}
              onClick={() => void fetchFile(name)}
            >
              {state.value.making === name ? `${words}…` : words}
            </button>
          </li>
        ))}
      </ul>
      <p role="status">{state.value.problem}</p>
    </Dialog>
  );
}
