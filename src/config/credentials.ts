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
type Profiles = Partial<Record<Environment, Profile>>;

/**
 * Opens the stored keys: `credentials.json` in the user's configuration folder, readable by its owner only
 * (mode 0600), created with the first key. Each access throws VehiError usage CREDENTIALS_UNREADABLE if it is unusable.
 * Conf writes this file only: it would rewrite a settings file without its comments.
 */
export function openCredentials(env: Env) {
  const path = join(findUserConfigDir(env), 'credentials.json');
  const use = <R>(work: (file: Conf<Profiles>) => R): R => {
    try {
      const file = new Conf<Profiles>({
        cwd: dirname(path),
        configName: 'credentials',
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      });
      // Conf would compile a given schema at every start, which takes longer than everything else.
      if (!fits(PROFILES, file.store)) throw new Error('it holds no addresses with keys.');
      return work(file);
    } catch (cause) {
      const isSystemError = cause instanceof Error && 'syscall' in cause;
      const hint = isSystemError ? CONFIG_FOLDER_HINT : 'Remove the file and run vehi auth login again.';
      throw new VehiError('usage', 'CREDENTIALS_UNREADABLE', `${path}: ${toReason(cause)}`, { hint, cause });
    }
  };
  // Conf creates the folder that it reads from, which fails in a read-only home.
  const get = (name: Environment): Profile | undefined =>
    existsSync(path) ? use((file) => file.get(name)) : undefined;
  return {
    path,
    get,
    set: (name: Environment, profile: Profile): void => use((file) => file.set(name, profile)),
    /** Removes a key; returns false if none was stored. */
    remove(name: Environment): boolean {
      if (!get(name)) return false;
      use((file) => file.delete(name));
      return true;
    },
  };
}

/** Address and key of a service. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Source of the key, for messages. */
  readonly from: string;
}

/** Choice of the service: its address and profile from flags or settings. */
export interface AccessChoice {
  readonly baseUrl?: string | undefined;
  readonly profile?: Environment | undefined;
  /** True if `--profile` was typed, which permits sending its key to another address than its own. */
  readonly isProfileGiven?: boolean;
}

/**
 * Returns the key and address of a service. VEHI_API_KEY outranks the stored keys. A stored key goes to its own address
 * only, unless its profile was typed.
 * @throws VehiError kind `remote` with a hint if the key or the address is missing, or no stored key is for the address;
 * `usage` if VEHI_API_KEY is of another profile than the one named
 */
export function findAccess({ baseUrl, profile, isProfileGiven = false }: AccessChoice, env: Env): Access {
  const { VEHI_API_KEY: givenKey } = env;
  const { get } = openCredentials(env);
  const trim = (address: string) =>
    (URL.canParse(address) ? new URL(address).href : address).replace(/\/+$/, '');
  const makeRefusal = (code: string, message: string, hint: string, kind: 'remote' | 'usage' = 'remote') =>
    new VehiError(kind, code, message, { hint });
  if (givenKey) {
    const own = readEnvironment(givenKey) ?? profile;
    const clash = `VEHI_API_KEY holds a ${own} key, and the profile ${profile} is named.`;
    if (profile && own !== profile)
      throw makeRefusal('OTHER_PROFILE', clash, 'Unset VEHI_API_KEY, or leave the profile out.', 'usage');
    const address = baseUrl ?? (own && get(own)?.base_url);
    if (address) return { baseUrl: trim(address), apiKey: givenKey, from: 'VEHI_API_KEY' };
    const hint = 'Run vehi auth login, or set VEHI_BASE_URL.';
    throw makeRefusal('NO_ADDRESS', 'there is no service address.', hint);
  }
  const stored = (profile ? [profile] : ENVIRONMENTS).flatMap((name) => {
    const one = get(name);
    return one ? [{ baseUrl: trim(one.base_url), apiKey: one.api_key, from: `profile ${name}` }] : [];
  });
  const [first] = stored;
  const missing = `there is no ${profile ? `stored key of the profile ${profile}` : 'API key'}.`;
  if (!first) throw makeRefusal('MISSING_API_KEY', missing, 'Run vehi auth login, or set VEHI_API_KEY.');
  const address = baseUrl === undefined ? first.baseUrl : trim(baseUrl);
  const own = stored.find((one) => one.baseUrl === address);
  const access = isProfileGiven ? { ...first, baseUrl: address } : own;
  if (access) return access;
  const others = stored.map((one) => `${one.from} is for ${one.baseUrl}`).join(', ');
  const hint = `Log in there (vehi auth login --base-url ${address}), or name the key to send there with --profile.`;
  throw makeRefusal('OTHER_ADDRESS', `no stored key is for ${address}: ${others}.`, hint);
}
