import { defined } from '../../lib/objects.ts';
import type { Account } from '../../storage/ports.ts';
import type { FlagsOf } from '../commands.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeStatus } from '../terminal/output.ts';
import { makeOptionError } from '../terminal/usage-errors.ts';
import { printRows } from './print-rows.ts';
import { withStore } from './store.ts';

/** Parsed flags of the `vehi admin accounts` commands. */
export type AccountFlags = Partial<FlagsOf<'admin accounts list'> & FlagsOf<'admin accounts update'>>;

/** Converts an account to API field names; null limits mean those of the plan. */
function presentAccount(account: Account) {
  return {
    account_id: account.id,
    name: account.name,
    plan: account.plan,
    status: account.status,
    created_at: account.createdAt,
    limits: {
      requests_per_hour: account.requestsPerHour,
      concurrent_requests: account.concurrentRequests,
    },
  };
}

/** Runs `vehi admin accounts list`. */
export async function runAccountsList(flags: AccountFlags, ctx: CliContext): Promise<void> {
  const accounts = await withStore(flags, ctx, (store) => store.accounts.list());
  const rows = accounts.map((one) => [one.id, one.plan, one.status, one.createdAt.slice(0, 10), one.name]);
  await printRows(accounts.map(presentAccount), ['ID', 'PLAN', 'STATE', 'SINCE', 'NAME'], rows, flags, ctx);
}

/** Runs `vehi admin accounts update`. */
export async function runAccountsUpdate(id: string, flags: AccountFlags, ctx: CliContext): Promise<void> {
  const { plan, status, requestsPerHour, concurrentRequests } = flags;
  const limit = (value: number | undefined) => (value === 0 ? null : value);
  const change = defined({
    plan,
    status,
    requestsPerHour: limit(requestsPerHour),
    concurrentRequests: limit(concurrentRequests),
  });
  if (Object.keys(change).length === 0)
    throw makeOptionError('nothing to change', 'Give --plan, --status or a limit.');
  const isUpdated = await withStore(flags, ctx, (store) => store.accounts.update(id, change));
  if (!isUpdated) throw makeOptionError(`there is no account ${id}`, 'vehi admin accounts list shows them.');
  await writeStatus(ctx, `vehi: ${id} is changed`);
}
