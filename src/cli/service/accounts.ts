import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { AccountFlags } from './accounts.run.ts';

/** Adds `vehi admin accounts`, the accounts of a service on this machine. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const accounts = root.command('accounts').description('Lists and changes the accounts of a service.');
  accounts.examples(
    'vehi admin accounts list',
    'vehi admin accounts update acc_01J8ZQ4T7M --plan enterprise',
  );
  const run = () => import('./accounts.run.ts');

  accounts
    .command('list')
    .description('Lists accounts with plan and state.')
    .flags()
    .examples('vehi admin accounts list', 'vehi admin accounts list --json')
    .action(async (flags: AccountFlags) => (await run()).runAccountsList(flags, ctx));
  accounts
    .command('update')
    .description('Changes plan, state or limits of an account.')
    .argument('<id>', 'id of the account')
    .flags({ plan: 'new plan' })
    .examples(
      'vehi admin accounts update acc_01J8ZQ4T7M --plan enterprise',
      'vehi admin accounts update acc_01J8ZQ4T7M --status suspended',
    )
    .action(async (id: string, flags: AccountFlags) => (await run()).runAccountsUpdate(id, flags, ctx));
}
