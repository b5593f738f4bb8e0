import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from '../context.ts';

const PLAN_NAMES = ['free', 'starter', 'professional', 'enterprise'];

/** Flags of the `vehi keys` and `vehi accounts` commands as commander hands them over. */
export interface KeyFlags {
  readonly data?: string;
  readonly json?: boolean;
  readonly account?: string;
  readonly newAccount?: string;
  readonly plan?: string;
  readonly environment?: 'sandbox' | 'production';
  readonly permissions?: string;
  readonly name?: string;
  readonly expiresDays?: number;
  readonly graceHours?: number;
  readonly status?: 'active' | 'suspended';
  readonly requestsPerHour?: number;
  readonly concurrentRequests?: number;
}

function days(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 36500)
    throw new InvalidArgumentError('A whole number is needed.');
  return number;
}

const common = (command: Command) =>
  command.option('--data <dir>', 'data directory of the service (VEHI_DATA_DIR)').option('--json', 'as JSON');

/** Adds `vehi keys`: the API keys of a service on this machine. */
export function defineKeys(root: Command, ctx: CliContext): void {
  const keys = root
    .command('keys')
    .summary('API keys of a service on this machine')
    .description(
      'Makes, lists, rotates and revokes the API keys of the service whose data directory this is.',
    );
  const run = () => import('./keys.run.ts');

  common(keys.command('create'))
    .description('Makes a key. It is shown once; only its SHA-256 is stored.')
    .option('--account <id>', 'account it belongs to (default: the only one)')
    .option('--new-account <name>', 'make an account of this name for it')
    .addOption(new Option('--plan <plan>', 'plan of a new account').choices(PLAN_NAMES))
    .addOption(
      new Option('--environment <name>', 'dev_ or prod_ key')
        .choices(['sandbox', 'production'])
        .default('sandbox'),
    )
    .option('--permissions <list>', 'comma-separated (default: all)')
    .option('--name <text>', 'a name to know it by')
    .option('--expires-days <n>', 'expires after so many days (90 is good practice)', days)
    .action(async (flags: KeyFlags) => (await run()).runKeysCreate(flags, ctx));
  common(keys.command('list'))
    .description('Lists keys, masked, with their last use.')
    .option('--account <id>', 'only those of this account')
    .action(async (flags: KeyFlags) => (await run()).runKeysList(flags, ctx));
  common(keys.command('rotate'))
    .description('Makes a key like this one and lets the old one expire.')
    .argument('<id>', 'id of the key (vehi keys list)')
    .option('--grace-hours <n>', 'how long the old key still works', days, 24)
    .action(async (id: string, flags: KeyFlags) => (await run()).runKeysRotate(id, flags, ctx));
  common(keys.command('revoke'))
    .description('Ends a key at once.')
    .argument('<id>', 'id of the key (vehi keys list)')
    .action(async (id: string, flags: KeyFlags) => (await run()).runKeysRevoke(id, flags, ctx));
}

/** Adds `vehi accounts`: the accounts of a service on this machine. */
export function defineAccounts(root: Command, ctx: CliContext): void {
  const accounts = root
    .command('accounts')
    .summary('accounts and plans of a service on this machine')
    .description('Lists and changes the accounts of the service whose data directory this is.');
  const run = () => import('./keys.run.ts');

  common(accounts.command('list'))
    .description('Lists accounts with plan and state.')
    .action(async (flags: KeyFlags) => (await run()).runAccountsList(flags, ctx));
  common(accounts.command('update'))
    .description('Changes plan, state or limits of an account.')
    .argument('<id>', 'id of the account')
    .addOption(new Option('--plan <plan>', 'new plan').choices(PLAN_NAMES))
    .addOption(
      new Option('--status <state>', 'suspend it or let it in again').choices(['active', 'suspended']),
    )
    .option('--requests-per-hour <n>', 'limit of its own; 0 = as the plan says', days)
    .option('--concurrent-requests <n>', 'limit of its own; 0 = as the plan says', days)
    .action(async (id: string, flags: KeyFlags) => (await run()).runAccountsUpdate(id, flags, ctx));
}
