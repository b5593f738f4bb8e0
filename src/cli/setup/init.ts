import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

/** Adds `vehi init` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('init')
    .description(
      'Writes a commented start of vehi.config.json: asks on a terminal, takes flags otherwise. The settings apply to the folder and everything below it.',
    )
    .argument('[folder]', 'folder to write it into', '.')
    .flags({ yes: 'ask nothing; settings without a flag keep their defaults' })
    .examples(
      'vehi init',
      'vehi init --yes --region EU_GERMANY --fail-on severe',
      'vehi init ./fleet --yes --regions ./our-rates.json --region OUR_SHOP --force',
    )
    .notes('Paths are written relative to the file.')
    .exits({
      usage: 'usage, an invalid value, or the file exists',
      interrupted: 'interrupted; nothing is written',
    })
    .action(async (folder: string, flags: FlagsOf<'init'>) =>
      (await import('./init.run.ts')).runInit(folder, flags, ctx),
    );
}
