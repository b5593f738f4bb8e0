import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  runAccountsList,
  runAccountsUpdate,
  runKeysCreate,
  runKeysList,
  runKeysRevoke,
} from '../../../../src/cli/service/accounts.run.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

const data = join(makeOwnFolder('keys'), 'service');

async function run<F extends object>(
  work: (flags: F & { data: string }, ctx: ReturnType<typeof fakeTerminal>['ctx']) => Promise<void>,
  flags: F,
) {
  const screen = fakeTerminal({ cwd: '/' });
  await work({ data, ...flags }, screen.ctx);
  return screen.stdout();
}
const create = async (flags: Partial<Parameters<typeof runKeysCreate>[0]>) =>
  JSON.parse(await run(runKeysCreate, { json: true, environment: 'sandbox' as const, ...flags }));

test('a key is for the account that is named, or the only one', async () => {
  await expect(run(runKeysList, {})).rejects.toThrow(`${data}: there is no service data here.`);
  expect(existsSync(data)).toBe(false);
  const message = 'there is no account yet, and a key needs one.';
  await expect(create({})).rejects.toMatchObject({ message, hint: 'Give --new-account NAME.' });
  const first = await create({ newAccount: 'First', name: 'red\u001b[31m' });
  expect((await create({})).account_id).toBe(first.account_id);
  const paid = { plan: 'starter', environment: 'production' } as const;
  const second = await create({ newAccount: 'Second', ...paid, expiresDays: 3 });
  expect(second.account_id).not.toBe(first.account_id);
  expect(Date.parse(second.expires_at) - Date.parse(second.created_at)).toBe(3 * 86_400_000);
  expect((await create({ account: second.account_id })).account_id).toBe(second.account_id);
  await expect(create({})).rejects.toThrow('there are 2 accounts; the key needs the id of one.');
  const revoke = run((given, ctx) => runKeysRevoke('key_none', given, ctx), {});
  await expect(revoke).rejects.toThrow('there is no key key_none');
  for (const work of [runKeysCreate, runKeysList])
    await expect(run(work, { environment: 'sandbox' as const, account: 'acc_none' })).rejects.toThrow(
      'there is no account acc_none',
    );
  const reader = await create({ newAccount: 'Reader', permissions: 'inspections:read, inspections:read' });
  expect(reader.permissions).toEqual(['inspections:read']);
  await expect(create({ account: first.account_id, environment: 'production' })).rejects.toThrow('paid plan');
  const bad = create({ newAccount: 'Bad', permissions: 'inspections:read, all' });
  await expect(bad).rejects.toThrow('--permissions: "all" is not a permission.');
  await expect(create({ account: first.account_id, plan: 'starter' })).rejects.toThrow('--new-account');
  await expect(create({ newAccount: 'Third', environment: 'production' })).rejects.toThrow('paid plan');

  const table = (await run(runKeysList, {})).split('\n');
  expect(table[0]).toMatch(/^ID +KEY +STATE +EXPIRES +LAST USED$/);
  expect(table.filter((line) => line.length > 80)).toEqual([]);
  expect(table.filter((line) => line.startsWith('key_'))).toHaveLength(5);
  expect(table.join('\n')).toMatch(
    new RegExp(`^${first.key_id}.* never +never\n +red.* · ${first.account_id} · all permissions$`, 'm'),
  );
  expect(second.hint).toContain(`prod_…${second.api_key.slice(-4)}`);
  expect(table.join()).toContain(second.hint);
  expect(table.join()).not.toContain(second.api_key);
  expect(table.join()).toContain('red\\u{1b}[31m');
  const listed = JSON.parse(await run(runKeysList, { json: true, account: second.account_id }));
  const owned = { account_id: second.account_id, status: 'valid' };
  expect(listed).toMatchObject([owned, owned]);
});

test('an account is changed by what is given, and by nothing else', async () => {
  const { account_id: id } = await create({ newAccount: 'Fourth' });
  const update = (flags: Parameters<typeof runAccountsUpdate>[1]) =>
    run((given, ctx) => runAccountsUpdate(id, given, ctx), flags);
  await expect(update({})).rejects.toThrow('nothing to change');
  await update({ requestsPerHour: 7, concurrentRequests: 2 });
  await update({ requestsPerHour: 0, status: 'suspended' });
  const accounts = JSON.parse(await run(runAccountsList, { json: true }));
  expect(accounts.find((one: { account_id: string }) => one.account_id === id)).toMatchObject({
    plan: 'free',
    status: 'suspended',
    limits: { requests_per_hour: null, concurrent_requests: 2 },
  });
  const unknown = run((given, ctx) => runAccountsUpdate('acc_none', given, ctx), {
    plan: 'starter' as const,
  });
  await expect(unknown).rejects.toThrow('acc_none');
});
