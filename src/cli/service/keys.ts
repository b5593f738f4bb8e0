import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { KeyFlags } from './keys.run.ts';

/** Adds `vehi admin keys`, the API keys of a service on this machine. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const keys = root
    .command('keys')
    .description('Creates, lists, rotates and revokes the API keys of a service.');
  keys.examples('vehi admin keys create --new-account "My shop" --plan professional', 'vehi admin keys list');
  const run = () => import('./keys.run.ts');

  keys
    .command('create')
    .description('Creates a key. It is shown once; only its SHA-256 is stored.')
    .flags({ account: 'account it belongs to (default: the only one)' })
    .examples(
      'vehi admin keys create --new-account "My shop" --plan professional',
      'vehi admin keys create --environment production --permissions inspections:read --expires-days 90',
    )
    .action(async (flags: KeyFlags) => (await run()).runKeysCreate(flags, ctx));
  keys
    .command('list')
    .description('Lists keys, masked, with their last use.')
    .flags()
    .examples('vehi admin keys list', 'vehi admin keys list --json')
    .action(async (flags: KeyFlags) => (await run()).runKeysList(flags, ctx));
  keys
    .command('rotate')
    .description('Creates a key with the same permissions and lets the old one expire.')
    .argument('<id>', 'id of the key (vehi admin keys list)')
    .flags()
    .examples(
      'vehi admin keys rotate key_01J8ZQ4T7M',
      'vehi admin keys rotate key_01J8ZQ4T7M --grace-hours 0',
    )
    .action(async (id: string, flags: KeyFlags) => (await run()).runKeysRotate(id, flags, ctx));
  keys
    .command('revoke')
    .description('Revokes a key immediately.')
    .argument('<id>', 'id of the key (vehi admin keys list)')
    .flags()
    .examples('vehi admin keys revoke key_01J8ZQ4T7M')
    .action(async (id: string, flags: KeyFlags) => (await run()).runKeysRevoke(id, flags, ctx));
}
