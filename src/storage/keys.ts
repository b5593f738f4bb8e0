import { hash, randomBytes } from 'node:crypto';
import type { Environment, Permission } from '../domain/choices.ts';
import type { ApiKey } from './ports.ts';

const PREFIX = { sandbox: 'dev_', production: 'prod_' } as const satisfies Record<Environment, string>;

/** Returns the SHA-256 of a key's text, hexadecimal: what is stored and looked up. */
export function hashKey(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Returns the environment a key's prefix names. */
export function readEnvironment(text: string): Environment | undefined {
  if (text.startsWith(PREFIX.sandbox)) return 'sandbox';
  if (text.startsWith(PREFIX.production)) return 'production';
  return undefined;
}

/** Creates a new key of 256 random bits: its text, to be shown once, and the record to store. */
export function mintKey(options: {
  id: string;
  accountId: string;
  environment: Environment;
  name: string;
  permissions: readonly Permission[];
  createdAt: string;
  expiresAt: string | null;
}): { text: string; record: ApiKey } {
  const text = PREFIX[options.environment] + randomBytes(32).toString('base64url');
  const hint = `${PREFIX[options.environment]}…${text.slice(-4)}`;
  return { text, record: { ...options, sha256: hashKey(text), hint, revokedAt: null, lastUsedAt: null } };
}

/**
 * Creates a key like another one: same owner, name, permissions and lifetime. The other one works for `graceMs` more,
 * unless it ends before: `oldExpiresAt` is its new end, undefined where it stays.
 */
export function rotateKey(
  old: ApiKey,
  { id, nowMs, graceMs }: { id: string; nowMs: number; graceMs: number },
): { text: string; record: ApiKey; oldExpiresAt: string | undefined } {
  const lifeMs = old.expiresAt === null ? null : Date.parse(old.expiresAt) - Date.parse(old.createdAt);
  const { accountId, environment, name, permissions } = old;
  const made = mintKey({
    id,
    accountId,
    environment,
    name,
    permissions,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: lifeMs === null ? null : new Date(nowMs + lifeMs).toISOString(),
  });
  const endMs = nowMs + graceMs;
  const outlives = old.expiresAt === null || Date.parse(old.expiresAt) > endMs;
  return { ...made, oldExpiresAt: outlives ? new Date(endMs).toISOString() : undefined };
}

/** Returns whether a key works at a time. */
export function judgeKey(key: ApiKey, nowMs: number): 'valid' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'valid';
}
