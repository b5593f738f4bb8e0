import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { CLAIM_FIELDS, IDENTITY_FIELDS } from '../domain/vehicle/claim-file.ts';
import { decodeText } from '../lib/decode-text.ts';
import { toReason, VehiError } from '../lib/errors.ts';
import { describeValue, isObject, type JsonObject, suggestNames } from '../lib/fields.ts';
import { parseCommentedJson } from '../lib/json.ts';
import { defined } from '../lib/objects.ts';
import type { Static } from '../lib/type.ts';
import { type FailConditions, type FailingCommand, parseFailOn } from './fail-on.ts';
import { OPTIONS, type OptionRow, type Rows } from './options.ts';
import { readValue } from './values.ts';

type KeyOf<R> = R extends { readonly setting: { readonly key: infer K extends string } } ? K : never;
type SettingRows = { [N in keyof Rows as KeyOf<Rows[N]>]: Rows[N] };
export type SettingName = keyof SettingRows;

type Facts<K extends SettingName> = SettingRows[K]['setting'] &
  Pick<OptionRow, 'flag' | 'description' | 'schema'> & { readonly attribute: string };

/** Settings keyed by name in files: the flags that can also come from the environment or a file. */
export const SETTINGS = Object.fromEntries(
  Object.entries<OptionRow>(OPTIONS).flatMap(([attribute, { flag, description, schema, setting }]) =>
    setting ? [[setting.key, { flag, description, schema, attribute, ...setting }]] : [],
  ),
) as { readonly [K in SettingName]: Facts<K> };
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Sources of a setting's value, by decreasing precedence. */
type SettingSource = 'flag' | 'environment' | 'project file' | 'user file' | 'default';

interface Setting<T = string | number | null> {
  readonly value: T;
  readonly source: SettingSource;
  /** The flag, variable or file; `default` without any. */
  readonly from: string;
}
type ValueOf<K extends SettingName> =
  | Static<SettingRows[K]['schema']>
  | (SettingRows[K]['setting']['fallback'] extends null ? null : never);
export type Settings = { readonly [K in SettingName]: Setting<ValueOf<K>> };
type SettingValues = Readonly<Partial<Record<SettingName, string | number>>>;

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Inputs of the settings other than flags and files. */
interface SettingsContext {
  readonly env: Env;
  readonly cwd: string;
}

export const PROJECT_FILE = 'vehi.config.json';

/** Hint if the user's configuration folder is unusable. */
export const CONFIG_FOLDER_HINT =
  'Check the permissions of the folder, or name another folder in XDG_CONFIG_HOME.';

export const isSettingName = (key: string): key is SettingName => Object.hasOwn(SETTINGS, key);

/** Returns true if a setting is a file or folder path. */
export const isPathSetting = (name: SettingName): boolean => 'isPath' in SETTINGS[name];

/** Facts specific to a claim or vehicle, which must not be settings. */
const CLAIM_KEYS: ReadonlySet<string> = new Set(['claim', 'vehicle', ...CLAIM_FIELDS, ...IDENTITY_FIELDS]);

/** Creates the error for an unusable setting or file of settings. */
export const makeConfigError = (
  message: string,
  facts: ErrorOptions & { hint?: string; field?: string } = {},
) => new VehiError('usage', 'CONFIG_INVALID', message, facts);

/** Creates the error for an unknown key, with the nearest known one, or the right place for a claim fact. */
export function makeUnknownKeyError(key: string, where: string): VehiError {
  const hint = CLAIM_KEYS.has(key)
    ? 'Facts of one vehicle belong in vehi.json next to its photos, or in --set.'
    : suggestNames(key, SETTING_NAMES, 'Known keys:');
  return new VehiError('usage', 'CONFIG_UNKNOWN_KEY', `${where}: unknown setting "${key}".`, {
    hint,
    field: key,
  });
}

/**
 * Returns the value of a setting, converted by its schema.
 * @throws VehiError naming the origin, the key, the value found and the expected one
 */
export function readSetting(name: SettingName, given: unknown, where: string): string | number {
  const read = readValue(SETTINGS[name].schema, given);
  if ('needed' in read) {
    const message = `${where}: ${name} is ${describeValue(given)}; ${read.needed} is needed.`;
    throw makeConfigError(message, { field: name });
  }
  // Which conditions a flag may name depends on the command: `readFailOn`.
  if (name === 'fail_on' && !where.startsWith('--')) parseFailOn(String(read.value), `${where}: ${name}`);
  // Codes are accepted in any case.
  return name === 'region' || name === 'currency' ? String(read.value).toUpperCase() : read.value;
}

/** Returns the user's configuration folder (XDG on Linux). */
export const findUserConfigDir = (env: Env): string =>
  env.XDG_CONFIG_HOME ? join(env.XDG_CONFIG_HOME, 'vehi') : envPaths('vehi', { suffix: '' }).config;

/** Returns the data folder: that of the settings (`--data`), or the user's data folder (XDG on Linux). */
export function findDataDirectory(
  { data_dir }: Pick<Settings, 'data_dir'>,
  { env, cwd }: SettingsContext,
): string {
  if (data_dir.value !== null) return resolve(cwd, data_dir.value);
  return env.XDG_DATA_HOME ? join(env.XDG_DATA_HOME, 'vehi') : envPaths('vehi', { suffix: '' }).data;
}

/**
 * Reads all settings. Precedence: flags, environment, vehi.config.json (nearest at or above `cwd`), user file,
 * defaults.
 * @param flags parsed flags; those that are not settings are ignored
 * @param projectFile the nearest one; null to read none
 * @throws VehiError kind `usage` naming file and key for an unknown key or an invalid value
 */
export function readSettings(
  flags: object,
  { env, cwd }: SettingsContext,
  projectFile = findProjectFile(cwd),
): Settings {
  const given = flags as Readonly<Record<string, unknown>>;
  const userFile = join(findUserConfigDir(env), 'config.json');
  const projectValues = projectFile === null ? {} : readSettingsFile(projectFile);
  const userValues = readSettingsFile(userFile);
  const read = (name: SettingName): Setting => {
    const { attribute, flag, env: variable, fallback } = SETTINGS[name];
    const origins: readonly (Omit<Setting, 'value'> & { readonly found: unknown })[] = [
      { source: 'flag', from: flag.split(' ')[0] ?? '', found: given[attribute] },
      { source: 'environment', from: variable, found: env[variable] || undefined },
      { source: 'project file', from: projectFile ?? '', found: projectValues[name] },
      { source: 'user file', from: userFile, found: userValues[name] },
    ];
    const origin = origins.find(({ found }) => found !== undefined);
    if (!origin) return { value: fallback, source: 'default', from: 'default' };
    const { source, from, found } = origin;
    const value = readSetting(name, found, from);
    const isRelativeToFile = isPathSetting(name) && source.endsWith('file');
    return { value: isRelativeToFile ? resolve(dirname(from), String(value)) : value, source, from };
  };
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, read(name)])) as unknown as Settings;
}

/**
 * Returns the conditions for a failed run, whatever their source.
 * @throws VehiError kind `usage` naming the source of a condition that the command does not support
 */
export function readFailOn(
  { fail_on: { value, source, from } }: Settings,
  command?: FailingCommand,
): FailConditions {
  return parseFailOn(String(value), source === 'flag' ? from : `${from}: fail_on`, command);
}

/** Confidence thresholds that override those of the models, 0 to 1. */
export interface LimitOverrides {
  readonly certain?: number;
  readonly toCheck?: number;
}

/**
 * Returns the overridden thresholds; undefined without any.
 * @throws VehiError usage naming both settings if the threshold of certain findings is below that of findings to check
 */
export function readLimitOverrides({ certain_from, to_check_from }: Settings): LimitOverrides | undefined {
  const [certain, toCheck] = [certain_from.value, to_check_from.value];
  if (certain === null && toCheck === null) return undefined;
  if (certain !== null && toCheck !== null && certain < toCheck)
    throw makeConfigError(
      `certain_from is ${certain} (${certain_from.from}) and to_check_from ${toCheck} (${to_check_from.from}); certain_from must not be the lower one.`,
      { field: 'certain_from', hint: 'Raise certain_from or lower to_check_from: vehi config' },
    );
  return defined({ certain: certain ?? undefined, toCheck: toCheck ?? undefined });
}

/** Returns the origin of a value for messages: `flag`, an environment variable, or a file. */
export const findOrigin = ({ source, from }: Setting, flag: string): string =>
  source === 'flag' || source === 'default' ? flag : from;

/** Returns an explicitly set value as text; undefined for the default. */
export const readExplicit = (setting: Setting): string | undefined =>
  setting.source === 'default' ? undefined : String(setting.value);

/** Returns the nearest vehi.config.json at or above `cwd`, or null. */
export function findProjectFile(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, PROJECT_FILE);
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) return null;
  }
}

/** Reads the settings of a file, none if it is absent. @throws VehiError usage naming the file and the key */
export function readSettingsFile(file: string): SettingValues {
  const values: Partial<Record<SettingName, string | number>> = {};
  for (const [key, value] of Object.entries(parseSettingsFile(file).found)) {
    if (key.startsWith('//') || key === '$schema') continue;
    if (!isSettingName(key)) throw makeUnknownKeyError(key, file);
    values[key] = readSetting(key, value, file);
  }
  return values;
}

/**
 * Parses a settings file without checking its settings; an absent one is empty. Comments and trailing commas are
 * allowed, as written by `vehi init`.
 * @throws VehiError usage/CONFIG_INVALID
 */
export function parseSettingsFile(file: string): { readonly text: string; readonly found: JsonObject } {
  if (!existsSync(file)) return { text: '{}\n', found: {} };
  const text = readSettingsText(file);
  let found: unknown;
  try {
    found = parseCommentedJson(text);
  } catch (cause) {
    const message = `${file} is not valid JSON: ${toReason(cause)}`;
    throw makeConfigError(message, { hint: 'Correct the file or move it away.', cause });
  }
  if (!isObject(found)) throw makeConfigError(`${file} must hold an object of settings.`);
  return { text, found };
}

function readSettingsText(file: string): string {
  try {
    return decodeText(readFileSync(file));
  } catch (cause) {
    const hint = 'Correct the file or its permissions, or move it away.';
    throw makeConfigError(`${file} cannot be read: ${toReason(cause)}`, { hint, cause });
  }
}
