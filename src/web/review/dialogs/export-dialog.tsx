import { useSignal } from '@preact/signals';
import { describeError } from '../../shared/api.ts';
import { EXPORTS, type ExportName } from '../../shared/exports.ts';
import { Dialog } from '../controls.tsx';
import { downloadExport } from '../review-api.ts';
import { describeSaving, save, saving } from '../saving.ts';
import { notice, reviewedId } from '../state.ts';

export function ExportDialog() {
  const redact = useSignal(true);
  const making = useSignal<ExportName | null>(null);
  const problem = useSignal('');
  const fetchFile = async (name: ExportName) => {
    const { value: id } = reviewedId;
    making.value = name;
    problem.value = '';
    // A file has what is decided, also where the last decision is still being saved.
    await save();
    await downloadExport(name, redact.value).catch((error: unknown) => {
      problem.value = describeError(error);
      // The dialog may have been closed meanwhile.
      if (reviewedId.value === id) notice.value = problem.value;
    });
    making.value = null;
  };
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
              disabled={making.value !== null}
              onClick={() => void fetchFile(name)}
            >
              {making.value === name ? `${words}…` : words}
            </button>
          </li>
        ))}
      </ul>
      <p role="status">{saving.value === 'unreachable' ? describeSaving() : problem.value}</p>
    </Dialog>
  );
}
