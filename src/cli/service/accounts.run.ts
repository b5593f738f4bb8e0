import { ulid } from 'ulid';
import { PERMISSIONS, type Permission } from '../../domain/account.ts';
import { makeUsageError } from '../../lib/errors.ts';
import { toJsonText } from '../../lib/json.ts';
import { compact } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { defined } from '../../lib/objects.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { presentKey } from '../../server/routes/keys.ts';
import { computeExpiry, generateKey } from '../../storage/keys.ts';
import type { Account, ApiKey, RecordStore } from '../../storage/ports.ts';
import type { FlagsOf } from '../commands.ts';
import type { CliContext } from '../terminal/context.ts';
import { countColumns, write, writeStatus } from '../terminal/output.ts';
import { makeAccount } from './sandbox.ts';
import { withRecords } from './store.ts';

type StoreFlags = FlagsOf<'admin accounts list' | 'admin keys revoke'>;
type UpdateFlags = FlagsOf<'admin accounts update'>;
type CreateFlags = FlagsOf<'admin keys create'>;
type ListFlags = FlagsOf<'admin keys list'>;

export async function runAccountsList(flags: StoreFlags, ctx: CliContext): Promise<void> {
  const accounts = await withRecords(flags, ctx, (store) => store.accounts.list());
  const rows = accounts.map((one) => [one.id, one.plan, one.status, one.createdAt.slice(0, 10), one.name]);
  await printRows(accounts.map(presentAccount), ['ID', 'PLAN', 'STATE', 'SINCE', 'NAME'], rows, flags, ctx);
}

/** Changes plan, state or limits of an account; a limit of 0 resets it to the plan's. */
export async function runAccountsUpdate(id: string, flags: UpdateFlags, ctx: CliContext): Promise<void> {
  const { plan, status, requestsPerHour, concurrentRequests } = flags;
  const limit = (value: number | undefined) => (value === 0 ? null : value);
  const change = defined({
    plan,
    status,
    requestsPerHour: limit(requestsPerHour),
    concurrentRequests: limit(concurrentRequests),
  });
  if (Object.keys(change).length === 0)
    throw makeUsageError('nothing to change.', 'Give --plan, --status or a limit.');
  const isUpdated = await withRecords(flags, ctx, (store) => store.accounts.update(id, change));
  if (!isUpdated) throw makeNoAccountError(id);
  await writeStatus(ctx, `vehi: ${id} is changed`);
}

/** Creates a key, and its account if necessary, and prints the key. */
export async function runKeysCreate(flags: CreateFlags, ctx: CliContext): Promise<void> {
  const permissions = readPermissions(flags.permissions);
  const now = ctx.now();
  const createKey = async (store: RecordStore) => {
    const account = await findOrCreateAccount(flags, store, now);
    const key = generateKey({
      id: `key_${ulid(now.getTime())}`,
      accountId: account.id,
      environment: flags.environment,
      name: flags.name ?? '',
      permissions,
      createdAt: now.toISOString(),
      expiresAt: computeExpiry(now, flags.expiresDays),
    });
    await store.keys.create(key.record);
    return key;
  };
  const { text, record } = await withRecords(flags, ctx, createKey, { mustExist: false });
  if (flags.json) return write(ctx.stdout, toJsonText(presentWithOwner(record, now, text)));
  await write(ctx.stdout, `${text}\n`);
  const owner = `${record.id} of ${record.accountId}`;
  await writeStatus(ctx, `vehi: ${owner}; the key is shown this once, keep it safe`);
}

export async function runKeysList(flags: ListFlags, ctx: CliContext): Promise<void> {
  const { account } = flags;
  const keys = await withRecords(flags, ctx, async (store) => {
    if (account !== undefined && !(await store.accounts.get(account))) throw makeNoAccountError(account);
    return store.keys.list(account);
  });
  const presented = keys.map((key) => presentWithOwner(key, ctx.now()));
  const day = (time: string | null) => time?.slice(0, 10) ?? 'never';
  const rows = presented.map((key) => [
    key.key_id,
    key.hint,
    key.status,
    day(key.expires_at),
    day(key.last_used_at),
  ]);
  const notes = presented.map(({ name, account_id, permissions }) => {
    const allowed = permissions.length === PERMISSIONS.length ? 'all permissions' : permissions.join(', ');
    return compact([name, account_id, allowed]).join(' · ');
  });
  const head = ['ID', 'KEY', 'STATE', 'EXPIRES', 'LAST USED'];
  await printRows(presented, head, rows, flags, ctx, notes);
}

export async function runKeysRevoke(id: string, flags: StoreFlags, ctx: CliContext): Promise<void> {
  const isRevoked = await withRecords(flags, ctx, async (store) => {
    if (!(await store.keys.get(id)))
      throw makeUsageError(`there is no key ${id}`, 'vehi admin keys list shows them.');
    return store.keys.revoke(id, ctx.now().toISOString());
  });
  await writeStatus(ctx, isRevoked ? `vehi: ${id} is revoked` : `vehi: ${id} was revoked before`);
}

/**
 * Returns the account of a new key: the named one, the only one, or a new one.
 * @throws VehiError usage if the account is ambiguous, or for a production key of a free account
 */
async function findOrCreateAccount(flags: CreateFlags, store: RecordStore, now: Date): Promise<Account> {
  const { newAccount, plan = 'free', environment } = flags;
  const isNew = newAccount !== undefined;
  const account = isNew
    ? makeAccount({ id: `acc_${ulid(now.getTime())}`, name: newAccount, plan }, now)
    : await findAccount(flags, store);
  if (environment === 'production' && account.plan === 'free')
    throw makeUsageError(
      'production keys need a paid plan.',
      isNew
        ? 'Add --plan starter, professional or enterprise.'
        : `vehi admin accounts update ${account.id} --plan starter`,
    );
  if (isNew) await store.accounts.create(account);
  return account;
}

async function findAccount({ account: id, plan }: CreateFlags, store: RecordStore): Promise<Account> {
  if (plan !== undefined)
    throw makeUsageError(
      '--plan goes with --new-account.',
      'vehi admin accounts update ID --plan changes a plan.',
    );
  const accounts = await store.accounts.list();
  if (id === undefined && accounts.length === 0)
    throw makeUsageError('there is no account yet, and a key needs one.', 'Give --new-account NAME.');
  if (id === undefined && accounts.length > 1)
    throw makeUsageError(
      `there are ${accounts.length} accounts; the key needs the id of one.`,
      'Give --account ID (vehi admin accounts list) or --new-account NAME.',
    );
  const account = accounts.find((one) => id === undefined || one.id === id);
  if (!account) throw makeNoAccountError(id ?? '');
  return account;
}

const makeNoAccountError = (id: string) =>
  makeUsageError(`there is no account ${id}`, 'vehi admin accounts list shows them.');

function readPermissions(list: string | undefined): readonly Permission[] {
  if (list === undefined) return PERMISSIONS;
  const words = list.split(',').map((word) => word.trim());
  const permissions = words.map((word) => {
    const permission = PERMISSIONS.find((one) => one === word);
    if (!permission)
      throw makeUsageError(
        `--permissions: "${word}" is not a permission.`,
        `Known are ${PERMISSIONS.join(', ')}.`,
      );
    return permission;
  });
  return [...new Set(permissions)];
}

/** Converts an account to API field names; null limits mean those of the plan. */
const presentAccount = (account: Account) => ({
  account_id: account.id,
  name: account.name,
  plan: account.plan,
  status: account.status,
  created_at: account.createdAt,
  limits: { requests_per_hour: account.requestsPerHour, concurrent_requests: account.concurrentRequests },
});

/** Presents a key as the API does, with its account. @param text the whole key, if it may be shown */
const presentWithOwner = (key: ApiKey, now: Date, text?: string) => ({
  ...presentKey(key, now.getTime(), text),
  account_id: key.accountId,
});

function printRows(
  document: unknown,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { json }: { readonly json?: boolean | undefined },
  ctx: CliContext,
  notes: readonly string[] = [],
): Promise<void> {
  // Clients of the service choose names.
  const cells = rows.map((row) => row.map(escapeName));
  const look = { columns: countColumns(ctx), wrap: ['NAME'], notes: notes.map(escapeName) };
  const table = renderPlainTable(head, cells, { color: ctx.color.stdout, ...look });
  return write(ctx.stdout, json ? toJsonText(document) : `${table}\n`);
}
