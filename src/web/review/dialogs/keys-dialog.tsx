import { COMMANDS } from '../commands.ts';
import { Dialog } from '../controls.tsx';
import { COMMAND_NAMES, describeKey, SHORTCUTS } from '../keys.ts';
import { allowSingleLetters, closeDialog, singleLetters } from '../state.ts';

export function KeysDialog() {
  return (
    <Dialog title="Keys" isWide>
      <ul class="keys">
        {COMMAND_NAMES.map((command) => (
          <li key={command}>
            <span>
              {SHORTCUTS[command].keys.map((key) => (
                <kbd key={key}>{describeKey(key)}</kbd>
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
              {SHORTCUTS[command].words}
            </button>
          </li>
        ))}
        <li>
          <span>
            <kbd>Space</kbd>
          </span>
          <span>hold and drag to move the photo; the wheel zooms</span>
        </li>
      </ul>
      <label class="choice">
        <input
          type="checkbox"
          checked={singleLetters.value}
          onChange={({ currentTarget }) => allowSingleLetters(currentTarget.checked)}
        />
        Enable shortcuts of one letter, digit or sign (arrows, Enter, Delete, Escape and Ctrl always work)
      </label>
    </Dialog>
  );
}
