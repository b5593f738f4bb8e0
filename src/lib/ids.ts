import { createHash, hash } from 'node:crypto';

const CROCKFORD_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Id of an inspection or assessment created by the service. */
export const RECORD_ID = /^(vis|asmt)_[0-9A-Z]{26}$/;

/** Returns the SHA-256 of bytes, or of a text's UTF-8, hexadecimal. */
export function hashBytes(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** Returns the SHA-256 of a value's JSON, hexadecimal. */
export const hashJson = (value: unknown): string => hashBytes(JSON.stringify(value));

/** Derives an id from the content: the prefix and 26 Crockford base-32 digits of a SHA-256. */
export function makeContentId(prefix: string, content: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of content) hash.update(`${part.length}:${part};`);
  let bits = BigInt(`0x${hash.digest('hex')}`) >> 126n;
  let digits = '';
  for (let i = 0; i < 26; i++) {
    digits = `${CROCKFORD_DIGITS[Number(bits & 31n)]}${digits}`;
    bits >>= 5n;
  }
  return `${prefix}_${digits}`;
}
