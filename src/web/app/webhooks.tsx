import { useState } from 'preact/hooks';
import { WEBHOOK_EVENT_VALUES } from '../../contract/service-values.ts';
import type { Webhook } from '../../contract/webhooks.ts';
import { call, may } from './api.ts';
import { AskFirst, Once, Problem, Time, Title, useLoaded, useWork } from './parts.tsx';

/** Renders the addresses that events are sent to. */
export function Webhooks() {
  if (!may('webhooks:manage'))
    return (
      <>
        <Title>Webhooks</Title>
        <p>
          The key that you signed in with may not manage webhooks: it lacks the permission webhooks:manage.
        </p>
      </>
    );
  return <WebhookRoom />;
}

function WebhookRoom() {
  const [made, setMade] = useState<Webhook | null>(null);
  const { value, problem, reload } = useLoaded(
    () => call<{ readonly webhooks: readonly Webhook[] }>('GET', '/webhooks'),
    'webhooks',
  );
  const onMade = (webhook: Webhook) => {
    setMade(webhook);
    reload();
  };
  return (
    <>
      <Title>Webhooks</Title>
      {made?.secret ? (
        <Once
          label={`Signing secret for ${made.url}: copy it now, it is not shown again.`}
          text={made.secret}
        />
      ) : null}
      <NewWebhook onMade={onMade} />
      <Problem>{problem}</Problem>
      {value?.webhooks.map((webhook) => (
        <Entry key={webhook.webhook_id} webhook={webhook} onMade={onMade} reload={reload} />
      ))}
      {value?.webhooks.length === 0 ? <p>No address is registered.</p> : null}
    </>
  );
}

function NewWebhook({ onMade }: { readonly onMade: (webhook: Webhook) => void }) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<readonly string[]>([
    'visual_inspection.completed',
    'damage_assessment.completed',
  ]);
  const work = useWork();
  return (
    <form
      class="box"
      aria-label="New webhook"
      onSubmit={(event) => {
        event.preventDefault();
        work.run(async () => {
          onMade(await call<Webhook>('POST', '/webhooks', { body: { url, description, events } }));
          setUrl('');
          setDescription('');
        });
      }}
    >
      <h2>New webhook</h2>
      <label>
        Address
        <input
          type="url"
          required
          maxLength={2048}
          placeholder="https://"
          value={url}
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      </label>
      <label>
        Description
        <input
          type="text"
          maxLength={256}
          value={description}
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </label>
      <fieldset>
        <legend>Gets</legend>
        {WEBHOOK_EVENT_VALUES.map((name) => (
          <label key={name} class="choice">
            <input
              type="checkbox"
              checked={events.includes(name)}
              onChange={({ currentTarget }) =>
                setEvents(currentTarget.checked ? [...events, name] : events.filter((one) => one !== name))
              }
            />
            {name}
          </label>
        ))}
      </fieldset>
      <Problem>{work.problem}</Problem>
      <button type="submit" class="main" disabled={work.busy || events.length === 0}>
        Register
      </button>
    </form>
  );
}

function Entry({
  webhook,
  onMade,
  reload,
}: {
  readonly webhook: Webhook;
  readonly onMade: (webhook: Webhook) => void;
  readonly reload: () => void;
}) {
  const work = useWork();
  const { webhook_id: id, url, status, disabled_reason: reason, events, description } = webhook;
  const change = (run: () => Promise<unknown>) =>
    work.run(async () => {
      await run();
      reload();
    });
  return (
    <article class="box" aria-label={url} data-webhook={id}>
      <h2>{url}</h2>
      <p class="soft">
        {description ? `${description} · ` : ''}
        {events.join(', ')} · since <Time iso={webhook.created_at} />
      </p>
      <p>
        {status}
        {reason ? `: ${reason}` : ''}
      </p>
      <Problem>{work.problem}</Problem>
      <p class="actions">
        <a class="button" href={`#/settings/webhooks/${id}`}>
          Deliveries
        </a>
        <button
          type="button"
          disabled={work.busy}
          onClick={() =>
            change(() =>
              call('PATCH', `/webhooks/${id}`, {
                body: { status: status === 'enabled' ? 'disabled' : 'enabled' },
              }),
            )
          }
        >
          {status === 'enabled' ? 'Disable' : 'Enable'}
        </button>
        <button
          type="button"
          disabled={work.busy}
          onClick={() => work.run(async () => onMade(await call<Webhook>('POST', `/webhooks/${id}/rotate`)))}
        >
          New secret
        </button>
        <AskFirst
          label={`Remove ${url}`}
          sure="Remove with its log"
          busy={work.busy}
          onSure={() => change(() => call('DELETE', `/webhooks/${id}`))}
        >
          Remove…
        </AskFirst>
      </p>
    </article>
  );
}
