import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Key } from '../../../contract/keys.ts';
import { DEFAULT_GRACE_HOURS } from '../../../domain/account.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { callApi, can, session } from '../../shared/api.ts';
import { Problem, Secret, Title } from '../components.tsx';
import { useLoaded } from '../requests.ts';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';

export const Keys = () => (
  <>
    <Title>API keys</Title>
    {can('keys:manage') ? (
      <KeyManager />
    ) : (
      <p>The key that you signed in with lacks the permission keys:manage.</p>
    )}
  </>
);

/** The key just made, and the session that made it; the answer may arrive after the view was left. */
const made = signal<{ readonly key: Key; readonly by: typeof session.value } | null>(null);

const forgetKey = () => {
  made.value = null;
};

/** Renders the form of a new key and the keys of the account; one just made shows its secret. */
function KeyManager() {
  const { value: by } = session;
  const created = made.value?.by === by ? made.value?.key : undefined;
  useEffect(() => forgetKey, []);
  const { value, problem, reload } = useLoaded(
    () => callApi<{ readonly keys: readonly Key[] }>('GET', '/keys'),
    `keys ${created?.key_id}`,
  );
  const onChange = (key?: Key) => {
    if (key) made.value = { key, by };
    else reload();
  };
  const revoked = value?.keys.filter(({ status }) => status === 'revoked') ?? [];
  const others = value?.keys.filter(({ status }) => status !== 'revoked') ?? [];
  return (
    <>
      {created?.api_key ? (
        <Secret
          key={created.key_id}
          label={`Key ${created.name || created.hint}: copy it now, it is not shown again.`}
          text={created.api_key}
        />
      ) : null}
      <NewKey onCreated={onChange} />
      <p class="soft">
        Rotate makes a new key of the same name and permissions; the old one works for {DEFAULT_GRACE_HOURS}{' '}
        hours more, unless it expires before.
      </p>
      <Problem>{problem}</Problem>
      {value ? <KeyTable keys={others} onChange={onChange} /> : problem ? null : <p>Loading…</p>}
      {revoked.length === 0 ? null : (
        <details class="folded">
          <summary>{formatCount(revoked.length, 'revoked key')}</summary>
          <KeyTable keys={revoked} onChange={onChange} />
        </details>
      )}
    </>
  );
}
