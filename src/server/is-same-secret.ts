import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns true if two secrets are equal, comparing digests in constant time. */
export function isSameSecret(actual: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(actual), digest(expected));
}
