import type { Key } from '../../../contract/keys.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { ABSENT } from '../../../report/figures.ts';
import { callApi, readSession } from '../../shared/api.ts';
import { HeadRow, Problem, Scroll, Time } from '../components.tsx';
import { useAction } from '../requests.ts';

type OnChange = (created?: Key) => void;

/** Renders keys in a table. @param onChange called with the successor of a rotated key, or after a key is revoked */
export function KeyTable(props: { readonly keys: readonly Key[]; readonly onChange: OnChange }) {
  const { keys, onChange } = props;
  return (
    <Scroll label="Keys">
      <table class="entries keys">
        <caption>{formatCount(keys.length, 'key')}</caption>
        <HeadRow names={['Name', 'Key', 'Permissions', 'State', 'Created', 'Expires', 'Last used', '']} />
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.key_id} item={key} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function KeyRow({ item, onChange }: { readonly item: Key; readonly onChange: OnChange }) {
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
        {name || ABSENT} {isOwnKey ? <span class="tag">signed in with</span> : null}
      </th>
      {cells.map(([column, cell]) => (
        <td key={column} data-column={column}>
          {cell}
        </td>
      ))}
      <td class="actions">
        {status === 'revoked' ? null : <KeyActions item={item} isOwnKey={isOwnKey} onChange={onChange} />}
      </td>
    </tr>
  );
}

function KeyActions(props: { readonly item: Key; readonly isOwnKey: boolean; readonly onChange: OnChange }) {
  const { item, isOwnKey, onChange } = props;
  const { isRunning, problem, run } = useAction();
  const path = `/keys/${item.key_id}`;
  const named = `the key ${item.name || item.hint}`;
  const rotate = async () => onChange(await callApi<Key>('POST', `${path}/rotate`, { body: {} }));
  const revoke = () => callApi('DELETE', path).then(() => onChange());
  const warning = isOwnKey ? ' You are signed in with it and will be signed out.' : '';
  const confirmRevoke = () => confirm(`Revoke ${named} at once?${warning}`) && run(revoke);
  return (
    <>
      <Problem>{problem}</Problem>
      <button type="button" aria-label={`Rotate ${named}`} disabled={isRunning} onClick={() => run(rotate)}>
        Rotate
      </button>
      <button type="button" aria-label={`Revoke ${named}`} disabled={isRunning} onClick={confirmRevoke}>
        Revoke…
      </button>
    </>
  );
}
