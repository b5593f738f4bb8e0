import type { KeyStore } from '../../storage/ports.ts';
import type { Caller } from './app-type.ts';
import { limitsOf } from './limits.ts';

/** Callers kept at once; beyond that all are looked up anew. */
const KEPT_MAX = 10_000;

/** Keys with their accounts, by the SHA-256 of the key. */
export interface Callers {
  /** At once where the caller is known and nothing has changed since it was looked up. */
  find(sha256: string): Caller | undefined | Promise<Caller | undefined>;
}

/** What every request of a caller needs, read once. */
function callerOf(found: Awaited<ReturnType<KeyStore['find']>>): Caller | undefined {
  return (
    found && {
      ...found,
      limits: limitsOf(found.account),
      expiresMs: found.key.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(found.key.expiresAt),
      lastUsedMs: found.key.lastUsedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(found.key.lastUsedAt),
    }
  );
}

/**
 * Callers as the store has them, kept as long as it says that no key and no account has changed: a key that was
 * revoked, by whichever process, is refused at the next request. Keys that do not exist are not kept.
 */
export function createCallers(keys: Pick<KeyStore, 'version' | 'find'>): Callers {
  const known = new Map<string, Caller>();
  let version = keys.version();

  async function lookUp(sha256: string): Promise<Caller | undefined> {
    const asked = version;
    const found = callerOf(await keys.find(sha256));
    // What was read before a change must not be kept after it.
    if (found === undefined || keys.version() !== asked || version !== asked) return found;
    if (known.size >= KEPT_MAX) known.clear();
    known.set(sha256, found);
    return found;
  }

  return {
    find(sha256) {
      const now = keys.version();
      if (now !== version) known.clear();
      version = now;
      return known.get(sha256) ?? lookUp(sha256);
    },
  };
}
