import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatCount } from '../../lib/format-count.ts';
import { writeRepairFigure, writeVerdictTitle } from '../../report/headline.ts';
import { linkSession } from '../shared/api.ts';
import { moveToPosition, setTypeByDigit } from './actions.ts';
import { COMMANDS } from './commands.ts';
import { CommandButton } from './controls.tsx';
import { DecisionPanel } from './decision-panel.tsx';
import { ExportDialog } from './dialogs/export-dialog.tsx';
import { Figures, FinishDialog } from './dialogs/finish-dialog.tsx';
import { KeysDialog } from './dialogs/keys-dialog.tsx';
import { BoxDialog, PartDialog } from './dialogs/part-dialog.tsx';
import { RepairDialog } from './dialogs/repair-dialog.tsx';
import { VehicleDialog } from './dialogs/vehicle-dialog.tsx';
import { FindingList } from './finding-list.tsx';
import { type Command, findCommand, nameUnknownKey, readDigit } from './keys.ts';
import { PhotoStage } from './photo-stage.tsx';
import { PhotoStrip } from './photo-strip.tsx';
import { trackSpace } from './pointer.ts';
import { MESSAGES } from './review-api.ts';
import { describeSaving, openingNote, openReview, phase, refusal, refuse, saving } from './saving.ts';
import * as state from './state.ts';
import { VehicleStrip } from './vehicle-strip.tsx';

/** Renders the review page of an inspection. @param refused why the page cannot review */
export function Page({ id, refused }: { readonly id: string; readonly refused?: string }) {
  // Runs before the first render, because rendering sends requests.
  const [visit] = useState(() => {
    const visit = new AbortController();
    if (refused === undefined) void openReview(id, visit.signal);
    else refuse(refused);
    return visit;
  });
  useEffect(() => {
    document.title = 'Review · vehi';
    document.addEventListener('keydown', onKey, visit);
    return () => {
      visit.abort();
      refusal.value = '';
      state.notice.value = '';
    };
  }, []);
  useEffect(trackSpace, []);
  if (phase.value === 'opening')
    return (
      <Message title="Review">{saving.value === 'saved' ? openingNote.value : describeSaving()}</Message>
    );
  if (phase.value === 'refused')
    return (
      <Message title="This page cannot review">
        {refusal.value} {MESSAGES.refused()}
        <Back />
      </Message>
    );
  if (phase.value === 'finished')
    return (
      <Message title="Finished">
        {MESSAGES.finished()}
        <Back />
        <Figures />
      </Message>
    );
  const OpenDialog = state.dialog.value === 'none' ? null : DIALOGS[state.dialog.value];
  return (
    <>
      <Header />
      <VehicleStrip />
      <main class="columns">
        <FindingList />
        <section class="middle" aria-label="Photo">
          <PhotoStage />
          <PhotoStrip />
        </section>
        <DecisionPanel />
      </main>
      {OpenDialog ? <OpenDialog /> : null}
    </>
  );
}

const DIALOGS: Readonly<Record<Exclude<state.DialogName, 'none'>, ComponentType>> = {
  keys: KeysDialog,
  part: PartDialog,
  box: BoxDialog,
  repair: RepairDialog,
  export: ExportDialog,
  finish: FinishDialog,
  vehicle: VehicleDialog,
};

/** Renders a link to the inspection; omitted if a command's link opened the page. */
const Back = () =>
  linkSession.value === null ? (
    <a class="back" href={`#/inspections/${state.reviewedId.value}`}>
      ‹ Inspection
    </a>
  ) : null;

function Message({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="message">
      <h1>{title}</h1>
      <div class="said">{children}</div>
    </main>
  );
}

function Header() {
  const results = state.snapshot.value?.results;
  if (!results) return null;
  const [repair] = state.severalVehicles.value === null ? writeRepairFigure(state.result.value) : [];
  const left = state.rows.value.filter(({ outcome }) => outcome === 'undecided').length;
  return (
    <header class="top">
      <Back />
      <h1>{state.inspection.value?.vehicle_id}</h1>
      <p class="figures">
        {repair ? (
          <>
            <strong class="price">{repair.value}</strong> {repair.note} ·{' '}
          </>
        ) : null}
        {state.severalVehicles.value === null ? `${writeVerdictTitle(results)} · ` : ''}
        {formatCount(results.damages.length, 'damage')}
        {results.to_check.length > 0 ? `, ${results.to_check.length} to check` : ''}
        {left > 0 ? `, ${left} undecided` : ''}
      </p>
      <p class={`saving ${saving.value}`} role="status" aria-live="polite">
        {describeSaving()}
        <span class="notice">{state.notice.value}</span>
        {repair ? <span class="hidden">, repair {repair.value}</span> : null}
      </p>
      <nav aria-label="Review">
        <CommandButton command="undo" disabled={state.history.value.past.length === 0}>
          Undo
        </CommandButton>
        <CommandButton command="redo" disabled={state.history.value.future.length === 0}>
          Redo
        </CommandButton>
        <CommandButton command="repair">Repair</CommandButton>
        <CommandButton command="keys">Keys</CommandButton>
        <CommandButton command="export">Export</CommandButton>
        <CommandButton command="finish" kind="main">
          Finish
        </CommandButton>
      </nav>
    </header>
  );
}

/** Runs a key's command, except in fields, for Enter on buttons, and while a dialog is open. */
export function onKey(event: KeyboardEvent): void {
  const digit = readDigit(event);
  if (state.dialog.value === 'vehicle' && digit !== null) {
    event.preventDefault();
    moveToPosition(state.photoIndex.value, digit - 1);
  }
  if (phase.value !== 'ready' || state.dialog.value !== 'none' || event.defaultPrevented) return;
  const { target } = event;
  if (target instanceof Element && target.closest('input, textarea, select, [contenteditable]')) return;
  if (state.mode.value.kind === 'type' && digit !== null) {
    event.preventDefault();
    setTypeByDigit(digit);
    return;
  }
  const command = findCommand(event, state.singleLetters.value);
  if (command === null) {
    const unknown = state.singleLetters.value ? nameUnknownKey(event) : null;
    const hint = /^[5-9]$/.test(unknown ?? '')
      ? '1 to 4 set the severity, T and a digit the type'
      : '? lists the keys';
    if (unknown !== null) state.notice.value = `${unknown} does nothing here: ${hint}.`;
    return;
  }
  const isPress = event.key === 'Enter' && !event.ctrlKey && !event.metaKey;
  const pressed =
    isPress && target instanceof Element ? target.closest<HTMLElement>('button, a, summary') : null;
  if (pressed && pressed.dataset.key === undefined) return;
  // Enter on a row of the list accepts that row.
  if (pressed?.dataset.key !== undefined && state.mode.value.kind !== 'merge')
    state.select(pressed.dataset.key);
  event.preventDefault();
  if (!event.repeat || isRepeatable(command)) COMMANDS[command]();
}

/** Commands that a key repeats while it is held; others would decide findings that nobody has seen. */
const isRepeatable = (command: Command) => /^(next|previous|zoom|undo|redo)/.test(command);
