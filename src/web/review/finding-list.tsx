import { useEffect, useRef } from 'preact/hooks';
import { groupBy } from '../../lib/lists.ts';
import { formatPercent, formatWholeMoney } from '../../report/figures.ts';
import { describeDamage, hasDegree } from '../../report/words.ts';
import { CommandButton } from './controls.tsx';
import { Crop } from './crop.tsx';
import { namePart, type Row } from './rows.ts';
import { findRepairLine, select, selected, shownRows, showsToCheck, vehicles } from './state.ts';

/** Symbol of the outcome at the end of a row, next to its text. */
const OUTCOME_MARKS = {
  undecided: '○',
  accepted: '✓',
  rejected: '✕',
  changed: '✎',
  merged: '⤷',
  added: '+',
} as const satisfies Record<Row['outcome'], string>;

export function FindingList() {
  const groups = [...groupBy(shownRows.value, nameGroup)];
  return (
    <section class="findings" aria-label="Findings">
      <div class="bar">
        <CommandButton command="acceptPhoto">Accept rest</CommandButton>
        <CommandButton command="rejectPhoto">Reject rest</CommandButton>
        <CommandButton command="toCheck" isPressed={showsToCheck.value}>
          To check
        </CommandButton>
      </div>
      {groups.length === 0 ? <p>No findings. Look through the photos and draw what was missed.</p> : null}
      {groups.map(([part, list]) => (
        <div key={part}>
          <h2>
            {part}
            <span class="cost">{writePartPrice(list)}</span>
          </h2>
          <ol>
            {list.map((row) => (
              <li key={row.key}>
                <Entry row={row} />
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

/** Returns the heading of a row: its part, and its vehicle if there are several. */
const nameGroup = (row: Row) =>
  vehicles.value.length > 1 ? `Vehicle ${row.vehicle}: ${namePart(row)}` : namePart(row);

/** Returns the price of the part's repair, which its findings share; empty if the job has none. */
function writePartPrice(list: readonly Row[]): string {
  const line = list.map(findRepairLine).find((one) => one !== undefined);
  return line ? formatWholeMoney(line.cost, line.currency) : '';
}

/** Returns true if the list itself scrolls. On a narrow page it is below the photo, and the whole page scrolls. */
function scrollsItself(entry: Element | null): boolean {
  const list = entry?.closest('.findings');
  return list ? list.scrollHeight > list.clientHeight : false;
}

function Entry({ row }: { readonly row: Row }) {
  const ref = useRef<HTMLButtonElement>(null);
  const isCurrent = selected.value === row.key;
  useEffect(() => {
    if (!isCurrent) return;
    if (scrollsItself(ref.current)) ref.current?.scrollIntoView({ block: 'nearest' });
    // The focus follows the selection, so Enter on a row always accepts the displayed row.
    if (document.activeElement?.matches('.entry')) ref.current?.focus();
  }, [isCurrent]);
  const { damage, outcome, kind, number, mergedInto } = row;
  const open = kind === 'check' ? 'to check' : '';
  const words = mergedInto !== null ? `part of no. ${mergedInto}` : outcome === 'undecided' ? open : outcome;
  return (
    <button
      ref={ref}
      type="button"
      class={`entry ${outcome} ${kind}`}
      aria-current={isCurrent}
      data-key={row.key}
      onClick={({ currentTarget }) => {
        select(row.key);
        if (!scrollsItself(currentTarget)) document.querySelector('.middle')?.scrollIntoView();
      }}
    >
      <span class={`number ${damage.severity}`}>{number}</span>
      <Crop row={row} />
      <span class="what">
        {describeDamage(damage.type, damage.subtype, damage.location.part)}
        {outcome !== 'undecided' ? null : <small> {formatPercent(damage.confidence)}</small>}
        <span class="hidden">
          {hasDegree(damage.subtype) ? `, ${damage.severity}` : ''}
          {words ? `, ${words}` : ''}
        </span>
      </span>
      <span class="mark" aria-hidden="true">
        {OUTCOME_MARKS[outcome]}
      </span>
    </button>
  );
}
