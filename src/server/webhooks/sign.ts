import { createHmac, randomBytes } from 'node:crypto';

/** Returns a new signing secret of 192 random bits, in the form of Standard Webhooks. */
export function mintSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/**
 * Returns one `v1` signature per secret over `id.timestamp.body` (Standard Webhooks); two while a secret is being
 * rotated.
 */
export function signBody(
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  body: string,
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
    })
    .join(' ');
}
