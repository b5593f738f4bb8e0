import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

/** Adds `vehi config` to the tree. */
export function defineConfig(root: Command, ctx: CliContext): void {
  const config = root
    .command('config')
    .summary('settings: where each value comes from, get and set your own')
    .description(
      'Settings come from flags, then the environment, then vehi.config.json (found by walking up), then your own file, then defaults.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  vehi config list --sources\n  vehi config set region EU_GERMANY\n  vehi config set region        (removes it)\n\nExit codes: 0 done, 2 unknown key or wrong value.',
    );
  config
    .command('list')
    .description('Lists every setting with its value.')
    .option('--sources', 'also where each value comes from')
    .option('--json', 'as JSON')
    .action(async (flags: { sources?: boolean; json?: boolean }) =>
      (await import('./config.run.ts')).runConfigList(flags, ctx),
    );
  config
    .command('get')
    .description('Prints one value.')
    .argument('<key>')
    .action(async (key: string) => (await import('./config.run.ts')).runConfigGet(key, ctx));
  config
    .command('set')
    .description('Sets one of your own settings; without a value removes it.')
    .argument('<key>')
    .argument('[value]')
    .action(async (key: string, value: string | undefined) =>
      (await import('./config.run.ts')).runConfigSet(key, value, ctx),
    );
  config
    .command('path')
    .description('Prints the files that settings are read from.')
    .action(async () => (await import('./config.run.ts')).runConfigPath(ctx));
}
