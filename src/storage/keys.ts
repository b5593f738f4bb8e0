import { hash, randomBytes } from 'node:crypto';
import type { ApiKey, Environment, Permission } from './ports.ts';

const PREFIX = { sandbox: 'dev_', production: 'prod_' } as const satisfies Record<Environment, string>;

/** SHA-256 of a key's text, hexadecimal: what is stored and looked up. */
export function hashKey(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The environment a key's prefix names. */
export function environmentOf(text: string): Environment | undefined {
  if (text.startsWith(PREFIX.sandbox)) return 'sandbox';
  if (text.startsWith(PREFIX.production)) return 'production';
  return undefined;
}

/** A new key of 256 random bits: its text, to be shown once, and the record to store. */
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
