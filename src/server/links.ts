import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServerSettings } from './server-settings.ts';

export const VISUAL_PATH = '/v1/inspections/visual';
export const ASSESSMENT_PATH = '/v1/inspections/damage-assessment';
export const KIND_PATHS = { visual: VISUAL_PATH, damage_assessment: ASSESSMENT_PATH } as const;
/** Path of the demo vehicle's photos, which the sandbox serves. */
export const DEMO_PHOTOS_PATH = '/demo/photos';
export const DEMO_PHOTO_NAME = /^[a-z0-9][a-z0-9_-]*\.jpg$/;

/** A file's URL is signed again when a message with it is sent less than this before its expiry. */
const RENEWAL_SECONDS = 86_400;

/**
 * Creates the URLs of files and of operations. File URLs expire and are signed with HMAC-SHA-256 over owner, name and
 * expiry. A fixed `now` makes them reproducible.
 */
export function createLinks(options: {
  secret: string;
  now: () => Date;
  settings: Pick<ServerSettings, 'linkLifetimeSeconds' | 'baseUrl' | 'reportsUrl' | 'resultsUrl'>;
}) {
  const { linkLifetimeSeconds, baseUrl, reportsUrl, resultsUrl } = options.settings;
  const sign = (owner: string, name: string, expires: string) =>
    createHmac('sha256', options.secret).update(`${owner}/${name}\n${expires}`).digest();
  const seconds = () => Math.floor(options.now().getTime() / 1000);
  let listeningUrl: string | undefined;
  const getBaseUrl = () => baseUrl ?? listeningUrl;
  const findBaseUrl = () => getBaseUrl() ?? 'http://localhost';
  const addSignature = (address: string, owner: string, name: string) => {
    const expires = String(seconds() + linkLifetimeSeconds);
    return `${address}?expires=${expires}&signature=${sign(owner, name, expires).toString('base64url')}`;
  };
  return {
    /** Returns the base URL that is configured, or else at which the service listens; undefined until then. */
    getBaseUrl,
    /** Sets the URL at which the service listens, the base URL if none is configured. */
    setListeningUrl(url: string) {
      listeningUrl = url;
    },
    makeFileUrl(owner: string, name: string) {
      const base = (name.endsWith('.pdf') ? reportsUrl : resultsUrl) ?? findBaseUrl();
      return addSignature(`${base}/files/${owner}/${name}`, owner, name);
    },
    /** Signs the URL of a file again if it has expired or soon will; returns any other URL unchanged. */
    renew(url: string) {
      const match = /^(.*\/files\/(\w+)\/([\w.-]+))\?expires=(\d+)&/.exec(url);
      const [, address = '', owner = '', name = '', expires] = match ?? [];
      const isLasting = expires === undefined || Number(expires) - seconds() > RENEWAL_SECONDS;
      return isLasting ? url : addSignature(address, owner, name);
    },
    /** Returns true if the signature is that of the file and has not expired. */
    isValid(owner: string, name: string, expires: string, signature: string) {
      const [expected, actual] = [sign(owner, name, expires), Buffer.from(signature, 'base64url')];
      const isSigned = actual.length === expected.length && timingSafeEqual(actual, expected);
      return isSigned && Number(expires) > seconds();
    },
    makeOperationUrl: (path: string) => `${findBaseUrl()}${path}`,
  };
}
export type Links = ReturnType<typeof createLinks>;
