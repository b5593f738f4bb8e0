import { createHmac, timingSafeEqual } from 'node:crypto';

type LinkState = 'valid' | 'expired' | 'forged';

/** Creates and verifies signed, expiring file URLs, and builds operation URLs. */
export interface Links {
  /** Base URL if none is configured; set once the service listens. */
  origin: string;
  /** True if `origin` is where the service listens. */
  readonly isListening: boolean;
  makeFileUrl(owner: string, name: string): string;
  /** Verifies signature and expiry. */
  check(owner: string, name: string, expires: string, signature: string): LinkState;
  makeOperationUrl(path: string): string;
}

const FILE_KINDS: readonly [suffix: string, kind: 'reports' | 'results'][] = [
  ['.pdf', 'reports'],
  ['', 'results'],
];

function checkSignature(expected: Buffer, expires: string, signature: string, nowSeconds: number): LinkState {
  const actual = Buffer.from(signature, 'base64url');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return 'forged';
  return Number(expires) > nowSeconds ? 'valid' : 'expired';
}

/** Creates links signed with HMAC-SHA-256 over owner, name and expiry. A fixed `now` makes them reproducible. */
export function createLinks(options: {
  secret: string;
  lifetimeSeconds: number;
  now: () => Date;
  origin: string;
  baseUrl: string | undefined;
  reportsUrl: string | undefined;
  resultsUrl: string | undefined;
}): Links {
  const sign = (owner: string, name: string, expires: string) =>
    createHmac('sha256', options.secret).update(`${owner}/${name}\n${expires}`).digest();
  const seconds = () => Math.floor(options.now().getTime() / 1000);
  let origin: string | undefined;
  const links: Links = {
    get origin() {
      return origin ?? options.origin;
    },
    set origin(listening) {
      origin = listening;
    },
    get isListening() {
      return origin !== undefined;
    },
    makeFileUrl(owner, name) {
      const kind = FILE_KINDS.find(([suffix]) => name.endsWith(suffix))?.[1] ?? 'results';
      const base =
        (kind === 'reports' ? options.reportsUrl : options.resultsUrl) ?? options.baseUrl ?? links.origin;
      const expires = String(seconds() + options.lifetimeSeconds);
      return `${base}/files/${owner}/${name}?expires=${expires}&signature=${sign(owner, name, expires).toString('base64url')}`;
    },
    check: (owner, name, expires, signature) =>
      checkSignature(sign(owner, name, expires), expires, signature, seconds()),
    makeOperationUrl: (path) => `${options.baseUrl ?? links.origin}${path}`,
  };
  return links;
}
