import { useState } from 'preact/hooks';
import type { Pagination } from '../../contract/answers.ts';
import type { VisualInspection } from '../../contract/inspection.ts';
import { formatCount } from '../../lib/format-count.ts';
import { ABSENT, formatRoundMoney } from '../../report/figures.ts';
import { hasSeveralVehicles } from '../../report/grade.ts';
import { writeVerdictTitle } from '../../report/headline.ts';
import { callApi, can } from '../shared/api.ts';
import { HeadRow, Problem, Scroll, Time, Title, useLoaded } from './components.tsx';

const NUMERIC_COLUMNS = ['Photos', 'Damages', 'Repair'];

interface InspectionPage {
  readonly inspections: readonly VisualInspection[];
  readonly pagination: Pagination;
}

const NO_FILTERS = { vehicle_id: '', status: '', reviewed: '', created_after: '', created_before: '' };
type Filters = typeof NO_FILTERS;

/** Renders the inspections of the account, newest first. */
export function Inspections() {
  const [filters, setFilters] = useState<Filters>(NO_FILTERS);
  /** Cursors of the previous pages. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  // Days of the user's time zone; the last one is included, but the end of the API's range is exclusive.
  for (const [name, days] of [
    ['created_after', 0],
    ['created_before', 1],
  ] as const) {
    const [year = 0, month = 0, day = 0] = filters[name].split('-').map(Number);
    if (day > 0) query.set(name, new Date(year, month - 1, day + days).toISOString());
  }
  const cursor = cursors.at(-1);
  if (cursor !== undefined) query.set('cursor', cursor);
  const { value, problem } = useLoaded(
    () => callApi<InspectionPage>('GET', `/inspections/visual?${query}`),
    query.toString(),
  );
  const changeFilters = (change: Partial<Filters>) => {
    setCursors([]);
    setFilters({ ...filters, ...change });
  };
  const nextCursor = value?.pagination.next_cursor ?? null;
  return (
    <>
      <Title>Inspections</Title>
      <FilterBar filters={filters} onChange={changeFilters} />
      <Problem>{problem}</Problem>
      {value === null ? (
        <p>{problem ? '' : 'Loading…'}</p>
      ) : value.inspections.length === 0 ? (
        <p>
          {query.size > 0 ? 'No inspection matches these filters.' : 'There are no inspections yet. '}
          {query.size === 0 && can('inspections:write') ? <a href="#/new">Send photos</a> : null}
        </p>
      ) : (
        <InspectionTable {...value} />
      )}
      <div class="pages">
        {cursors.length > 0 ? (
          <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            Newer
          </button>
        ) : null}
        {nextCursor !== null ? (
          <button type="button" onClick={() => setCursors([...cursors, nextCursor])}>
            Older
          </button>
        ) : null}
      </div>
    </>
  );
}

const SELECTS = [
  ['status', 'Status', { processing: 'processing', completed: 'completed', failed: 'failed' }],
  ['reviewed', 'Review', { true: 'reviewed', false: 'not reviewed' }],
] as const;
const DATES = [
  ['created_after', 'From'],
  ['created_before', 'To'],
] as const;

function FilterBar({
  filters,
  onChange,
}: {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
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
          onChange={({ currentTarget }) => onChange({ vehicle_id: currentTarget.value.trim() })}
        />
      </label>
      {SELECTS.map(([name, label, options]) => (
        <label key={name}>
          {label}
          <select
            value={filters[name]}
            onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
          >
            <option value="">all</option>
            {Object.entries(options).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
      {DATES.map(([name, label]) => (
        <label key={name}>
          {label}
          <input
            type="date"
            value={filters[name]}
            onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
          />
        </label>
      ))}
    </form>
  );
}

function InspectionTable({ inspections, pagination }: InspectionPage) {
  return (
    <Scroll label="Inspections">
      <table class="entries inspections">
        <caption>{formatCount(pagination.total, 'inspection')}</caption>
        <HeadRow
          names={['Made', 'Vehicle', 'Status', 'Photos', 'Damages', 'Condition', 'Repair', 'Review']}
          numericNames={NUMERIC_COLUMNS}
        />
        <tbody>
          {inspections.map((one) => (
            <InspectionRow key={one.inspection_id} inspection={one} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function InspectionRow({ inspection }: { readonly inspection: VisualInspection }) {
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
        {images.length || ABSENT}
      </td>
      <td class="amount damages-count" data-column="Damages">
        {shown?.damages ?? ABSENT}
      </td>
      <td class="grade">{shown ? writeVerdictTitle(shown) : ABSENT}</td>
      <td class="amount price">
        {cost && cost.items > 0 && !hasSeveralVehicles(shown)
          ? formatRoundMoney(cost.estimated, cost.currency)
          : ABSENT}
      </td>
      <td class="review-state" data-column="Review">
        {reviewed ? 'reviewed' : results ? 'open' : ABSENT}
      </td>
    </tr>
  );
}
