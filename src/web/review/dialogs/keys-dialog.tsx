import { COMMANDS } from '../actions.ts';
import { Dialog } from '../controls.tsx';
import { describeKey, SHORTCUTS } from '../keys.ts';
import { closeDialog, singleLetters } from '../state.ts';

/** Renders every shortcut with a button for its command, and the switch for single-letter keys. */
export function KeysDialog() {
  return (
    <Dialog title="Keys" isWide onClose={closeDialog}>
      <ul class="keys">
        {SHORTCUTS.map(({ command, words, keys }) => (
          <li key={command}>
            <span>
              {keys.map((key) => (
                <>
                  <kbd key={key}>{describeKey(key)}</kbd>{' '}
                </>
              ))}
            </span>
            <button
              type="button"
              class="link"
              onClick={() => {
                closeDialog();
                COMMANDS[command]();
              }}
            >
              {words}
            </button>
          </li>
        ))}
        <li>
          <kbd>Space</kbd>
          <span>hold and drag to move the photo; the wheel zooms</span>
        </li>
      </ul>
      <label class="choice">
        <input
          type="checkbox"
          checked={singleLetters.value}
          onChange={({ currentTarget }) => {
            singleLetters.value = currentTarget.checked;
            localStorage.setItem('vehi-single-letters', currentTarget.checked ? 'on' : 'off');
          }}
        />
        Single letters and digits are keys (without: arrows, Enter, Delete and those with Ctrl)
      </label>
    </Dialog>
  );
}
