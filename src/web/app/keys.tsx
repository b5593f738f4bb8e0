import { useState } from 'preact/hooks';
import type { Key } from '../../contract/keys.ts';
import { DEFAULT_GRACE_HOURS, PERMISSIONS, RECOMMENDED_KEY_DAYS } from '../../domain/account.ts';
import { formatCount } from '../../lib/format-count.ts';
import { callApi, can, readSession } from '../shared/api.ts';
import { HeadRow, Problem, Scroll, Secret, Time, Title } from './components.tsx';
import { useAction, useLoaded } from './requests.ts';

export function Keys() {
  if (!can('keys:manage'))
    return (
      <>
        <Title>API keys</Title>
        <p>The key that you signed in with cannot manage keys: it lacks the permission keys:manage.</p>
      </>
    );
  return <KeyManager />;
}

function KeyManager() {
  const [created, setCreated] = useState<Key | null>(null);
  const { value, problem, reload } = useLoaded(
    () => callApi<{ readonly keys: readonly Key[] }>('GET', '/keys'),
    'keys',
  );
  const onCreated = (key: Key) => {
    setCreated(key);
    reload();
  };
  return (
    <>
      <Title>API keys</Title>
      {created?.api_key ? (
        <Secret
          label={`Key ${created.name || created.hint}: copy it now, it is not shown again.`}
          text={created.api_key}
        />
      ) : null}
      <NewKey onCreated={onCreated} />
      <p class="soft">
        Rotate makes a new key of the same name and permissions; the old one works for {DEFAULT_GRACE_HOURS}{' '}
        hours more, unless it expires before.
      </p>
      <Problem>{problem}</Problem>
      {value ? <KeyLists keys={value.keys} onCreated={onCreated} reload={reload} /> : <p>Loading…</p>}
    </>
  );
}

function NewKey({ onCreated }: { readonly onCreated: (key: Key) => void }) {
  const grantable = PERMISSIONS.filter((one) => can(one));
  const work = useAction();
  return (
    <form
      class="box"
      aria-label="New key"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const fields = new FormData(form);
        const body = {
          name: fields.get('name'),
          permissions: fields.getAll('permissions'),
          expires_in_days: fields.has('expires') ? RECOMMENDED_KEY_DAYS : null,
        };
        work.run(async () => {
          onCreated(await callApi<Key>('POST', '/keys', { body }));
          form.reset();
        });
      }}
    >
      <h2>New key</h2>
      <label>
        Name
        <input type="text" name="name" maxLength={120} />
      </label>
      <fieldset>
        <legend>Permissions</legend>
        {grantable.map((permission) => (
          <label key={permission} class="choice">
            <input
              type="checkbox"
              name="permissions"
              value={permission}
              defaultChecked={permission.startsWith('inspections:')}
            />
            {permission}
          </label>
        ))}
      </fieldset>
      <label class="choice">
        <input type="checkbox" name="expires" defaultChecked />
        Expires after {RECOMMENDED_KEY_DAYS} days
      </label>
      <Problem>{work.problem}</Problem>
      <button type="submit" class="main" disabled={work.busy}>
        Create key
      </button>
    </form>
  );
}

interface KeyListProps {
  readonly keys: readonly Key[];
  readonly onCreated: (key: Key) => void;
  readonly reload: () => void;
}

function KeyLists({ keys, ...more }: KeyListProps) {
  const revoked = keys.filter(({ status }) => status === 'revoked');
  const others = keys.filter(({ status }) => status !== 'revoked');
  return (
    <>
      <KeyTable keys={others} {...more} />
      {revoked.length === 0 ? null : (
        <details class="folded">
          <summary>{formatCount(revoked.length, 'revoked key')}</summary>
          <KeyTable keys={revoked} {...more} />
        </details>
      )}
    </>
  );
}

function KeyTable({ keys, onCreated, reload }: KeyListProps) {
  return (
    <Scroll label="Keys">
      <table class="entries keys">
        <caption>{formatCount(keys.length, 'key')}</caption>
        <HeadRow names={['Name', 'Key', 'Permissions', 'State', 'Created', 'Expires', 'Last used', '']} />
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.key_id} item={key} onCreated={onCreated} reload={reload} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function KeyRow({ item, onCreated, reload }: Omit<KeyListProps, 'keys'> & { readonly item: Key }) {
  const work = useAction();
  const { key_id: id, name, hint, permissions, status } = item;
  const isOwnKey = readSession().key_id === id;
  const cells = [
    ['Key', <code key="hint">{hint}</code>],
    ['Permissions', permissions.join(', ')],
    ['State', status],
    ['Created', <Time key="created" iso={item.created_at} />],
    ['Expires', <Time key="expires" iso={item.expires_at} />],
    ['Last used', <Time key="used" iso={item.last_used_at} />],
  ] as const;
  return (
    <tr data-key={id}>
      <th scope="row">
        {name || '–'} {isOwnKey ? <span class="tag">signed in with</span> : null}
      </th>
      {cells.map(([column, cell]) => (
        <td key={column} data-column={column}>
          {cell}
        </td>
      ))}
      <td class="actions">
        <Problem>{work.problem}</Problem>
        {status === 'revoked' ? null : (
          <>
            <button
              type="button"
              aria-label={`Rotate the key ${name || hint}`}
              disabled={work.busy}
              onClick={() =>
                work.run(async () =>
                  onCreated(await callApi<Key>('POST', `/keys/${id}/rotate`, { body: {} })),
                )
              }
            >
              Rotate
            </button>
            <button
              type="button"
              aria-label={`Revoke the key ${name || hint}`}
              disabled={work.busy}
              onClick={() => {
                const more = isOwnKey ? ' You are signed in with it and will be signed out.' : '';
                if (!confirm(`Revoke the key ${name || hint} at once?${more}`)) return;
                work.run(async () => {
                  await callApi('DELETE', `/keys/${id}`);
                  reload();
                });
              }}
            >
              Revoke…
            </button>
          </>
        )}
      </td>
    </tr>
  );
}
