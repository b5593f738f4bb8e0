import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '../lib/durations.ts';
import { isSameSecret } from './is-same-secret.ts';
import { createLinks } from './links.ts';

/** Lifetime of an unopened link. */
const LINK_TTL_MS = 10 * MINUTE_MS;
/** A page may stay open for weeks; its links expire when the command ends. */
const SESSION_SECONDS = 365 * 86_400;

const makeSecret = () => randomBytes(24).toString('base64url');

/** Admits only the session of the most recently opened link. */
export function createPageGate(linkTtlMs = LINK_TTL_MS) {
  const tokens = new Map<string, { readonly expiresAtMs: number; isUsed: boolean }>();
  let secret: string | null = null;
  let links = makeLinks();
  return {
    newToken() {
      const token = makeSecret();
      tokens.set(token, { expiresAtMs: performance.now() + linkTtlMs, isUsed: false });
      return token;
    },
    /** Returns the secret of a new session, which ends the previous one; null if the link was used or has expired. */
    exchange(value: string, onUsed: () => void): string | null {
      const [, token] = [...tokens].find(([issued]) => isSameSecret(issued, value)) ?? [];
      if (!token || token.isUsed || performance.now() > token.expiresAtMs) {
        if (token) onUsed();
        return null;
      }
      token.isUsed = true;
      links = makeLinks();
      secret = makeSecret();
      return secret;
    },
    holds: (value: unknown) => typeof value === 'string' && secret !== null && isSameSecret(secret, value),
    links: () => links,
  };
}

const makeLinks = () =>
  createLinks({
    secret: makeSecret(),
    lifetimeSeconds: SESSION_SECONDS,
    now: () => new Date(),
    origin: 'http://page',
    baseUrl: undefined,
    reportsUrl: undefined,
    resultsUrl: undefined,
  });
