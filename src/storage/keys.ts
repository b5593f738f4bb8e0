import { randomBytes } from 'node:crypto';
import type { Environment, Permission } from '../domain/account.ts';
import { KEY_PREFIX, maskKey } from '../domain/api-key.ts';
import { hashBytes } from '../lib/ids.ts';
import type { ApiKey } from './ports.ts';

/** Generates a key of 256 random bits: its text, to be shown once, and the record to store. */
export function mintKey(options: {
  id: string;
  accountId: string;
  environment: Environment;
  name: string;
  permissions: readonly Permission[];
  createdAt: string;
  expiresAt: string | null;
}): { text: string; record: ApiKey } {
  const text = KEY_PREFIX[options.environment] + randomBytes(32).toString('base64url');
  const stored = { sha256: hashBytes(text), hint: maskKey(text), revokedAt: null, lastUsedAt: null };
  return { text, record: { ...options, ...stored } };
}

/**
 * Generates a key with the account, name, permissions and lifetime of another. The old key stays valid for `graceMs`,
 * unless it expires earlier: `oldExpiresAt` is its new expiry, undefined if unchanged.
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

/** Returns the state of a key at a time. */
export function judgeKey(key: ApiKey, nowMs: number): 'valid' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'valid';
}
