import { PRECISIONS } from '../domain/choices.ts';
import { CLAIM_FIELDS, IDENTITY_FIELDS } from '../domain/claim-file.ts';
import { SENSITIVITIES } from '../domain/sight/detection.ts';
import { VehiError } from '../lib/errors.ts';
import { suggestNames } from '../lib/fields.ts';
import { parseFailOn } from './fail-on.ts';

type Kind = 'string' | 'integer' | 'share' | 'conditions' | readonly string[];

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
    kind: PRECISIONS,
    fallback: null,
    about: 'which file of the models runs; those shipped have fp32',
    example: 'fp32',
  },
  sensitivity: {
    env: 'VEHI_SENSITIVITY',
    kind: SENSITIVITIES,
    fallback: 'default',
    about: 'how readily damage is reported',
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
    kind: 'conditions',
    fallback: 'none',
    about: 'exit 1 on any of these: minor to critical (that or worse), cost>5000, score<6, unchecked',
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
    about: 'name of the inspector, as shown in reports',
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

/** Settings that name a file or folder. */
export const PATHS: ReadonlySet<SettingName> = new Set(['models', 'regions', 'data_dir']);

/** Returns whether a setting of this name exists. */
export function isSettingName(key: string): key is SettingName {
  return Object.hasOwn(SETTINGS, key);
}

/** Facts of one claim or one vehicle, which hold for no other folder of photos. */
const OF_ONE_CLAIM: ReadonlySet<string> = new Set(['claim', 'vehicle', ...CLAIM_FIELDS, ...IDENTITY_FIELDS]);

/** Returns the error for an unknown key, with the nearest known one, or where a fact of one claim belongs. */
export function makeUnknownKeyError(key: string, where: string): VehiError {
  const hint = OF_ONE_CLAIM.has(key)
    ? 'What holds for one vehicle stands in vehi.json next to its photos, or in --claim and --vehicle.'
    : suggestNames(key, Object.keys(SETTINGS), 'Known keys:');
  return new VehiError('usage', 'CONFIG_UNKNOWN_KEY', `${where}: unknown setting "${key}".`, {
    hint,
    field: key,
  });
}

/**
 * Returns the value, converted to the kind of its setting.
 * @throws VehiError that names the place, the key, what was found and what is needed.
 */
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
    const number = readFigure(value);
    if (!Number.isInteger(number) || number < 1 || number > 256) throw wrong('a whole number from 1 to 256');
    return number;
  }
  if (kind === 'share') {
    const number = readFigure(value);
    if (!(number >= 0 && number <= 1)) throw wrong('a number from 0 to 1');
    return number;
  }
  if (typeof value !== 'string' || value === '') throw wrong('text');
  if (kind === 'conditions') parseFailOn(value, where.startsWith('--') ? where : `${where}: ${name}`);
  if (typeof kind !== 'string' && !kind.includes(value)) throw wrong(`one of ${kind.join(', ')}`);
  return value;
}

/** Returns the number that a value states; NaN for a blank one, which would count as 0. */
function readFigure(value: unknown): number {
  return typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
}
