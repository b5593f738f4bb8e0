import { Option } from 'commander';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { whole } from '../terminal/option-values.ts';

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

const common = (command: VehiCommand) =>
  command.option('--data <dir>', 'data directory of the service (VEHI_DATA_DIR)').option('--json', 'as JSON');

/** Adds `vehi keys`: the API keys of a service on this machine. */
export function defineKeys(root: VehiCommand, ctx: CliContext): void {
  const keys = root
    .command('keys')
    .description(
      'Makes, lists, rotates and revokes the API keys of the service whose data directory this is.',
    );
  keys.examples('vehi keys create --new-account "My shop" --plan professional', 'vehi keys list');
  const run = () => import('./keys.run.ts');

  common(keys.command('create'))
    .description('Makes a key. It is shown once; only its SHA-256 is stored.')
    .optionsGroup('Account:')
    .option('--account <id>', 'account it belongs to (default: the only one)')
    .option('--new-account <name>', 'make an account of this name for it')
    .addOption(new Option('--plan <plan>', 'plan of a new account').choices(PLAN_NAMES))
    .optionsGroup('Key:')
    .addOption(
      new Option('--environment <name>', 'dev_ or prod_ key')
        .choices(['sandbox', 'production'])
        .default('sandbox'),
    )
    .option('--permissions <list>', 'comma-separated (default: all)')
    .option('--name <text>', 'a name to know it by')
    .option('--expires-days <n>', 'expires after so many days (90 is good practice)', whole(0, 36_500))
    .examples(
      'vehi keys create --new-account "My shop" --plan professional',
      'vehi keys create --environment production --permissions inspections:read --expires-days 90',
    )
    .action(async (flags: KeyFlags) => (await run()).runKeysCreate(flags, ctx));
  common(keys.command('list'))
    .description('Lists keys, masked, with their last use.')
    .option('--account <id>', 'only those of this account')
    .examples('vehi keys list', 'vehi keys list --json')
    .action(async (flags: KeyFlags) => (await run()).runKeysList(flags, ctx));
  common(keys.command('rotate'))
    .description('Makes a key like this one and lets the old one expire.')
    .argument('<id>', 'id of the key (vehi keys list)')
    .option('--grace-hours <n>', 'how long the old key still works', whole(0, 36_500), 24)
    .examples('vehi keys rotate key_01J8ZQ4T7M', 'vehi keys rotate key_01J8ZQ4T7M --grace-hours 0')
    .action(async (id: string, flags: KeyFlags) => (await run()).runKeysRotate(id, flags, ctx));
  common(keys.command('revoke'))
    .description('Ends a key at once.')
    .argument('<id>', 'id of the key (vehi keys list)')
    .examples('vehi keys revoke key_01J8ZQ4T7M')
    .action(async (id: string, flags: KeyFlags) => (await run()).runKeysRevoke(id, flags, ctx));
}

/** Adds `vehi accounts`: the accounts of a service on this machine. */
export function defineAccounts(root: VehiCommand, ctx: CliContext): void {
  const accounts = root
    .command('accounts')
    .description('Lists and changes the accounts of the service whose data directory this is.');
  accounts.examples('vehi accounts list', 'vehi accounts update acc_01J8ZQ4T7M --plan enterprise');
  const run = () => import('./keys.run.ts');

  common(accounts.command('list'))
    .description('Lists accounts with plan and state.')
    .examples('vehi accounts list', 'vehi accounts list --json')
    .action(async (flags: KeyFlags) => (await run()).runAccountsList(flags, ctx));
  common(accounts.command('update'))
    .description('Changes plan, state or limits of an account.')
    .argument('<id>', 'id of the account')
    .optionsGroup('Changes:')
    .addOption(new Option('--plan <plan>', 'new plan').choices(PLAN_NAMES))
    .addOption(
      new Option('--status <state>', 'suspend it or let it in again').choices(['active', 'suspended']),
    )
    .option('--requests-per-hour <n>', 'limit of its own; 0 = as the plan says', whole(0, 36_500))
    .option('--concurrent-requests <n>', 'limit of its own; 0 = as the plan says', whole(0, 36_500))
    .examples(
      'vehi accounts update acc_01J8ZQ4T7M --plan enterprise',
      'vehi accounts update acc_01J8ZQ4T7M --status suspended',
    )
    .action(async (id: string, flags: KeyFlags) => (await run()).runAccountsUpdate(id, flags, ctx));
}
