import { useState } from 'preact/hooks';
import type { Key } from '../../contract/keys.ts';
import { DEFAULT_GRACE_HOURS, PERMISSIONS, RECOMMENDED_KEY_DAYS } from '../../domain/account.ts';
import { formatCount } from '../../lib/format-count.ts';
import { call, may, readSignedIn } from './api.ts';
import { Confirm, HeadRow, Problem, Scroll, Secret, Time, Title, useAction, useLoaded } from './parts.tsx';

/** Renders the API keys of the account, with create, rotate and revoke. */
export function Keys() {
  if (!may('keys:manage'))
    return (
      <>
        <Title>API keys</Title>
        <p>The key that you signed in with may not manage keys: it lacks the permission keys:manage.</p>
      </>
    );
  return <KeyManager />;
}

function KeyManager() {
  const [made, setMade] = useState<Key | null>(null);
  const { value, problem, reload } = useLoaded(
    () => call<{ readonly keys: readonly Key[] }>('GET', '/keys'),
    'keys',
  );
  const onMade = (key: Key) => {
    setMade(key);
    reload();
  };
  return (
    <>
      <Title>API keys</Title>
      {made?.api_key ? (
        <Secret
          label={`Key ${made.name || made.hint}: copy it now, it is not shown again.`}
          text={made.api_key}
        />
      ) : null}
      <NewKey onMade={onMade} />
      <Problem>{problem}</Problem>
      {value ? <KeyLists keys={value.keys} onMade={onMade} reload={reload} /> : <p>Loading…</p>}
    </>
  );
}

function NewKey({ onMade }: { readonly onMade: (key: Key) => void }) {
  const own = PERMISSIONS.filter((one) => may(one));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(['inspections:read', 'inspections:write']);
  const [expires, setExpires] = useState(true);
  const work = useAction();
  return (
    <form
      class="box"
      aria-label="New key"
      onSubmit={(event) => {
        event.preventDefault();
        work.run(async () => {
          const permissions = own.filter((one) => chosen.includes(one));
          const body = { name, permissions, expires_in_days: expires ? RECOMMENDED_KEY_DAYS : null };
          onMade(await call<Key>('POST', '/keys', { body }));
          setName('');
        });
      }}
    >
      <h2>New key</h2>
      <label>
        Name
        <input
          type="text"
          maxLength={120}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <fieldset>
        <legend>Permissions</legend>
        {own.map((permission) => (
          <label key={permission} class="choice">
            <input
              type="checkbox"
              checked={chosen.includes(permission)}
              onChange={({ currentTarget }) =>
                setChosen(
                  currentTarget.checked
                    ? [...chosen, permission]
                    : chosen.filter((one) => one !== permission),
                )
              }
            />
            {permission}
          </label>
        ))}
      </fieldset>
      <label class="choice">
        <input
          type="checkbox"
          checked={expires}
          onChange={({ currentTarget }) => setExpires(currentTarget.checked)}
        />
        Expires after {RECOMMENDED_KEY_DAYS} days
      </label>
      <Problem>{work.problem}</Problem>
      <button
        type="submit"
        class="main"
        disabled={work.busy || !own.some((permission) => chosen.includes(permission))}
      >
        Create key
      </button>
    </form>
  );
}

interface KeyList {
  readonly keys: readonly Key[];
  readonly onMade: (key: Key) => void;
  readonly reload: () => void;
}

/** Renders the keys, revoked ones in a collapsed list. */
function KeyLists({ keys, ...more }: KeyList) {
  const revoked = keys.filter(({ status }) => status === 'revoked');
  const others = keys.filter(({ status }) => status !== 'revoked');
  return (
    <>
      <Table keys={others} {...more} />
      {revoked.length === 0 ? null : (
        <details class="folded">
          <summary>{formatCount(revoked.length, 'revoked key')}</summary>
          <Table keys={revoked} {...more} />
        </details>
      )}
    </>
  );
}

function Table({ keys, onMade, reload }: KeyList) {
  return (
    <Scroll label="Keys">
      <table class="entries keys">
        <caption>{formatCount(keys.length, 'key')}</caption>
        <HeadRow names={['Name', 'Key', 'Permissions', 'State', 'Created', 'Expires', 'Last used', '']} />
        <tbody>
          {keys.map((key) => (
            <Row key={key.key_id} of={key} onMade={onMade} reload={reload} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Row({ of, onMade, reload }: Omit<KeyList, 'keys'> & { readonly of: Key }) {
  const work = useAction();
  const { key_id: id, name, hint, permissions, status } = of;
  const own = readSignedIn().key_id === id;
  return (
    <tr data-key={id}>
      <th scope="row">
        {name || '–'} {own ? <span class="tag">signed in with</span> : null}
      </th>
      <td data-column="Key">
        <code>{hint}</code>
      </td>
      <td data-column="Permissions">{permissions.join(', ')}</td>
      <td data-column="State">{status}</td>
      <td data-column="Created">
        <Time iso={of.created_at} />
      </td>
      <td data-column="Expires">{of.expires_at === null ? 'never' : <Time iso={of.expires_at} />}</td>
      <td data-column="Last used">{of.last_used_at === null ? 'never' : <Time iso={of.last_used_at} />}</td>
      <td class="actions">
        <Problem>{work.problem}</Problem>
        {status === 'revoked' ? null : (
          <>
            <button
              type="button"
              aria-label={`Rotate the key ${name || hint}; it stays valid for ${DEFAULT_GRACE_HOURS} hours`}
              disabled={work.busy}
              onClick={() =>
                work.run(async () => onMade(await call<Key>('POST', `/keys/${id}/rotate`, { body: {} })))
              }
            >
              Rotate
            </button>
            <Confirm
              label={`Revoke the key ${name || hint}`}
              sure={own ? 'Revoke and sign out' : 'Revoke at once'}
              busy={work.busy}
              onSure={() =>
                work.run(async () => {
                  await call('DELETE', `/keys/${id}`);
                  reload();
                })
              }
            >
              Revoke…
            </Confirm>
          </>
        )}
      </td>
    </tr>
  );
}
