import { useState } from 'preact/hooks';
import type { Pagination } from '../../contract/answers.ts';
import type { VisualInspection } from '../../contract/inspection.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { formatCount } from '../../lib/format-count.ts';
import { ABSENT, formatWholeMoney } from '../../report/figures.ts';
import { readGrade } from '../../report/headline.ts';
import { call, may } from './api.ts';
import { HeadRow, Problem, Scroll, Time, Title, useLoaded } from './parts.tsx';

const AMOUNTS = ['Photos', 'Damages', 'Repair'];

interface Page {
  readonly inspections: readonly VisualInspection[];
  readonly pagination: Pagination;
}

const FILTERS = { vehicle_id: '', status: '', reviewed: '', created_after: '', created_before: '' };
type Filters = typeof FILTERS;

/** Renders the inspections of the account, newest first. */
export function Inspections() {
  const [filters, setFilters] = useState<Filters>(FILTERS);
  /** Cursors of the previous pages. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  // The date range includes the whole last day, but the end of the API's range is exclusive.
  if (filters.created_before !== '')
    query.set('created_before', new Date(Date.parse(filters.created_before) + DAY_MS).toISOString());
  const cursor = cursors.at(-1);
  if (cursor !== undefined) query.set('cursor', cursor);
  const { value, problem } = useLoaded(
    () => call<Page>('GET', `/inspections/visual?${query}`),
    query.toString(),
  );
  const set = (change: Partial<Filters>) => {
    setCursors([]);
    setFilters({ ...filters, ...change });
  };
  const next = value?.pagination.next_cursor ?? null;
  return (
    <>
      <Title>Inspections</Title>
      <FilterBar filters={filters} set={set} />
      <Problem>{problem}</Problem>
      {value === null ? (
        <p>{problem ? '' : 'Loading…'}</p>
      ) : value.inspections.length === 0 ? (
        <EmptyList filtered={query.size > 0} />
      ) : (
        <Table rows={value.inspections} total={value.pagination.total} />
      )}
      <div class="pages">
        {cursors.length > 0 ? (
          <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            Newer
          </button>
        ) : null}
        {next !== null ? (
          <button type="button" onClick={() => setCursors([...cursors, next])}>
            Older
          </button>
        ) : null}
      </div>
    </>
  );
}

function EmptyList({ filtered }: { readonly filtered: boolean }) {
  if (filtered) return <p>No inspection fits these filters.</p>;
  return (
    <p>There are no inspections yet. {may('inspections:write') ? <a href="#/new">Send photos</a> : null}</p>
  );
}

function FilterBar({
  filters,
  set,
}: {
  readonly filters: Filters;
  readonly set: (change: Partial<Filters>) => void;
}) {
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Vehicle
        <input
          type="search"
          // Not `value`, because a response that arrives during typing would overwrite the text.
          defaultValue={filters.vehicle_id}
          maxLength={128}
          onChange={({ currentTarget }) => set({ vehicle_id: currentTarget.value.trim() })}
        />
      </label>
      <label>
        Status
        <select value={filters.status} onChange={({ currentTarget }) => set({ status: currentTarget.value })}>
          <option value="">all</option>
          <option value="processing">processing</option>
          <option value="completed">completed</option>
          <option value="failed">failed</option>
        </select>
      </label>
      <label>
        Review
        <select
          value={filters.reviewed}
          onChange={({ currentTarget }) => set({ reviewed: currentTarget.value })}
        >
          <option value="">all</option>
          <option value="true">reviewed</option>
          <option value="false">not reviewed</option>
        </select>
      </label>
      <label>
        From
        <input
          type="date"
          value={filters.created_after}
          onChange={({ currentTarget }) => set({ created_after: currentTarget.value })}
        />
      </label>
      <label>
        To
        <input
          type="date"
          value={filters.created_before}
          onChange={({ currentTarget }) => set({ created_before: currentTarget.value })}
        />
      </label>
    </form>
  );
}

function Table({ rows, total }: { readonly rows: readonly VisualInspection[]; readonly total: number }) {
  return (
    <Scroll label="Inspections">
      <table class="entries inspections">
        <caption>{formatCount(total, 'inspection')}</caption>
        <HeadRow
          names={['Made', 'Vehicle', 'Status', 'Photos', 'Damages', 'Condition', 'Repair', 'Review']}
          amounts={AMOUNTS}
        />
        <tbody>
          {rows.map((one) => (
            <Row key={one.inspection_id} inspection={one} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Row({ inspection }: { readonly inspection: VisualInspection }) {
  const { inspection_id: id, vehicle_id, status, created_at, images, results, reviewed } = inspection;
  const shown = reviewed ?? (results && { ...results, damages: results.damages.length });
  const cost = shown?.repair_cost;
  return (
    <tr>
      <td class="made">
        <Time iso={created_at} />
      </td>
      <th scope="row" class="vehicle">
        <a href={`#/inspections/${id}`}>{vehicle_id}</a>
      </th>
      <td class="status">{status}</td>
      <td class="amount photos-count" data-column="Photos">
        {images.length || '–'}
      </td>
      <td class="amount damages-count" data-column="Damages">
        {shown?.damages ?? ABSENT}
      </td>
      <td class="grade">{shown ? (readGrade(shown)?.word ?? 'No grade') : ABSENT}</td>
      <td class="amount price">
        {cost && cost.items > 0 ? formatWholeMoney(cost.estimated, cost.currency) : ABSENT}
      </td>
      <td class="review-state" data-column="Review">
        {reviewed ? 'reviewed' : results ? 'open' : ABSENT}
      </td>
    </tr>
  );
}
