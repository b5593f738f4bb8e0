import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Conf from 'conf';
import { ENVIRONMENTS, type Environment } from '../domain/account.ts';
import { readEnvironment } from '../domain/api-key.ts';
import { fits } from '../lib/check.ts';
import { toReason, VehiError } from '../lib/errors.ts';
import { type Static, Type } from '../lib/type.ts';
import { CONFIG_FOLDER_HINT, type Env, findUserConfigDir } from './settings.ts';

/** A service address with its key. */
const PROFILE = Type.Object({ base_url: Type.String(), api_key: Type.String() });
const PROFILES = Type.Object({ sandbox: Type.Optional(PROFILE), production: Type.Optional(PROFILE) });
type Profile = Static<typeof PROFILE>;

/**
 * Opens the stored keys: `credentials.json` in the user's configuration folder, readable by its owner only
 * (mode 0600), created with the first key. Each access throws VehiError usage CREDENTIALS_UNREADABLE if it is invalid.
 */
export function openCredentials(env: Env) {
  const path = join(findUserConfigDir(env), 'credentials.json');
  // Conf creates the folder that it reads from, which fails in a read-only home.
  const openExisting = () => (existsSync(path) ? openFile(path) : undefined);
  return {
    path,
    get: (name: Environment): Profile | undefined => openExisting()?.get(name),
    set: (name: Environment, profile: Profile): void => openFile(path).set(name, profile),
    /** Removes a key; returns false if none was stored. */
    remove(name: Environment): boolean {
      const file = openExisting();
      if (!file?.has(name)) return false;
      file.delete(name);
      return true;
    },
  };
}

function openFile(path: string): Conf<Partial<Record<Environment, Profile>>> {
  const existed = existsSync(path);
  try {
    const file = new Conf<Partial<Record<Environment, Profile>>>({
      cwd: dirname(path),
      configName: 'credentials',
      configFileMode: 0o600,
    });
    // Conf would compile a given schema at every start, which takes longer than everything else.
    if (!fits(PROFILES, file.store)) throw new Error('it holds no addresses with keys.');
    return file;
  } catch (cause) {
    throw new VehiError('usage', 'CREDENTIALS_UNREADABLE', `${path}: ${toReason(cause)}`, {
      hint: existed ? 'Remove the file and run vehi auth login again.' : CONFIG_FOLDER_HINT,
      cause,
    });
  }
}

/** Address and key of a service. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Source of the key, for messages. */
  readonly from: string;
}

/**
 * Returns the key and address of a service. Key precedence: VEHI_API_KEY, stored profile. Address precedence:
 * flag (or VEHI_BASE_URL, already in `baseUrl`), stored profile.
 * @throws VehiError kind `remote` with a hint if the key or the address is missing
 */
export function findAccess(
  given: { readonly baseUrl?: string | undefined; readonly profile?: Environment | undefined },
  env: Env,
): Access {
  const { VEHI_API_KEY: givenKey } = env;
  const { get } = openCredentials(env);
  const names = given.profile ? [given.profile] : ENVIRONMENTS;
  const name = givenKey ? (readEnvironment(givenKey) ?? names[0]) : names.find((one) => get(one));
  const isComplete = Boolean(givenKey && given.baseUrl);
  const stored = name === undefined || isComplete ? undefined : get(name);
  const apiKey = givenKey || stored?.api_key;
  if (!apiKey) {
    throw new VehiError('remote', 'MISSING_API_KEY', 'there is no API key.', {
      hint: 'Run vehi auth login, or set VEHI_API_KEY.',
    });
  }
  const baseUrl = given.baseUrl ?? stored?.base_url;
  if (!baseUrl) {
    throw new VehiError('remote', 'NO_ADDRESS', 'there is no service address.', {
      hint: 'Run vehi auth login, or set VEHI_BASE_URL.',
    });
  }
  const from = givenKey ? 'VEHI_API_KEY' : `profile ${name}`;
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, from };
}
