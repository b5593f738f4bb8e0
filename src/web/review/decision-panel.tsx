import { MAX_NOTE_LENGTH } from '../../contract/constants.ts';
import { SEVERITIES } from '../../domain/damage.ts';
import { listFittingTypes } from '../../domain/possible-types.ts';
import { formatPercent, formatWholeMoney, roundLengthCm } from '../../report/figures.ts';
import { describeDamage, describeFindingPart, describeRepair, humanize } from '../../report/words.ts';
import { StoredInput } from '../shared/stored-input.tsx';
import { clearCurrent, setType, TYPE_CHOICES } from './actions.ts';
import { CommandButton, Key } from './controls.tsx';
import { CloseUps } from './crop.tsx';
import { decide } from './decide.ts';
import { findDecision, listAdditions, readNote, setNote } from './decisions.ts';
import { acceptBox, drawnBox } from './drawing.ts';
import { SHORTCUTS } from './keys.ts';
import { CarPlan } from './plan-view.tsx';
import { type Row, readAdditionIndex } from './rows.ts';
import { current, decisions, findRepairLine, mode, reviewer } from './state.ts';

export function DecisionPanel() {
  const row = current.value;
  return (
    <section class="panel" aria-label="Decision">
      {mode.value.kind === 'draw' ? <BoxButtons /> : row ? <Finding row={row} /> : <NoFinding />}
      <CarPlan />
    </section>
  );
}

const NoFinding = () => (
  <p>No finding here. Draw a damage that was missed, or say that there is nothing more on this photo.</p>
);

function Finding({ row }: { readonly row: Row }) {
  const { damage, kind, outcome, number } = row;
  const { repair_type, repair_category } = damage.estimated_repair;
  const line = findRepairLine(row);
  const lengthCm = roundLengthCm(damage);
  const by = reviewer.value || 'you';
  const origin = {
    undecided: `${formatPercent(damage.confidence)} sure`,
    accepted: `confirmed by ${by}`,
    changed: `corrected by ${by}`,
    added: `drawn by ${by}`,
    rejected: 'rejected',
    merged: 'merged',
  }[outcome];
  return (
    <div class="finding">
      <h2>
        No. {number}: {describeDamage(damage.type, damage.subtype, damage.location.part)}
      </h2>
      <p class="facts">
        {describeFindingPart(damage.location)}
        {lengthCm === undefined ? '' : ` · ${lengthCm} cm`} · {origin}
        <br />
        {line
          ? `${formatWholeMoney(line.cost, line.currency)} for the part: ${line.action}`
          : describeRepair(repair_category ?? repair_type)}
        {outcome === 'merged' && row.mergedInto !== null ? ` · part of no. ${row.mergedInto}` : ''}
      </p>
      <CloseUps row={row} />
      <div class="verdict">
        <CommandButton command="accept" kind="main" isPressed={outcome === 'accepted'}>
          {kind === 'check' ? 'Confirm' : 'Accept'}
        </CommandButton>
        <CommandButton command="reject" isPressed={outcome === 'rejected'}>
          {kind === 'added' ? 'Remove' : 'Reject'}
        </CommandButton>
        <CommandButton command="nextFinding">Next</CommandButton>
      </div>
      <fieldset>
        <legend>Severity</legend>
        {SEVERITIES.map((severity) => (
          <CommandButton
            key={severity}
            command={severity}
            kind={`severity ${severity}`}
            isPressed={damage.severity === severity}
          >
            {humanize(severity)}
          </CommandButton>
        ))}
      </fieldset>
      <TypePicker row={row} />
      <div class="more">
        <CommandButton command="part">Part…</CommandButton>
        <CommandButton command="box">Box</CommandButton>
        <CommandButton command="merge" isPressed={mode.value.kind === 'merge'}>
          Merge
        </CommandButton>
        <CommandButton command="nextUndecided">Next open</CommandButton>
        <CommandButton command="previousFinding">Back</CommandButton>
        {outcome === 'undecided' || kind === 'added' ? null : (
          <button type="button" onClick={clearCurrent}>
            As found
          </button>
        )}
      </div>
      <Note row={row} />
      <Grounds damage={damage} />
    </div>
  );
}

function TypePicker({ row }: { readonly row: Row }) {
  const { type, subtype, location } = row.damage;
  const fitting = listFittingTypes(location.part, type);
  const listed = TYPE_CHOICES.find((one) => one.subtype && one.subtype === subtype)?.subtype;
  const isAsked = mode.value.kind === 'type';
  return (
    <fieldset class={isAsked ? 'asked' : ''} data-command="type">
      <legend>
        Type <Key>{SHORTCUTS.type.keys[0]}</Key>
      </legend>
      {TYPE_CHOICES.map((choice, index) =>
        fitting.includes(choice.type) ? (
          <button
            key={index}
            type="button"
            aria-pressed={choice.type === type && choice.subtype === listed}
            onClick={() => setType(row, choice)}
          >
            <span>{describeDamage(choice.type, choice.subtype, location.part)}</span>
            {isAsked ? <Key>{index + 1}</Key> : null}
          </button>
        ) : null,
      )}
    </fieldset>
  );
}

function Grounds({ damage }: Pick<Row, 'damage'>) {
  return (
    <details>
      <summary>Why</summary>
      <ul>
        {damage.explain.map(({ rule, inputs }, index) => (
          <li key={index}>
            <code>{rule}</code>{' '}
            {Object.entries(inputs)
              .map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`)
              .join(', ')}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Renders the note on a decision, for the report; undecided and merged findings have none. */
function Note({ row }: { readonly row: Row }) {
  const index = readAdditionIndex(row.key);
  const decision =
    index === null ? findDecision(decisions.value, row.key) : listAdditions(decisions.value)[index];
  if (!decision || row.outcome === 'merged') return null;
  return (
    <label class="note">
      Note for the report
      <StoredInput
        key={row.key}
        attributes={{ type: 'text', maxLength: MAX_NOTE_LENGTH }}
        value={readNote(decision) ?? ''}
        onStore={(note) => decide(setNote(decisions.value, decision, note))}
      />
    </label>
  );
}

function BoxButtons() {
  return (
    <div class="finding">
      <h2>Box being edited</h2>
      <p>Drag, or use the arrows (Shift sizes) and Enter.</p>
      <div class="verdict">
        <button type="button" class="main" disabled={drawnBox.value === null} onClick={acceptBox}>
          <span>Take box</span>
          <Key>Enter</Key>
        </button>
        <CommandButton command="leave">Leave</CommandButton>
      </div>
    </div>
  );
}
