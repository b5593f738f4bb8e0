import type { Pagination } from '../../contract/answers.ts';
import type { VisualInspection } from '../../contract/inspection.ts';
import { formatCount } from '../../lib/format-count.ts';
import { ABSENT, formatRoundMoney } from '../../report/figures.ts';
import { hasSeveralVehicles } from '../../report/grade.ts';
import { writeVerdictTitle } from '../../report/headline.ts';
import { callApi, can } from '../shared/api.ts';
import { StoredInput } from '../shared/stored-input.tsx';
import { HeadRow, Problem, Scroll, Time, Title } from './components.tsx';
import { useLoaded } from './requests.ts';
import { navigate, query, replaceQuery } from './router.ts';

interface InspectionPage {
  readonly inspections: readonly VisualInspection[];
  readonly pagination: Pagination;
}

const SELECTS = [
  ['status', 'Status', { processing: 'processing', completed: 'completed', failed: 'failed' }],
  ['reviewed', 'Review', { true: 'reviewed', false: 'not reviewed' }],
] as const;
/** First and last day, with the days to the end of the API's range, which is exclusive. */
const DATES = [
  ['created_after', 'From', 0],
  ['created_before', 'To', 1],
] as const;
/** The API reads years of four digits. */
const LAST_YEAR = 9999;

/** Returns the page's query with other cursors: those of the pages that were turned. */
function changeCursors(cursors: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(query.value);
  next.delete('cursor');
  for (const cursor of cursors) next.append('cursor', cursor);
  return next;
}

/** Returns the API's query for the page's: last cursor, days in the user's time zone. The API names a day it cannot read. */
export function makeRequest(): string {
  const request = changeCursors(query.value.getAll('cursor').slice(-1));
  for (const [name, , days] of DATES) {
    const [year = 0, month = 0, day = 0] = request.get(name)?.split('-').map(Number) ?? [];
    const at = new Date(year, month - 1, day + days);
    if (day > 0 && at.getUTCFullYear() <= LAST_YEAR) request.set(name, at.toISOString());
  }
  return request.toString();
}

/** Renders the inspections of the account, newest first, as the query of the page's address says. */
export function Inspections() {
  const cursors = query.value.getAll('cursor');
  const request = makeRequest();
  const { value, isStale, problem } = useLoaded(
    () => callApi<InspectionPage>('GET', `/inspections/visual?${request}`),
    request,
    ({ inspections }) => inspections.some(({ status }) => status === 'processing'),
  );
  const nextCursor = value?.pagination.next_cursor ?? null;
  return (
    <>
      <Title>Inspections</Title>
      <FilterBar />
      <Problem>{problem}</Problem>
      {value === null ? (
        <p>{problem ? '' : 'Loading…'}</p>
      ) : value.inspections.length === 0 ? (
        <p>
          {request === '' ? 'There are no inspections yet. ' : 'No inspection matches these filters.'}
          {request === '' && can('inspections:write') ? <a href="#/new">Send photos</a> : null}
        </p>
      ) : (
        <InspectionTable {...value} />
      )}
      <div class="pages">
        {cursors.length > 0 ? (
          <button type="button" onClick={() => navigate(`?${changeCursors(cursors.slice(0, -1))}`)}>
            Newer
          </button>
        ) : null}
        {nextCursor !== null ? (
          <button
            type="button"
            // The cursor of another list is of no use; `disabled` would take the focus away.
            aria-disabled={isStale}
            onClick={() => {
              if (!isStale) navigate(`?${changeCursors([...cursors, nextCursor])}`);
            }}
          >
            Older
          </button>
        ) : null}
      </div>
    </>
  );
}

function FilterBar() {
  const read = (name: string) => query.value.get(name) ?? '';
  /** Changes one filter, and shows the first page of the list. */
  const store = (name: string, value: string) => {
    const next = changeCursors([]);
    if (value === '') next.delete(name);
    else next.set(name, value);
    replaceQuery(next);
  };
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Vehicle
        <StoredInput
          attributes={{ type: 'search' }}
          value={read('vehicle_id')}
          onStore={(id) => store('vehicle_id', id)}
        />
      </label>
      {SELECTS.map(([name, label, options]) => (
        <label key={name}>
          {label}
          <select value={read(name)} onChange={({ currentTarget }) => store(name, currentTarget.value)}>
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
            max={`${LAST_YEAR}-12-31`}
            value={read(name)}
            onChange={({ currentTarget }) => store(name, currentTarget.value)}
          />
        </label>
      ))}
    </form>
  );
}

const InspectionTable = ({ inspections, pagination }: InspectionPage) => (
  <Scroll label="Inspections">
    <table class="entries inspections">
      <caption>{formatCount(pagination.total, 'inspection')}</caption>
      <HeadRow
        names={['Made', 'Vehicle', 'Status', 'Photos', 'Damages', 'Condition', 'Repair', 'Review']}
        numericNames={['Photos', 'Damages', 'Repair']}
      />
      <tbody>
        {inspections.map((one) => (
          <InspectionRow key={one.inspection_id} inspection={one} />
        ))}
      </tbody>
    </table>
  </Scroll>
);

function InspectionRow({ inspection }: { readonly inspection: VisualInspection }) {
  const { inspection_id: id, vehicle_id, status, created_at, images, results, reviewed } = inspection;
  const shown = reviewed ?? (results && { ...results, damages: results.damages.length });
  const cost = shown?.repair_cost;
  const isPriced = cost && cost.items > 0 && !hasSeveralVehicles(shown);
  const figures = [
    ['Photos', 'amount', images.length || ABSENT],
    ['Damages', 'amount end', shown?.damages ?? ABSENT],
    ['Condition', 'grade end', shown ? writeVerdictTitle(shown) : ABSENT],
    ['Repair', 'amount price end', isPriced ? formatRoundMoney(cost.estimated, cost.currency) : ABSENT],
    ['Review', 'review-state end', reviewed ? 'reviewed' : results ? 'open' : ABSENT],
  ] as const;
  return (
    <tr>
      <td>
        <Time iso={created_at} />
      </td>
      <th scope="row" class="vehicle">
        <a href={`#/inspections/${id}`}>{vehicle_id}</a>
      </th>
      <td>{status}</td>
      {figures.map(([name, kind, figure]) => (
        <td key={name} class={kind} data-column={name}>
          {figure}
        </td>
      ))}
    </tr>
  );
}
