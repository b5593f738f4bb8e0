import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns whether two secrets are equal, in a time that tells nothing of them: their digests are compared. */
export function isSameSecret(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}
