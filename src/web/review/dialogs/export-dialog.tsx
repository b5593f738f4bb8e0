import { signal } from '@preact/signals';
import { Dialog } from '../../shared/controls.tsx';
import { EXPORTS, type ExportName } from '../../shared/exports.ts';
import { downloadExport } from '../review-api.ts';
import { closeDialog, notice } from '../store.ts';

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
    const problem = error instanceof Error ? error.message : String(error);
    state.value = { making: null, problem };
    notice.value = problem;
  }
}

export function ExportDialog() {
  return (
    <Dialog title="Export" onClose={closeDialog}>
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
