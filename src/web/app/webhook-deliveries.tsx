import { useEffect, useState } from 'preact/hooks';
import type { Pagination } from '../../contract/answers.ts';
import type { Delivery, Webhook } from '../../contract/webhooks.ts';
import { call } from './api.ts';
import { HeadRow, Problem, Scroll, Time, Title, useLoaded, useWork } from './parts.tsx';

interface Page {
  readonly deliveries: readonly Delivery[];
  readonly pagination: Pagination;
}

const LIMIT = 20;
const POLL_MS = 2000;

/** Renders what was sent to a webhook, and its answers; anything can be sent again. */
export function Deliveries({ id }: { readonly id: string }) {
  const [offset, setOffset] = useState(0);
  const path = `/webhooks/${encodeURIComponent(id)}`;
  const webhook = useLoaded(() => call<Webhook>('GET', path), id);
  const { value, problem, reload } = useLoaded(
    () => call<Page>('GET', `${path}/deliveries?limit=${LIMIT}&offset=${offset}`),
    `${id} ${offset}`,
  );
  const work = useWork();
  const pending = value?.deliveries.some(({ status }) => status === 'pending') ?? false;
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(reload, POLL_MS);
    return () => clearTimeout(timer);
  });
  const send = (what: string) =>
    work.run(async () => {
      await call('POST', `${path}/${what}`);
      reload();
    });
  return (
    <>
      <p>
        <a href="#/settings/webhooks">‹ Webhooks</a>
      </p>
      <Title>Deliveries</Title>
      <p class="soft">{webhook.value?.url}</p>
      <Problem>{problem ?? webhook.problem ?? work.problem}</Problem>
      <p class="actions">
        <button type="button" disabled={work.busy} onClick={() => send('test')}>
          Send a sample
        </button>
      </p>
      {value ? (
        <Table page={value} busy={work.busy} replay={(message) => send(`deliveries/${message}/replay`)} />
      ) : null}
      <div class="pages">
        {offset > 0 ? (
          <button type="button" onClick={() => setOffset(Math.max(0, offset - LIMIT))}>
            Newer
          </button>
        ) : null}
        {value?.pagination.has_more ? (
          <button type="button" onClick={() => setOffset(offset + LIMIT)}>
            Older
          </button>
        ) : null}
      </div>
    </>
  );
}

function Table({
  page: { deliveries, pagination },
  busy,
  replay,
}: {
  readonly page: Page;
  readonly busy: boolean;
  readonly replay: (messageId: string) => void;
}) {
  if (deliveries.length === 0) return <p>Nothing was sent yet.</p>;
  return (
    <Scroll label="Delivery log">
      <table class="entries">
        <caption>{pagination.total === 1 ? '1 delivery' : `${pagination.total} deliveries`}</caption>
        <HeadRow names={['Made', 'Event', 'State', 'Attempts', 'Last answer', 'Next attempt', '']} />
        <tbody>
          {deliveries.map(({ message_id: id, event, created_at, status, attempts, next_attempt_at }) => (
            <tr key={id} data-message={id}>
              <td data-column="Made">
                <Time iso={created_at} />
              </td>
              <th scope="row">{event}</th>
              <td data-column="State">{status}</td>
              <td class="amount" data-column="Attempts">
                {attempts.length}
              </td>
              <td data-column="Last answer">{answerWords(attempts.at(-1))}</td>
              <td data-column="Next attempt">
                <Time iso={next_attempt_at} />
              </td>
              <td>
                <button
                  type="button"
                  aria-label={`Send again: ${event} of ${created_at}`}
                  disabled={busy || status === 'pending'}
                  onClick={() => replay(id)}
                >
                  Send again
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function answerWords(attempt: Delivery['attempts'][number] | undefined): string {
  if (attempt === undefined) return '–';
  const said = attempt.status_code === null ? (attempt.error ?? 'no answer') : String(attempt.status_code);
  return `${said}, ${attempt.duration_ms} ms`;
}
