import { randomBytes } from 'node:crypto';
import { KEY_PREFIX, maskKey } from '../domain/api-key.ts';
import { DAY_MS } from '../lib/durations.ts';
import { hashBytes } from '../lib/ids.ts';
import type { ApiKey } from './records.ts';

/** Generates a key of 256 random bits: its text, to be shown once, and the record to store. */
export function generateKey(
  options: Omit<ApiKey, 'sha256' | 'hint' | 'revokedAt' | 'replacedAt' | 'lastUsedAt'>,
): { text: string; record: ApiKey } {
  const text = KEY_PREFIX[options.environment] + randomBytes(32).toString('base64url');
  const unused = { revokedAt: null, replacedAt: null, lastUsedAt: null };
  return { text, record: { ...options, sha256: hashBytes(text), hint: maskKey(text), ...unused } };
}

/** Returns the expiry of a key that lasts some days from its creation; null if it never expires. */
export const computeExpiry = (createdAt: Date, days: number | null | undefined): string | null =>
  days == null ? null : new Date(createdAt.getTime() + days * DAY_MS).toISOString();

/**
 * Generates the successor of a key, with the account, name, permissions and lifetime of it. The old key stays valid for
 * `graceMs`, unless it expires earlier; `change` says so in its record.
 */
export function rotateKey(
  oldKey: ApiKey,
  { id, nowMs, graceMs }: { id: string; nowMs: number; graceMs: number },
): { text: string; record: ApiKey; change: Pick<ApiKey, 'replacedAt' | 'expiresAt'> } {
  const toIso = (ms: number) => new Date(ms).toISOString();
  const expiresMs = oldKey.expiresAt === null ? null : Date.parse(oldKey.expiresAt);
  const expiresAt = expiresMs === null ? null : toIso(nowMs + expiresMs - Date.parse(oldKey.createdAt));
  const endMs = Math.min(nowMs + graceMs, expiresMs ?? Number.POSITIVE_INFINITY);
  return {
    ...generateKey({ ...oldKey, id, createdAt: toIso(nowMs), expiresAt }),
    change: { replacedAt: toIso(nowMs), expiresAt: toIso(endMs) },
  };
}

export function getKeyStatus(key: ApiKey, nowMs: number): 'valid' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'valid';
}
