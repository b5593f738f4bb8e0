import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PROJECT_FILE, SETTING_NAMES, SETTINGS, type SettingName } from '../../config/settings.ts';
import { listChoices } from '../../config/values.ts';
import { VehiError } from '../../lib/errors.ts';
import { loadTables } from '../../pricing/index.ts';
import { type Asker, createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';

const HEADER = `// Settings of vehi for this folder and everything below it. Flags and the environment outrank them;
// "vehi config" lists which value holds and where it comes from.
`;

/** Where the repair is priced: what `vehi init` asks. */
interface Place {
  readonly region: string;
  readonly currency: string;
}

/**
 * Generates a vehi.config.json with every setting and its description. Unset ones are commented out with their default
 * or an example. Each line ends with a comma, so any line can be toggled by itself.
 */
export function writeConfigText(values: Partial<Place>): string {
  const write = (name: SettingName) => {
    const { description, env, fallback, example, schema }: SettingExample = SETTINGS[name];
    const choices = example === undefined ? listChoices({ schema }) : undefined;
    const value = (values as Readonly<Record<string, string>>)[name];
    const line = `"${name}": ${JSON.stringify(value ?? fallback ?? example ?? null)},`;
    const words = `${description}${choices ? `: ${choices.join(', ')}` : ''} (${env})`;
    return `  // ${words}\n  ${value === undefined ? '// ' : ''}${line}\n`;
  };
  return `${HEADER}{\n${SETTING_NAMES.map(write).join('\n')}}\n`;
}

type SettingExample = (typeof SETTINGS)[SettingName] & { readonly example?: string | number };

/** Writes the commented settings file of a folder; on a terminal it asks for the region, which brings its currency. */
export async function runInit(
  folder: string,
  { force }: FlagsOf<'init'>,
  ctx: CliContext,
  asker?: Asker,
): Promise<void> {
  const directory = resolve(ctx.cwd, folder);
  if (!(await stat(directory).catch(() => undefined))?.isDirectory()) {
    throw makeRequestError(`${folder} is not a folder.`, 'Make the folder first, or name another.');
  }
  const file = join(directory, PROJECT_FILE);
  if (!force && (await stat(file).catch(() => undefined)))
    throw new VehiError('usage', 'FILE_EXISTS', `${file} already exists.`, {
      hint: 'Change it by hand, or replace it with --force.',
    });
  const values = ctx.interactive ? await askPlace(asker ?? (await createTerminalAsker(ctx))) : {};
  await writeFileWhole(file, writeConfigText(values));
  await writeStatus(ctx, `written to ${file}; vehi config lists what applies`);
}

function askPlace(asker: Asker): Promise<Place> {
  const { rows } = loadTables().regions;
  const choices = rows.map(({ code, name, rate_per_hour: [low, high], currency }) => ({
    value: { region: code, currency },
    name: `${code}  ${name}, ${low}–${high} ${currency} an hour`,
  }));
  const isDefault = ({ value }: (typeof choices)[number]) => value.region === SETTINGS.region.fallback;
  return asker.search('Region whose labor rates and currency price the repair (type to search)', [
    { heading: 'Default', choices: choices.filter(isDefault) },
    { heading: 'Others', choices: choices.filter((one) => !isDefault(one)) },
  ]);
}
