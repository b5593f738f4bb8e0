import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { decodeText } from '../lib/decode-text.ts';
import { VehiError } from '../lib/errors.ts';
import { parseCommentedJson } from '../lib/json.ts';
import { type FailConditions, parseFailOn } from './fail-on.ts';
import {
  check,
  isSettingName,
  makeUnknownKeyError,
  PATHS,
  SETTINGS,
  type SettingName,
} from './setting-table.ts';

/** Where a setting's value came from, strongest first. */
export const SOURCES = ['flag', 'environment', 'project file', 'user file', 'default'] as const;
type SettingSource = (typeof SOURCES)[number];

export type Setting = {
  readonly value: string | number | null;
  readonly source: SettingSource;
  readonly from: string;
};
export type Settings = Readonly<Record<SettingName, Setting>>;

export const PROJECT_FILE = 'vehi.config.json';

/** What to do where the folder of the user's own settings cannot be used. */
export const CONFIG_FOLDER_HINT = 'Check the permissions of the folder, or name another by XDG_CONFIG_HOME.';

/** Returns the folder of the user's own settings (XDG on Linux). */
export function findUserConfigDir(env: Readonly<Record<string, string | undefined>>): string {
  return env.XDG_CONFIG_HOME ? join(env.XDG_CONFIG_HOME, 'vehi') : envPaths('vehi', { suffix: '' }).config;
}

/** Returns the folder of what is kept: `--data`, the setting `data_dir`, or the user's own (XDG on Linux). */
export function findDataDirectory(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string {
  const given = readTextSetting(loadSettings({ data_dir: flag }, env, cwd).data_dir);
  if (given !== null) return resolve(cwd, given);
  return env.XDG_DATA_HOME ? join(env.XDG_DATA_HOME, 'vehi') : envPaths('vehi', { suffix: '' }).data;
}

/**
 * Loads all settings: flags > environment > vehi.config.json (found by walking up from `cwd`) > user file > defaults.
 * @throws VehiError kind `usage` for an unknown key or a value of the wrong kind, naming file and key.
 */
export function loadSettings(
  flags: Partial<Record<SettingName, string | number | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Settings {
  const project = findProjectFile(cwd);
  const user = join(findUserConfigDir(env), 'config.json');
  const projectValues = project ? readSettingsFile(project) : {};
  const userValues = readSettingsFile(user);
  const entries = (Object.keys(SETTINGS) as SettingName[]).map((name): [SettingName, Setting] => {
    const { env: variable, fallback } = SETTINGS[name];
    const flag = flags[name];
    if (flag !== undefined) {
      const from = `--${name.replaceAll('_', '-')}`;
      return [name, { value: check(name, flag, from), source: 'flag', from }];
    }
    const fromEnv = env[variable];
    if (fromEnv)
      return [name, { value: check(name, fromEnv, variable), source: 'environment', from: variable }];
    const here = projectValues[name];
    if (project && here !== undefined)
      return [
        name,
        {
          value: resolvePlace(name, check(name, here, project), project),
          source: 'project file',
          from: project,
        },
      ];
    const own = userValues[name];
    if (own !== undefined)
      return [
        name,
        { value: resolvePlace(name, check(name, own, user), user), source: 'user file', from: user },
      ];
    return [name, { value: fallback, source: 'default', from: 'default' }];
  });
  return Object.fromEntries(entries) as Settings;
}

/** Returns what makes a run fail. */
export function readFailOn({ fail_on }: Settings): FailConditions {
  return parseFailOn(String(fail_on.value));
}

/** Returns the value of a setting as text, or null. */
export function readTextSetting(setting: Setting): string | null {
  return setting.value === null ? null : String(setting.value);
}

/** Resolves a path in a settings file, which is relative to that file. */
function resolvePlace(name: SettingName, value: string | number, file: string): string | number {
  return PATHS.has(name) ? resolve(dirname(file), String(value)) : value;
}

/** Returns where a value was set, for the start of a message: `flag`, a variable of the environment, or a file. */
export function findOrigin({ source, from }: Setting, flag: string): string {
  return source === 'flag' || source === 'default' ? flag : from;
}

/** Returns a value that somebody chose, as text; undefined where it is the default. */
export function readChosen(setting: Setting): string | undefined {
  return setting.source === 'default' ? undefined : String(setting.value);
}

/** Returns the nearest vehi.config.json at or above `cwd`; null where there is none. */
export function findProjectFile(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, PROJECT_FILE);
    if (readIfThere(file) !== null) return file;
    if (dirname(folder) === folder) return null;
  }
}

/**
 * Reads a settings file: its values by name; an absent file has none. Comments and trailing commas are allowed, as
 * `vehi init` writes them.
 */
export function readSettingsFile(file: string): Partial<Record<SettingName, string | number>> {
  const content = readIfThere(file);
  if (content === null) return {};
  let parsed: unknown;
  try {
    parsed = parseCommentedJson(content);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : '';
    throw new VehiError('usage', 'CONFIG_INVALID', `${file} is not valid JSON: ${why}`, {
      hint: 'Correct the file or move it away.',
      cause,
    });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new VehiError('usage', 'CONFIG_INVALID', `${file} must hold an object of settings.`);
  }
  const values: Partial<Record<SettingName, string | number>> = {};
  for (const [key, value] of Object.entries(parsed)) {
    if (key.startsWith('//') || key === '$schema') continue;
    if (!isSettingName(key)) throw makeUnknownKeyError(key, file);
    values[key] = check(key, value, file);
  }
  return values;
}

function readIfThere(file: string): string | null {
  try {
    return decodeText(readFileSync(file));
  } catch {
    return null;
  }
}
