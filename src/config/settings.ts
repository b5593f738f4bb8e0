import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import stripJsonComments from 'strip-json-comments';
import { VehiError } from '../lib/errors.ts';
import { nearest } from '../lib/nearest.ts';

/** Where a setting's value came from, strongest first. */
export const SOURCES = ['flag', 'environment', 'project file', 'user file', 'default'] as const;
export type SettingSource = (typeof SOURCES)[number];

type Kind = 'string' | 'integer' | 'share' | readonly string[];

interface SettingFacts {
  readonly env: string;
  readonly kind: Kind;
  readonly fallback: string | number | null;
  readonly about: string;
  /** A value to show where there is no default. */
  readonly example?: string | number;
}

/** Every setting that can come from the environment or a file; flags of the same meaning outrank both. */
export const SETTINGS = {
  region: { env: 'VEHI_REGION', kind: 'string', fallback: 'US_MIDWEST', about: 'region of the price table' },
  currency: {
    env: 'VEHI_CURRENCY',
    kind: 'string',
    fallback: 'USD',
    about: 'currency of all amounts; a region of your own has its own',
  },
  models: {
    env: 'VEHI_MODEL_DIR',
    kind: 'string',
    fallback: null,
    about: 'folder with manifest.json and the models',
    example: './models',
  },
  regions: {
    env: 'VEHI_REGIONS_FILE',
    kind: 'string',
    fallback: null,
    about: 'file with regions of your own',
    example: './regions.json',
  },
  threads: {
    env: 'VEHI_THREADS',
    kind: 'integer',
    fallback: null,
    about: 'threads that run the models',
    example: 2,
  },
  precision: {
    env: 'VEHI_PRECISION',
    kind: ['fp32', 'int8'],
    fallback: null,
    about: 'which file of the models runs; those shipped have fp32',
    example: 'fp32',
  },
  sensitivity: {
    env: 'VEHI_SENSITIVITY',
    kind: ['low', 'default', 'high'],
    fallback: 'default',
    about: 'how eagerly damage is reported',
  },
  min_confidence: {
    env: 'VEHI_MIN_CONFIDENCE',
    kind: 'share',
    fallback: null,
    about: 'list every find from this confidence on',
    example: '0.3',
  },
  certain_from: {
    env: 'VEHI_CERTAIN_FROM',
    kind: 'share',
    fallback: null,
    about: 'at sensitivity default, finds are certain from this confidence on',
    example: '0.6',
  },
  to_check_from: {
    env: 'VEHI_TO_CHECK_FROM',
    kind: 'share',
    fallback: null,
    about: 'at sensitivity default, finds are to check from this confidence on',
    example: '0.4',
  },
  fail_on: {
    env: 'VEHI_FAIL_ON',
    kind: ['none', 'minor', 'moderate', 'severe', 'critical'],
    fallback: 'none',
    about: 'exit 1 from this severity on',
  },
  format: { env: 'VEHI_FORMAT', kind: 'string', fallback: null, about: 'output format', example: 'json' },
  data_dir: {
    env: 'VEHI_DATA_DIR',
    kind: 'string',
    fallback: null,
    about: 'folder for stored results',
    example: './results',
  },
  inspector: {
    env: 'VEHI_INSPECTOR',
    kind: 'string',
    fallback: null,
    about: 'who inspects, as it stands in reports',
    example: 'Jane Doe',
  },
  base_url: {
    env: 'VEHI_BASE_URL',
    kind: 'string',
    fallback: null,
    about: 'address of a vehi service',
    example: 'https://vehi.example.com',
  },
} as const satisfies Record<string, SettingFacts>;
export type SettingName = keyof typeof SETTINGS;

export type Setting = {
  readonly value: string | number | null;
  readonly source: SettingSource;
  readonly from: string;
};
export type Settings = Readonly<Record<SettingName, Setting>>;

export const PROJECT_FILE = 'vehi.config.json';

/** What to do where the folder of the user's own settings cannot be used. */
export const CONFIG_FOLDER_HINT = 'Check the permissions of the folder, or name another by XDG_CONFIG_HOME.';

/** Folder of the user's own settings (XDG on Linux). */
export function userConfigDir(env: Readonly<Record<string, string | undefined>>): string {
  return env.XDG_CONFIG_HOME ? join(env.XDG_CONFIG_HOME, 'vehi') : envPaths('vehi', { suffix: '' }).config;
}

/**
 * All settings: flags > environment > vehi.config.json (found by walking up from `cwd`) > user file > defaults.
 * @throws VehiError kind `usage` for an unknown key or a value of the wrong kind, naming file and key.
 */
export function loadSettings(
  flags: Partial<Record<SettingName, string | number | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Settings {
  const project = findProjectFile(cwd);
  const user = join(userConfigDir(env), 'config.json');
  const projectValues = project ? readSettingsFile(project) : {};
  const userValues = readSettingsFile(user);
  const entries = (Object.keys(SETTINGS) as SettingName[]).map((name): [SettingName, Setting] => {
    const { env: variable, fallback } = SETTINGS[name];
    const flag = flags[name];
    if (flag !== undefined)
      return [name, { value: check(name, flag, `--${name}`), source: 'flag', from: `--${name}` }];
    const fromEnv = env[variable];
    if (fromEnv)
      return [name, { value: check(name, fromEnv, variable), source: 'environment', from: variable }];
    const here = projectValues[name];
    if (project && here !== undefined)
      return [
        name,
        { value: place(name, check(name, here, project), project), source: 'project file', from: project },
      ];
    const own = userValues[name];
    if (own !== undefined)
      return [name, { value: place(name, check(name, own, user), user), source: 'user file', from: user }];
    return [name, { value: fallback, source: 'default', from: 'default' }];
  });
  return Object.fromEntries(entries) as Settings;
}

/** A value as text or null. */
export function text(setting: Setting): string | null {
  return setting.value === null ? null : String(setting.value);
}

/** Settings that name a file or folder. */
export const PATHS: ReadonlySet<SettingName> = new Set(['models', 'regions', 'data_dir']);

/** Paths in a settings file are relative to that file. */
function place(name: SettingName, value: string | number, file: string): string | number {
  return PATHS.has(name) ? resolve(dirname(file), String(value)) : value;
}

/** A value that somebody chose, as text; undefined where it is the default. */
export function chosen(setting: Setting): string | undefined {
  return setting.source === 'default' ? undefined : String(setting.value);
}

/** The nearest vehi.config.json at or above `cwd`; null where there is none. */
export function findProjectFile(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, PROJECT_FILE);
    if (readIfThere(file) !== null) return file;
    if (dirname(folder) === folder) return null;
  }
}

/**
 * Values of a settings file by name; an absent file has none. Comments and trailing commas are allowed, as
 * `vehi init` writes them.
 */
export function readSettingsFile(file: string): Partial<Record<SettingName, string | number>> {
  const content = readIfThere(file);
  if (content === null) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(stripJsonComments(content.replace(/^\uFEFF/, ''), { trailingCommas: true }));
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
    if (!isSettingName(key)) throw unknownKey(key, file);
    values[key] = check(key, value, file);
  }
  return values;
}

export function isSettingName(key: string): key is SettingName {
  return Object.hasOwn(SETTINGS, key);
}

/** The refusal of an unknown key, with the nearest known one. */
export function unknownKey(key: string, where: string): VehiError {
  const names = Object.keys(SETTINGS);
  const near = nearest(key, names);
  const hint = near ? `Did you mean ${near}?` : `Known keys: ${names.join(', ')}.`;
  return new VehiError('usage', 'CONFIG_UNKNOWN_KEY', `${where}: unknown setting "${key}".`, {
    hint,
    field: key,
  });
}

/** The value in its kind. @throws VehiError that names the place, the key, what was found and what is needed. */
export function check(name: SettingName, value: unknown, where: string): string | number {
  const kind: Kind = SETTINGS[name].kind;
  const wrong = (needed: string) =>
    new VehiError(
      'usage',
      'CONFIG_INVALID',
      `${where}: ${name} is ${JSON.stringify(value)}; ${needed} is needed.`,
      { field: name },
    );
  if (kind === 'integer') {
    const number = Number(value);
    if (!Number.isInteger(number) || number < 1 || number > 256) throw wrong('a whole number from 1 to 256');
    return number;
  }
  if (kind === 'share') {
    const number = value === '' ? Number.NaN : Number(value);
    if (!(number >= 0 && number <= 1)) throw wrong('a number from 0 to 1');
    return number;
  }
  if (typeof value !== 'string' || value === '') throw wrong('text');
  if (typeof kind !== 'string' && !kind.includes(value)) throw wrong(`one of ${kind.join(', ')}`);
  return value;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
