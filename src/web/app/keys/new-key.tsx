import { MAX_KEY_NAME } from '../../../contract/constants.ts';
import type { Key } from '../../../contract/keys.ts';
import { PERMISSIONS, RECOMMENDED_KEY_DAYS } from '../../../domain/account.ts';
import { callApi, can } from '../../shared/api.ts';
import { onSubmit } from '../../shared/forms.ts';
import { Problem } from '../components.tsx';
import { useAction } from '../requests.ts';

/** Renders the form of a new key; its permissions are at most those of the key signed in with. */
export function NewKey({ onCreated }: { readonly onCreated: (key: Key) => void }) {
  const work = useAction();
  const create = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const body = {
      name: fields.get('name'),
      permissions: fields.getAll('permissions'),
      expires_in_days: fields.has('expires') ? RECOMMENDED_KEY_DAYS : null,
    };
    onCreated(await callApi<Key>('POST', '/keys', { body }));
    form.reset();
  };
  return (
    <form class="card" aria-label="New key" onSubmit={onSubmit((form) => work.run(() => create(form)))}>
      <h2>New key</h2>
      <label>
        Name
        <input type="text" name="name" maxLength={MAX_KEY_NAME} />
      </label>
      <fieldset>
        <legend>Permissions</legend>
        {PERMISSIONS.filter(can).map((permission) => (
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
      <button type="submit" class="main" disabled={work.isRunning}>
        Create key
      </button>
    </form>
  );
}
