import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { InitFlags } from './init.run.ts';
import { listSettingOptions } from './setting-options.ts';

/** Adds `vehi init` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  const command = root
    .command('init')
    .description(
      'Writes a commented start of vehi.config.json: asks on a terminal, takes flags otherwise. The settings apply to the folder and everything below it.',
    )
    .argument('[folder]', 'folder to write it into', '.')
    .option('-y, --yes', 'ask nothing; settings without a flag keep their defaults')
    .option('--force', 'replace a file that is there')
    .optionsGroup('Settings:');
  for (const [, option] of listSettingOptions()) command.addOption(option);
  command
    .examples(
      'vehi init',
      'vehi init --yes --region EU_GERMANY --fail-on severe',
      'vehi init ./fleet --yes --regions ./our-rates.json --region OUR_SHOP --force',
    )
    .notes('Paths are written relative to the file.')
    .exits({
      usage: 'usage, a wrong value, or the file is there',
      interrupted: 'interrupted; nothing is written',
    })
    .action(async (folder: string, flags: InitFlags) =>
      (await import('./init.run.ts')).runInit(folder, flags, ctx),
    );
}
