import { Option } from 'commander';
import { ENVIRONMENTS } from '../../domain/choices.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { parseWholeBetween } from '../terminal/option-values.ts';
import { addDataOptions, PLAN_NAMES } from './data-options.ts';
import type { KeyFlags } from './keys.run.ts';

/** Adds `vehi admin keys`: the API keys of a service on this machine. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const keys = root
    .command('keys')
    .description(
      'Creates, lists, rotates and revokes the API keys of the service whose data directory this is.',
    );
  keys.examples('vehi admin keys create --new-account "My shop" --plan professional', 'vehi admin keys list');
  const run = () => import('./keys.run.ts');

  addDataOptions(keys.command('create'))
    .description('Creates a key. It is shown once; only its SHA-256 is stored.')
    .optionsGroup('Account:')
    .option('--account <id>', 'account it belongs to (default: the only one)')
    .option('--new-account <name>', 'create an account of this name for it')
    .addOption(new Option('--plan <plan>', 'plan of a new account').choices(PLAN_NAMES))
    .optionsGroup('Key:')
    .addOption(
      new Option('--environment <name>', 'dev_ or prod_ key').choices(ENVIRONMENTS).default('sandbox'),
    )
    .option('--permissions <list>', 'comma-separated (default: all)')
    .option('--name <text>', 'a name to recognise it by')
    .option(
      '--expires-days <n>',
      'expires after this many days (90 is good practice)',
      parseWholeBetween(0, 36_500),
    )
    .examples(
      'vehi admin keys create --new-account "My shop" --plan professional',
      'vehi admin keys create --environment production --permissions inspections:read --expires-days 90',
    )
    .action(async (flags: KeyFlags) => (await run()).runKeysCreate(flags, ctx));
  addDataOptions(keys.command('list'))
    .description('Lists keys, masked, with their last use.')
    .option('--account <id>', 'only those of this account')
    .examples('vehi admin keys list', 'vehi admin keys list --json')
    .action(async (flags: KeyFlags) => (await run()).runKeysList(flags, ctx));
  addDataOptions(keys.command('rotate'))
    .description('Creates a key like this one and lets the old one expire.')
    .argument('<id>', 'id of the key (vehi admin keys list)')
    .option('--grace-hours <n>', 'how long the old key still works', parseWholeBetween(0, 36_500), 24)
    .examples(
      'vehi admin keys rotate key_01J8ZQ4T7M',
      'vehi admin keys rotate key_01J8ZQ4T7M --grace-hours 0',
    )
    .action(async (id: string, flags: KeyFlags) => (await run()).runKeysRotate(id, flags, ctx));
  addDataOptions(keys.command('revoke'))
    .description('Ends a key at once.')
    .argument('<id>', 'id of the key (vehi admin keys list)')
    .examples('vehi admin keys revoke key_01J8ZQ4T7M')
    .action(async (id: string, flags: KeyFlags) => (await run()).runKeysRevoke(id, flags, ctx));
}
