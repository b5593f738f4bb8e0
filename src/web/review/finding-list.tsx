import { useEffect, useRef } from 'preact/hooks';
import { formatMoneyRange, readFileName } from '../../report/figures.ts';
import { describeDamage, describeFindPart, SEVERITY_WORDS } from '../../report/words.ts';
import { CommandButton } from '../shared/controls.tsx';
import type { Row } from './rows.ts';
import { inspection, photos, select, selected, shownRows, showsToCheck } from './store.ts';

const FATE_WORDS = {
  undecided: '',
  accepted: 'accepted',
  rejected: 'rejected',
  changed: 'changed',
  merged: 'merged',
  added: 'added',
} as const satisfies Record<Row['fate'], string>;

/** The verdict as a mark at the end of a row; the words next to it say the same. */
const FATE_MARKS = {
  undecided: '○',
  accepted: '✓',
  rejected: '✕',
  changed: '✎',
  merged: '⤷',
  added: '+',
} as const satisfies Record<Row['fate'], string>;

const KIND_WORDS = { certain: '', check: 'to check', added: '' } as const;

/** Renders the findings in the order of work, photo by photo: the structure of the page. */
export function FindingList() {
  const names = new Map(
    (inspection.value?.data.images ?? []).map(({ index, url }) => [index, readFileName(url)]),
  );
  const groups = photos.value
    .map(({ index }) => ({ index, list: shownRows.value.filter((row) => row.photo === index) }))
    .filter(({ list }) => list.length > 0);
  return (
    <section class="findings" aria-label="Findings">
      <div class="bar">
        <CommandButton command="acceptPhoto">Accept rest</CommandButton>
        <CommandButton command="rejectPhoto">Reject rest</CommandButton>
        <CommandButton command="toCheck" pressed={showsToCheck.value}>
          To check
        </CommandButton>
      </div>
      {groups.length === 0 ? <p>No findings. Look through the photos and draw what was missed.</p> : null}
      {groups.map(({ index, list }) => (
        <div key={index}>
          <h2>{names.get(index)}</h2>
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

/** Returns whether the list moves by itself. On a narrow page it lies below the photo, and the page would move with it. */
function scrollsItself(entry: Element | null): boolean {
  const list = entry?.closest('.findings');
  return list ? list.scrollHeight > list.clientHeight : false;
}

function Entry({ row }: { readonly row: Row }) {
  const ref = useRef<HTMLButtonElement>(null);
  const isCurrent = selected.value === row.key;
  useEffect(() => {
    if (isCurrent && scrollsItself(ref.current)) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const { damage, fate, kind, number, into } = row;
  const { min, max, currency } = damage.estimated_repair;
  const state = into === null ? FATE_WORDS[fate] : `part of no. ${into}`;
  const words = state || KIND_WORDS[kind];
  return (
    <button
      ref={ref}
      type="button"
      class={`entry ${fate} ${kind}`}
      aria-current={isCurrent}
      data-key={row.key}
      onClick={({ currentTarget }) => {
        select(row.key);
        if (!scrollsItself(currentTarget)) document.querySelector('.middle')?.scrollIntoView();
      }}
    >
      <span class={`number ${damage.severity}`}>{number}</span>
      <span class="what">
        {describeDamage(damage.type, damage.subtype)} · {describeFindPart(damage.location)}
        <small>
          {SEVERITY_WORDS[damage.severity]} · {formatMoneyRange(min, max, currency)}
          {kind === 'added' || words ? '' : ` · ${Math.round(damage.confidence * 100)} %`}
          {words ? <em class="state"> · {words}</em> : null}
        </small>
      </span>
      <span class="mark" aria-hidden="true">
        {FATE_MARKS[fate]}
      </span>
    </button>
  );
}
