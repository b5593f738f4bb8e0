import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import {
  isPathSetting,
  PROJECT_FILE,
  readSetting,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingValues,
} from '../../config/settings.ts';
import { listChoices } from '../../config/values.ts';
import type { Precision } from '../../domain/sight/detection.ts';
import { createPricer, loadTablesWith } from '../../engine/pricer.ts';
import { VehiError } from '../../lib/errors.ts';
import { findRegion, type Tables } from '../../pricing/index.ts';
import { loadManifest, pickVariant, shippedModelDir } from '../../vision/models/model-files.ts';
import { toUsageError } from '../backend/setting-faults.ts';
import { parsePrintedKind } from '../outputs/parse-output.ts';
import { type Asker, createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';
import { askSettings } from './interview.ts';

const HEADER = `// Settings of vehi for this folder and everything below it. Flags and the environment outrank them;
// "vehi config list --sources" says which value holds and where it comes from.
`;

/**
 * Generates a vehi.config.json with every setting and its description. Unset ones are commented out with their default
 * or an example. Each line ends with a comma, so any line can be toggled by itself.
 */
export function writeConfigText(values: SettingValues): string {
  const write = (name: SettingName) => {
    const { description, env, fallback, example, schema }: SettingExample = SETTINGS[name];
    const choices = example === undefined ? listChoices({ schema }) : undefined;
    const value = values[name];
    const line = `"${name}": ${JSON.stringify(value ?? fallback ?? example ?? null)},`;
    const words = `${description}${choices ? `: ${choices.join(', ')}` : ''} (${env})`;
    return `  // ${words}\n  ${value === undefined ? '// ' : ''}${line}\n`;
  };
  return `${HEADER}{\n${SETTING_NAMES.map(write).join('\n')}}\n`;
}

type SettingExample = (typeof SETTINGS)[SettingName] & { readonly example?: string | number };

type InitFlags = FlagsOf<'init'>;

/** Runs `vehi init`: takes settings from flags and prompts, validates them as the reader does, and writes the file. */
export async function runInit(
  folder: string,
  flags: InitFlags,
  ctx: CliContext,
  asker?: Asker,
): Promise<void> {
  if (!flags.yes && !ctx.interactive) {
    throw new VehiError('usage', 'NOT_INTERACTIVE', 'vehi init asks questions, and this is not a terminal.', {
      hint: 'Add --yes, with a flag for each setting that should differ from its default.',
    });
  }
  const directory = resolve(ctx.cwd, folder);
  if (!(await stat(directory).catch(() => undefined))?.isDirectory()) {
    throw makeRequestError(`${folder} is not a folder.`, 'Make the folder first, or name another.');
  }
  const file = join(directory, PROJECT_FILE);
  await rejectExisting(file, flags);
  const given = readFlagValues(flags, ctx);
  const tables = await loadTablesWith(given.regions === undefined ? undefined : String(given.regions));
  checkValues(given, tables);
  await checkPrecision(given);
  const values = flags.yes
    ? addCurrency(given, tables)
    : await askSettings(given, tables.regions.rows, asker ?? (await createTerminalAsker(ctx)));
  checkValues(values, tables);
  await rejectExisting(file, flags);
  await writeFileWhole(file, writeConfigText(makePathsRelative(values, directory, ctx)));
  await writeStatus(ctx, `written to ${file}; vehi config list --sources shows what applies`);
}

async function rejectExisting(file: string, { force }: InitFlags): Promise<void> {
  if (force || !(await stat(file).catch(() => undefined))) return;
  throw new VehiError('usage', 'FILE_EXISTS', `${file} already exists.`, {
    hint: 'Change it by hand, or replace it with --force.',
  });
}

/** Returns the settings given as flags, with absolute paths. */
function readFlagValues(flags: InitFlags, ctx: CliContext): SettingValues {
  const given = flags as Readonly<Record<string, unknown>>;
  const entries = SETTING_NAMES.flatMap((name): [SettingName, string | number][] => {
    const { attribute, flag } = SETTINGS[name];
    if (given[attribute] === undefined) return [];
    const checked = readSetting(name, given[attribute], flag.split(' ')[0] ?? '');
    return [[name, isPathSetting(name) ? resolve(ctx.cwd, String(checked)) : checked]];
  });
  return Object.fromEntries(entries);
}

/**
 * Validates what the settings reader does not.
 * @throws VehiError usage for an unknown region, currency or format
 */
function checkValues({ region, currency, format }: SettingValues, tables: Tables): void {
  if (format !== undefined) parsePrintedKind(String(format), 'inspect');
  try {
    const code = String(region ?? SETTINGS.region.fallback);
    createPricer(tables, code, String(currency ?? findRegion(tables, code, 'region').currency));
  } catch (error) {
    throw toUsageError(error);
  }
}

/** Requires every model in the folder to have a file of the precision. @throws VehiError usage */
async function checkPrecision({ precision, models }: SettingValues): Promise<void> {
  if (precision === undefined) return;
  const manifest = await loadManifest(String(models ?? shippedModelDir()));
  for (const model of [manifest.damage, manifest.parts]) pickVariant(model, precision as Precision);
}

/** Adds the region's currency if none is given. */
function addCurrency(values: SettingValues, tables: Tables): SettingValues {
  const { region, currency } = values;
  if (region === undefined || currency !== undefined) return values;
  return { ...values, currency: findRegion(tables, String(region), 'region').currency };
}

/** Makes paths relative to the file, as the reader expects. */
function makePathsRelative(values: SettingValues, directory: string, ctx: CliContext): SettingValues {
  const entries = Object.entries(values).map(([name, value]): [string, string | number] => {
    if (!isPathSetting(name as SettingName)) return [name, value];
    const path = relative(directory, resolve(ctx.cwd, String(value))).replaceAll('\\', '/');
    return [name, path.startsWith('.') ? path : `./${path}`];
  });
  return Object.fromEntries(entries);
}
