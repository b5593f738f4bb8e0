import { randomBytes } from 'node:crypto';
import { KEY_PREFIX, maskKey } from '../domain/api-key.ts';
import { DAY_MS } from '../lib/durations.ts';
import { hashBytes } from '../lib/ids.ts';
import type { ApiKey } from './records.ts';

/** Generates a key of 256 random bits: its text, to be shown once, and the record to store. */
export function generateKey(options: Omit<ApiKey, 'sha256' | 'hint' | 'revokedAt' | 'lastUsedAt'>): {
  text: string;
  record: ApiKey;
} {
  const text = KEY_PREFIX[options.environment] + randomBytes(32).toString('base64url');
  const stored = { sha256: hashBytes(text), hint: maskKey(text), revokedAt: null, lastUsedAt: null };
  return { text, record: { ...options, ...stored } };
}

/** Returns the expiry of a key that lasts some days from its creation; null if it never expires. */
export const computeExpiry = (createdAt: Date, days: number | null | undefined): string | null =>
  days == null ? null : new Date(createdAt.getTime() + days * DAY_MS).toISOString();

/** Returns true if the key was replaced: it then expires after a grace period, any other after whole days. */
export const isReplaced = ({ createdAt, expiresAt }: ApiKey): boolean =>
  expiresAt !== null && (Date.parse(expiresAt) - Date.parse(createdAt)) % DAY_MS !== 0;

/**
 * Generates a key with the account, name, permissions and lifetime of another. The old key stays valid for `graceMs`,
 * unless it expires earlier: `oldExpiresAt` is its new expiry, undefined if unchanged.
 */
export function rotateKey(
  oldKey: ApiKey,
  { id, nowMs, graceMs }: { id: string; nowMs: number; graceMs: number },
): { text: string; record: ApiKey; oldExpiresAt: string | undefined } {
  const lifeMs =
    oldKey.expiresAt === null ? null : Date.parse(oldKey.expiresAt) - Date.parse(oldKey.createdAt);
  const replacement = generateKey({
    ...oldKey,
    id,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: lifeMs === null ? null : new Date(nowMs + lifeMs).toISOString(),
  });
  const graceEndMs = nowMs + graceMs;
  const isLonger = oldKey.expiresAt === null || Date.parse(oldKey.expiresAt) > graceEndMs;
  return { ...replacement, oldExpiresAt: isLonger ? new Date(graceEndMs).toISOString() : undefined };
}

/** Returns the state of a key at a time. */
export function getKeyStatus(key: ApiKey, nowMs: number): 'valid' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'valid';
}
