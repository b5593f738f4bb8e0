import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26379;
/** Default prefix of all keys. */
const DEFAULT_PREFIX = 'vehi';

/** Connection options in ioredis form. */
export interface RedisTarget {
  readonly host?: string;
  readonly port?: number;
  readonly path?: string;
  readonly db?: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: { readonly servername?: string };
  /** Sentinels that monitor the primary called `name`. */
  readonly sentinels?: { readonly host: string; readonly port: number }[];
  readonly name?: string;
  readonly sentinelPassword?: string;
  readonly sentinelTLS?: object;
  readonly enableTLSForSentinelMode?: boolean;
}

/** A parsed Redis URL. */
export interface RedisAddress {
  readonly options: RedisTarget;
  /** Display name for messages, without the password. */
  readonly name: string;
  /** Prefix of every key. Its braces are a hash tag that puts all keys into one slot of a Redis Cluster. */
  readonly keyPrefix: string;
}

/** Passwords passed outside the URL. */
export interface RedisPasswords {
  readonly redis?: string;
  readonly sentinel?: string;
}

const makeAddressError = (url: string, reason: string) =>
  new VehiError('usage', 'INVALID_OPTION', `--redis is "${url.replace(/\/\/.*@/, '//…@')}"; ${reason}.`, {
    hint: 'For example redis://cache.example.com:6379/1, rediss://… with TLS, unix:///run/redis/redis.sock, or redis://s1.example.com,s2.example.com?sentinel=NAME',
  });

/** Returns the database number, 0 by default. */
function readDatabase(url: string, text: string): number {
  const db = text === '' ? 0 : Number(text);
  if (Number.isInteger(db) && db >= 0) return db;
  throw makeAddressError(url, 'the number of a database is a whole number');
}

/** Returns the key prefix, a name in braces. */
function readKeyPrefix(url: string, name: string | null): string {
  if (name === null) return `{${DEFAULT_PREFIX}}`;
  if (/^[A-Za-z0-9._-]{1,40}$/.test(name)) return `{${name}}`;
  throw makeAddressError(url, 'prefix= takes 1 to 40 letters, digits, dots, dashes and underscores');
}

function checkParameters(url: string, query: URLSearchParams, allowed: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => !allowed.includes(name));
  if (unknown !== undefined)
    throw makeAddressError(url, `${unknown}= is not known here (known: ${allowed.join(', ')})`);
}

/** A Redis URL with its hosts split off, because `URL` accepts no host list. */
interface SplitAddress {
  readonly parsed: URL;
  readonly hosts: readonly string[];
}

function splitAddress(url: string): SplitAddress {
  const [, head = '', list = '', tail = ''] = /^([a-z+-]+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/i.exec(url) ?? [];
  const hosts = list.split(',');
  const first = `${head}${hosts[0]}${tail}`;
  const parsed = URL.canParse(first) ? new URL(first) : undefined;
  if (!parsed || !['redis:', 'rediss:', 'unix:'].includes(parsed.protocol))
    throw makeAddressError(url, 'a redis:, rediss: or unix: address is needed');
  return { parsed, hosts };
}

function readEndpoint(url: string, text: string, defaultPort: number): { host: string; port: number } {
  const parsed = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : undefined;
  if (!parsed?.hostname) throw makeAddressError(url, `"${text}" is no host`);
  const port = parsed.port === '' ? defaultPort : Number(parsed.port);
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port };
}

/**
 * Parses `redis://host:port/database`, `rediss://…` (TLS), `unix:///path?db=database`, or Sentinels with the name of
 * their primary: `redis://host:port,host:port/database?sentinel=NAME`. `prefix=NAME` is for shared servers.
 * @throws VehiError usage/INVALID_OPTION
 */
export function parseRedisUrl(url: string, passwords: RedisPasswords = {}): RedisAddress {
  const { parsed, hosts } = splitAddress(url);
  const { searchParams: query, protocol } = parsed;
  const decode = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      throw makeAddressError(url, 'a % that begins no escape is written %25');
    }
  };
  const password = passwords.redis ?? (parsed.password === '' ? undefined : decode(parsed.password));
  const auth = {
    ...(parsed.username === '' ? {} : { username: decode(parsed.username) }),
    ...defined({ password }),
  };
  const keyPrefix = readKeyPrefix(url, query.get('prefix'));
  if (protocol === 'unix:') {
    checkParameters(url, query, ['db', 'prefix']);
    const path = decode(parsed.pathname);
    const db = readDatabase(url, query.get('db') ?? '');
    return { options: { path, ...(db === 0 ? {} : { db }), ...auth }, name: `unix://${path}`, keyPrefix };
  }
  checkParameters(url, query, ['sentinel', 'prefix']);
  const db = readDatabase(url, parsed.pathname.slice(1));
  const primary = query.get('sentinel');
  const isTls = protocol === 'rediss:';
  if (primary === null) {
    if (hosts.length > 1)
      throw makeAddressError(
        url,
        'several hosts are Sentinels: ?sentinel= names the primary that they watch',
      );
    const { host, port } = readEndpoint(url, hosts[0] ?? '', REDIS_PORT);
    const tls = isTls ? { tls: { servername: host } } : {};
    return {
      options: { host, port, db, ...auth, ...tls },
      name: `${protocol}//${parsed.host}/${db}`,
      keyPrefix,
    };
  }
  if (primary === '')
    throw makeAddressError(url, 'sentinel= is empty: it names the primary that the Sentinels watch');
  const sentinels = hosts.map((host) => readEndpoint(url, host, SENTINEL_PORT));
  const { sentinel: sentinelPassword } = passwords;
  return {
    options: {
      sentinels,
      name: primary,
      db,
      ...auth,
      ...defined({ sentinelPassword }),
      ...(isTls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    },
    name: `${protocol}//${hosts.join(',')}/${db}?sentinel=${primary}`,
    keyPrefix,
  };
}
