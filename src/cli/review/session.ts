import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a link can be opened. */
const LINK_MINUTES = 10;

/** What a page is given for its link. */
interface PageSession {
  /** For requests with a header. */
  readonly secret: string;
  /** For addresses that pictures and downloads are fetched by. */
  readonly pictures: string;
}

/** The one session of a review: a new link ends the one before. */
export interface Sessions {
  /** A token that works once. */
  newToken(): string;
  /** The session for a token, or why there is none. */
  exchange(token: unknown): PageSession | 'used' | 'unknown';
  holds(secret: unknown): boolean;
  showsPictures(secret: string): boolean;
}

/** Creates the sessions of a page's server, one at a time. @param now milliseconds */
export function createReviewSessions(now: () => number): Sessions {
  const tokens = new Map<string, { readonly until: number; used: boolean }>();
  let current: PageSession | null = null;
  const find = (token: unknown) =>
    [...tokens.entries()].find(([known]) => typeof token === 'string' && isSame(known, token));
  return {
    newToken() {
      const token = makeSecret();
      tokens.set(token, { until: now() + LINK_MINUTES * 60_000, used: false });
      return token;
    },
    exchange(given) {
      const [, token] = find(given) ?? [];
      if (token === undefined) return 'unknown';
      if (token.used || now() > token.until) return 'used';
      token.used = true;
      current = { secret: makeSecret(), pictures: makeSecret() };
      return current;
    },
    holds: (given) => typeof given === 'string' && current !== null && isSame(current.secret, given),
    showsPictures: (given) => current !== null && isSame(current.pictures, given),
  };
}

function makeSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Compares in constant time: digests, which are of one length. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
