import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { InspectionResults } from '../../contract/inspection.ts';
import { PART_NAMES, type PartName } from '../../domain/parts.ts';
import { moneyRange } from '../../report/figures.ts';
import { damageWords, partWords, SEVERITY_WORDS } from '../../report/words.ts';
import { Dialog } from '../shared/controls.tsx';
import { COMMANDS, dropPending, namePart, pendingBox } from './actions.ts';
import { door, placeBox } from './door.ts';
import { KEYS, keyWords } from './keys.ts';
import { CarPlan } from './plan.tsx';
import {
  current,
  dialog,
  finish,
  inspection,
  output,
  reviewer,
  rows,
  save,
  select,
  singleLetters,
  snapshot,
} from './store.ts';

const close = () => {
  dialog.value = 'none';
};

/** Whatever dialog is open. */
export function Dialogs() {
  switch (dialog.value) {
    case 'keys':
      return <KeysDialog />;
    case 'part':
      return <PartDialog />;
    case 'plan':
      return <PlanDialog />;
    case 'export':
      return <ExportDialog />;
    case 'finish':
      return <FinishDialog />;
    default:
      return null;
  }
}

function KeysDialog() {
  return (
    <Dialog title="Keys" wide onClose={close}>
      <ul class="keys">
        {KEYS.map(({ command, words, keys }) => (
          <li key={command}>
            <span>
              {keys.map((key) => (
                <>
                  <kbd key={key}>{keyWords(key)}</kbd>{' '}
                </>
              ))}
            </span>
            <button
              type="button"
              class="link"
              onClick={() => {
                close();
                COMMANDS[command]();
              }}
            >
              {words}
            </button>
          </li>
        ))}
        <li>
          <kbd>Space</kbd>
          <span>held: drag moves the photo; the wheel looks closer</span>
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

const typed = signal('');
const proposed = signal<readonly { readonly part: PartName; readonly share: number }[]>([]);

/** The parts, those under the box first; typing searches, Enter takes the first. */
function PartDialog() {
  const row = current.value;
  useEffect(() => {
    typed.value = '';
    proposed.value = [];
    const pending = pendingBox();
    const found = row?.boxes[0];
    const asked = pending ?? (found && { image_index: found.image, box: found.box, type: row.damage.type });
    if (asked)
      placeBox(asked.image_index, asked.box, { type: asked.type })
        .then(({ alternatives }) => {
          proposed.value = alternatives;
        })
        .catch(() => undefined);
  }, []);
  const words = typed.value
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean);
  const first = proposed.value.map(({ part }) => part);
  const found = [...first, ...PART_NAMES.filter((part) => !first.includes(part))].filter((part) =>
    words.every((word) => partWords(part).toLowerCase().includes(word)),
  );
  const leave = () => {
    dropPending();
    close();
  };
  return (
    <Dialog title="Part" onClose={leave}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          const [best] = found;
          if (best) namePart(best);
        }}
      >
        <label>
          Search
          <input
            autofocus
            type="text"
            value={typed.value}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
            }}
          />
        </label>
        <ul class="parts">
          {found.map((part) => {
            const share = proposed.value.find((one) => one.part === part)?.share;
            return (
              <li key={part}>
                <button type="button" data-part={part} onClick={() => namePart(part)}>
                  {partWords(part)}
                  {share === undefined ? '' : ` · ${Math.round(share * 100)} % of the box`}
                </button>
              </li>
            );
          })}
        </ul>
      </form>
    </Dialog>
  );
}

function PlanDialog() {
  const parts = [...new Set(rows.value.map(({ damage }) => damage.location.part))];
  return (
    <Dialog title="Plan of the car" onClose={close}>
      <CarPlan />
      <ul class="parts">
        {parts.map((part) => {
          const here = rows.value.filter(({ damage }) => damage.location.part === part);
          return (
            <li key={part}>
              <button
                type="button"
                onClick={() => {
                  close();
                  select(here[0]?.key ?? null);
                }}
              >
                {partWords(part)}:{' '}
                {here
                  .map(({ number, damage }) => `no. ${number} ${damageWords(damage.type).toLowerCase()}`)
                  .join(', ')}
              </button>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

const redact = signal(false);

function ExportDialog() {
  return (
    <Dialog title="Export" onClose={close}>
      {door().canRedact ? (
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
        {door().exports.map(({ name, words }) => (
          <li key={name}>
            <a href={door().exportAddress(name, redact.value)} download data-export={name}>
              {words}
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function rangeOf({ min, max, currency }: InspectionResults['repair_cost']): string {
  return moneyRange(min, max, currency);
}

function FinishDialog() {
  const open = rows.value.filter(({ fate }) => fate === 'undecided');
  const toCheck = open.filter(({ kind }) => kind === 'check').length;
  const results = snapshot.value?.reviewed.data.results;
  const before = inspection.value?.data.results;
  return (
    <Dialog title="Finish" onClose={close}>
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
              {damageWords(type, subtype).toLowerCase()}, {partWords(location.part)}
            </li>
          ))}
        </ul>
        {open.length > toCheck ? <p>{open.length - toCheck} not decided: they stay as found.</p> : null}
        {toCheck > 0 ? <p>{toCheck} to check are not decided: they stay in the list, in no sum.</p> : null}
        {results ? (
          <p>
            Repair {rangeOf(results.repair_cost)}
            {before && rangeOf(before.repair_cost) !== rangeOf(results.repair_cost)
              ? `, before the review ${rangeOf(before.repair_cost)}`
              : ''}
            .
          </p>
        ) : null}
        <p>{door().words.finish(output.value)}</p>
        <button type="submit" class="main" data-finish>
          Finish
        </button>
      </form>
    </Dialog>
  );
}
