import { useState } from 'preact/hooks';
import type { AccountAnswer } from '../../contract/answers.ts';
import type { Usage } from '../../contract/usage.ts';
import { call } from './api.ts';
import { Problem, Scroll, Time, Title, useLoaded } from './parts.tsx';

/** Renders what the account did per day, and how close it is to its limits. */
export function UsageView() {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const query = new URLSearchParams(Object.entries({ from, to }).filter(([, day]) => day !== ''));
  const { value, problem } = useLoaded(() => call<Usage>('GET', `/usage?${query}`), query.toString());
  const account = useLoaded(() => call<AccountAnswer>('GET', '/account'), 'account');
  return (
    <>
      <Title>Usage</Title>
      <Problem>{account.problem}</Problem>
      {account.value ? <Limits account={account.value} /> : null}
      <form class="filters" aria-label="Days" onSubmit={(event) => event.preventDefault()}>
        <label>
          From
          <input type="date" value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)} />
        </label>
        <label>
          To
          <input type="date" value={to} onChange={({ currentTarget }) => setTo(currentTarget.value)} />
        </label>
      </form>
      <Problem>{problem}</Problem>
      {value ? <Days usage={value} /> : null}
    </>
  );
}

function Limits({ account: { plan, limits, usage } }: { readonly account: AccountAnswer }) {
  const { requests_per_hour: hourly, concurrent_requests: together } = limits;
  return (
    <dl class="figures">
      <div>
        <dt>Plan</dt>
        <dd>{plan}</dd>
      </div>
      <div>
        <dt>Requests this hour</dt>
        <dd>
          {usage.requests_this_hour} of {hourly ?? 'any number'}
        </dd>
      </div>
      <div>
        <dt>Resets at</dt>
        <dd>
          <Time iso={usage.window_resets_at} />
        </dd>
      </div>
      <div>
        <dt>At the same time</dt>
        <dd>{together ?? 'any number'}</dd>
      </div>
    </dl>
  );
}

const COLUMNS = ['inspections', 'photos', 'failed', 'assessments'] as const;

function Days({ usage: { days, totals, from, to } }: { readonly usage: Usage }) {
  const most = Math.max(1, ...days.map(({ inspections }) => inspections));
  const busy = days.filter((day) => COLUMNS.some((name) => day[name] > 0)).reverse();
  return (
    <Scroll label="Work per day">
      <table class="days">
        <caption>
          {from} to {to}, days with work (UTC)
        </caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" class="amount">
                {name.charAt(0).toUpperCase() + name.slice(1)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {busy.map((day) => (
            <tr key={day.date}>
              <th scope="row">{day.date}</th>
              {COLUMNS.map((name) => (
                <td key={name} class="amount">
                  {name === 'inspections' ? (
                    <meter aria-hidden="true" min={0} max={most} value={day.inspections} />
                  ) : null}{' '}
                  {day[name]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Together</th>
            {COLUMNS.map((name) => (
              <td key={name} class="amount">
                {totals[name]}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </Scroll>
  );
}
