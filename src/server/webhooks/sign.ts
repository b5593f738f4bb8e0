import { createHmac, randomBytes } from 'node:crypto';

/** Generates a signing secret of 192 random bits in Standard Webhooks format. */
export function generateSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** Signs `id.timestamp.body` with each secret (`v1`, Standard Webhooks); two secrets while one is being rotated. */
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
