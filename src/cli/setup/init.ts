import { Option } from 'commander';
import { PATHS, SETTINGS, type SettingName } from '../../config/settings.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';

/** Flags of `vehi init` as commander hands them over; one more for each setting, see `settingOptions`. */
export interface InitFlags extends Readonly<Record<string, unknown>> {
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** The flag of each setting. */
export function settingOptions(): readonly (readonly [name: SettingName, option: Option])[] {
  return (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const { kind, about } = SETTINGS[name];
    const takes = PATHS.has(name) ? 'path' : kind === 'integer' ? 'n' : kind === 'share' ? 'share' : 'value';
    const option = new Option(`--${name.replaceAll('_', '-')} <${takes}>`, about);
    return [name, typeof kind === 'string' ? option : option.choices(kind)];
  });
}

/** Adds `vehi init` to the tree. */
export function defineInit(root: VehiCommand, ctx: CliContext): void {
  const command = root
    .command('init')
    .description(
      'Writes a commented start of vehi.config.json: asks on a terminal, takes flags otherwise. The settings hold in the folder and everything below it.',
    )
    .argument('[folder]', 'folder to write it into', '.')
    .option('-y, --yes', 'ask nothing; settings without a flag keep their defaults')
    .option('--force', 'replace a file that is there')
    .optionsGroup('Settings:');
  for (const [, option] of settingOptions()) command.addOption(option);
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
