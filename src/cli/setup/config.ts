import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

/** Adds `vehi config` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const config = root
    .command('config')
    .description(
      'Settings come from flags, then the environment, then vehi.config.json (found by walking up), then your own file, then defaults.',
    )
    .examples('vehi config list --sources', 'vehi config set region EU_GERMANY', [
      'vehi config set region',
      'removes it',
    ]);
  config
    .command('list')
    .description('Lists every setting with its value.')
    .flags()
    .examples('vehi config list', 'vehi config list --sources', 'vehi config list --json')
    .action(async (flags: FlagsOf<'config list'>) =>
      (await import('./config.run.ts')).runConfigList(flags, ctx),
    );
  config
    .command('get')
    .description('Prints one value.')
    .argument('<key>', 'name of the setting (vehi help config lists them)')
    .examples('vehi config get region')
    .action(async (key: string) => (await import('./config.run.ts')).runConfigGet(key, ctx));
  config
    .command('set')
    .description('Sets a user setting; without a value removes it.')
    .argument('<key>', 'name of the setting (vehi help config lists them)')
    .argument('[value]', 'its value; none removes the setting')
    .examples('vehi config set region EU_GERMANY', ['vehi config set region', 'removes it'])
    .action(async (key: string, value: string | undefined) =>
      (await import('./config.run.ts')).runConfigSet(key, value, ctx),
    );
  config
    .command('path')
    .description('Prints the files that settings are read from.')
    .examples('vehi config path')
    .action(async () => (await import('./config.run.ts')).runConfigPath(ctx));
}
