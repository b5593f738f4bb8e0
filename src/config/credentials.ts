import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Conf from 'conf';
import { ENVIRONMENTS, type Environment } from '../domain/account.ts';
import { readEnvironment } from '../domain/api-key.ts';
import { fits } from '../lib/check.ts';
import { toReason, VehiError } from '../lib/errors.ts';
import { Type } from '../lib/type.ts';
import { CONFIG_FOLDER_HINT, findUserConfigDir } from './settings.ts';

/** A service address with its key. */
interface Profile {
  readonly base_url: string;
  readonly api_key: string;
}

const PROFILE = Type.Object({ base_url: Type.String(), api_key: Type.String() });
const PROFILES = Type.Object({ sandbox: Type.Optional(PROFILE), production: Type.Optional(PROFILE) });

/**
 * Opens the stored keys: `credentials.json` in the user's configuration folder, readable by its owner only (mode 0600).
 * @throws VehiError if it is unreadable
 */
export function openCredentials(env: Readonly<Record<string, string | undefined>>) {
  const cwd = findUserConfigDir(env);
  try {
    const conf = new Conf<Partial<Record<Environment, Profile>>>({
      cwd,
      projectName: 'vehi',
      projectSuffix: '',
      configName: 'credentials',
      configFileMode: 0o600,
    });
    // A schema given to Conf is compiled at every start, which takes longer than all the rest.
    if (!fits(PROFILES, conf.store)) throw new Error('it holds no addresses with keys.');
    return {
      path: conf.path,
      get: (name: Environment): Profile | undefined => conf.get(name),
      set: (name: Environment, profile: Profile) => conf.set(name, profile),
      remove(name: Environment): boolean {
        const existed = conf.has(name);
        conf.delete(name);
        return existed;
      },
    };
  } catch (cause) {
    const why = toReason(cause);
    throw new VehiError('usage', 'CREDENTIALS_UNREADABLE', `${findCredentialsFile(env)}: ${why}`, {
      hint: existsSync(findCredentialsFile(env))
        ? 'Remove the file and run vehi auth login again.'
        : CONFIG_FOLDER_HINT,
      cause,
    });
  }
}

function findCredentialsFile(env: Readonly<Record<string, string | undefined>>): string {
  return join(findUserConfigDir(env), 'credentials.json');
}

/** Address and key of a service. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly from: string;
}

export interface AccessOptions {
  readonly baseUrl?: string | undefined;
  readonly profile?: Environment | undefined;
}

/**
 * Opens the stored profiles for reading or removal, without creating a missing file: `Conf` creates the folder it reads
 * from, which fails in a read-only home.
 */
export function openExistingCredentials(
  env: Readonly<Record<string, string | undefined>>,
): Pick<ReturnType<typeof openCredentials>, 'path' | 'get' | 'remove'> {
  const path = findCredentialsFile(env);
  return existsSync(path) ? openCredentials(env) : { path, get: () => undefined, remove: () => false };
}

/**
 * Returns the key and address of a service. Key precedence: VEHI_API_KEY, stored profile. Address precedence:
 * flag (or VEHI_BASE_URL, already in `baseUrl`), stored profile.
 * @throws VehiError kind `remote` with a hint if the key or the address is missing
 */
export function findAccess(
  options: AccessOptions,
  env: Readonly<Record<string, string | undefined>>,
): Access {
  const givenKey = env.VEHI_API_KEY;
  const profile = givenKey && options.baseUrl ? () => undefined : openExistingCredentials(env).get;
  const names = options.profile ? [options.profile] : ENVIRONMENTS;
  const name = givenKey ? (readEnvironment(givenKey) ?? names[0]) : names.find((one) => profile(one));
  const stored = name === undefined ? undefined : profile(name);
  const apiKey = givenKey || stored?.api_key;
  if (!apiKey) {
    throw new VehiError('remote', 'MISSING_API_KEY', 'there is no API key.', {
      hint: 'Run vehi auth login, or set VEHI_API_KEY.',
    });
  }
  const baseUrl = options.baseUrl ?? stored?.base_url;
  if (!baseUrl) {
    throw new VehiError('remote', 'NO_ADDRESS', 'there is no service address.', {
      hint: 'Run vehi auth login, or set VEHI_BASE_URL.',
    });
  }
  const from = givenKey ? 'VEHI_API_KEY' : `profile ${name}`;
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, from };
}
