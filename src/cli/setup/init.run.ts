import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PROJECT_FILE, SETTING_NAMES, SETTINGS, type SettingName } from '../../config/settings.ts';
import { listChoices } from '../../config/values.ts';
import { makeUsageError, VehiError } from '../../lib/errors.ts';
import type { FlagsOf } from '../commands.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';

const HEADER = `// Settings of vehi for this folder and everything below it. Flags and the environment outrank them;
// "vehi config" lists which value holds and where it comes from.
`;

/** Writes a commented settings file into a folder. @throws VehiError usage if there is no folder, or the file exists */
export async function runInit(folder: string, { force }: FlagsOf<'init'>, ctx: CliContext): Promise<void> {
  const directory = resolve(ctx.cwd, folder);
  if (!(await stat(directory).catch(() => undefined))?.isDirectory())
    throw makeUsageError(`${folder} is not a folder.`, 'Make the folder first, or name another.');
  const file = join(directory, PROJECT_FILE);
  if (!force && (await stat(file).catch(() => undefined)))
    throw new VehiError('usage', 'FILE_EXISTS', `${file} already exists.`, {
      hint: 'Change it by hand, or replace it with --force.',
    });
  await writeFileWhole(file, `${HEADER}{\n${SETTING_NAMES.map(writeExample).join('\n')}}\n`);
  await writeStatus(ctx, `written to ${file}; vehi config lists what applies`);
}

/** Facts of any setting; some have an example instead of a default. */
type SettingFacts = (typeof SETTINGS)[SettingName] & { readonly example?: string | number };

/**
 * Writes the description of a setting, and a commented-out line that sets it to its default or an example. The line
 * ends with a comma, so that each can be enabled independently.
 */
function writeExample(name: SettingName): string {
  const { description, env, fallback, example, schema }: SettingFacts = SETTINGS[name];
  const choices = listChoices({ schema });
  const words = `${description}${choices ? `: ${choices.join(', ')}` : ''} (${env})`;
  return `  // ${words}\n  // "${name}": ${JSON.stringify(fallback ?? example)},\n`;
}
