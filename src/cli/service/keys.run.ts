import { ulid } from 'ulid';
import { PERMISSIONS, type Permission } from '../../domain/account.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { toJsonText } from '../../lib/json.ts';
import { generateKey, getKeyStatus } from '../../storage/keys.ts';
import type { Account, ApiKey, Store } from '../../storage/ports.ts';
import type { FlagsOf } from '../commands.ts';
import type { CliContext } from '../terminal/context.ts';
import { write, writeStatus } from '../terminal/output.ts';
import { makeOptionError } from '../terminal/usage-errors.ts';
import { printRows } from './print-rows.ts';
import { withStore } from './store.ts';

/** Parsed flags of the `vehi admin keys` commands. */
export type KeyFlags = Partial<FlagsOf<'admin keys create'>>;

async function findOrCreateAccount(flags: KeyFlags, store: Store, now: Date): Promise<Account> {
  if (flags.newAccount !== undefined) {
    const account: Account = {
      id: `acc_${ulid(now.getTime())}`,
      name: flags.newAccount,
      plan: flags.plan ?? 'free',
      status: 'active',
      requestsPerHour: null,
      concurrentRequests: null,
      createdAt: now.toISOString(),
    };
    rejectFreeProduction(flags, account, 'Add --plan starter, professional or enterprise.');
    await store.accounts.create(account);
    return account;
  }
  if (flags.plan !== undefined)
    throw makeOptionError(
      '--plan goes with --new-account',
      'vehi admin accounts update ID --plan changes a plan.',
    );
  const accounts = await store.accounts.list();
  const account =
    flags.account === undefined ? accounts[0] : accounts.find((one) => one.id === flags.account);
  if (flags.account === undefined && accounts.length !== 1) {
    throw makeOptionError(
      `${accounts.length} accounts: name the one the key is for`,
      'Give --account ID (vehi admin accounts list) or --new-account NAME.',
    );
  }
  if (!account)
    throw makeOptionError(`there is no account ${flags.account}`, 'vehi admin accounts list shows them.');
  rejectFreeProduction(flags, account, `vehi admin accounts update ${account.id} --plan starter`);
  return account;
}

/** Rejects a production key for a free account. @throws VehiError usage INVALID_OPTION */
function rejectFreeProduction({ environment }: KeyFlags, { plan }: Account, hint: string): void {
  if (environment === 'production' && plan === 'free')
    throw makeOptionError('production keys need a paid plan', hint);
}

function parsePermissions(list: string | undefined): readonly Permission[] {
  if (list === undefined) return PERMISSIONS;
  return list.split(',').map((word) => {
    const permission = PERMISSIONS.find((one) => one === word.trim());
    if (!permission)
      throw makeOptionError(
        `--permissions: "${word}" is not a permission`,
        `Known are ${PERMISSIONS.join(', ')}.`,
      );
    return permission;
  });
}

function presentKey(key: ApiKey) {
  return {
    key_id: key.id,
    account_id: key.accountId,
    environment: key.environment,
    key: key.hint,
    name: key.name,
    permissions: key.permissions,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
  };
}

async function printNewKey(text: string, record: ApiKey, flags: KeyFlags, ctx: CliContext): Promise<void> {
  if (flags.json) return write(ctx.stdout, toJsonText({ ...presentKey(record), api_key: text }));
  await write(ctx.stdout, `${text}\n`);
  await writeStatus(
    ctx,
    `vehi: ${record.id} of ${record.accountId}; the key is shown this once, keep it safe`,
  );
}

export async function runKeysCreate(flags: KeyFlags, ctx: CliContext): Promise<void> {
  const permissions = parsePermissions(flags.permissions);
  await withStore(flags, ctx, async (store) => {
    const now = ctx.now();
    const account = await findOrCreateAccount(flags, store, now);
    const { text, record } = generateKey({
      id: `key_${ulid(now.getTime())}`,
      accountId: account.id,
      environment: flags.environment ?? 'sandbox',
      name: flags.name ?? '',
      permissions,
      createdAt: now.toISOString(),
      expiresAt:
        flags.expiresDays === undefined
          ? null
          : new Date(now.getTime() + flags.expiresDays * DAY_MS).toISOString(),
    });
    await store.keys.create(record);
    await printNewKey(text, record, flags, ctx);
  });
}

export async function runKeysList(flags: KeyFlags, ctx: CliContext): Promise<void> {
  const keys = await withStore(flags, ctx, (store) => store.keys.list(flags.account));
  const rows = keys.map((key) => [
    key.id,
    key.hint,
    getKeyStatus(key, ctx.now().getTime()),
    key.accountId,
    key.permissions.join(','),
    key.expiresAt?.slice(0, 10) ?? 'never',
    key.lastUsedAt ?? 'never',
    key.name,
  ]);
  const head = ['ID', 'KEY', 'STATE', 'ACCOUNT', 'PERMISSIONS', 'EXPIRES', 'LAST USED', 'NAME'];
  await printRows(keys.map(presentKey), head, rows, flags, ctx);
}

export async function runKeysRevoke(id: string, flags: KeyFlags, ctx: CliContext): Promise<void> {
  await withStore(flags, ctx, async (store) => {
    if (!(await store.keys.get(id)))
      throw makeOptionError(`there is no key ${id}`, 'vehi admin keys list shows them.');
    const done = await store.keys.revoke(id, ctx.now().toISOString());
    await writeStatus(ctx, done ? `vehi: ${id} is revoked` : `vehi: ${id} was revoked before`);
  });
}
