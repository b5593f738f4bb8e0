import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { readExplicit, readLimitOverrides, readSettings } from '../../config/settings.ts';
import { makeUsageError, toReason, VehiError } from '../../lib/errors.ts';
import { readPackageJson } from '../../lib/package.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from '../../server/server-settings.ts';
import type { FlagsOf } from '../commands.ts';
import type { CliContext } from '../terminal/context.ts';
import { readHttpAddress } from '../terminal/http-address.ts';
import { DEMO_PHOTOS } from './sandbox.ts';

/** Parsed flags of `vehi serve`, plus those that only `vehi work` has. */
export type ServeFlags = FlagsOf<'serve'> & Partial<Pick<FlagsOf<'work'>, 'grace'>>;

/** Rejects conflicting flags. @throws VehiError usage */
export function checkFlags({ sandbox, seed, now, ephemeral, tlsCert, tlsKey }: ServeFlags): void {
  if (!sandbox && (seed ?? now) !== undefined) {
    const message = '--seed and --now make ids that can be guessed; they are for the sandbox.';
    throw makeUsageError(message, 'Add --sandbox.');
  }
  if (seed !== undefined && now !== undefined && !ephemeral) {
    const message = '--seed with --now makes the same ids at every start; a kept store has them already.';
    throw makeUsageError(message, 'Add --ephemeral.');
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const message = '--tls-cert and --tls-key belong together.';
    throw makeUsageError(message, 'Give both, or put a proxy with TLS in front.');
  }
}

/** Builds the server settings from flags and configuration; certificates are loaded and validated. */
export function readServerSettings(flags: ServeFlags, ctx: CliContext): ServerSettings {
  const config = readSettings(flags, ctx);
  const sandbox = Boolean(flags.sandbox);
  return {
    ...DEFAULT_SETTINGS,
    environment: sandbox ? 'sandbox' : 'production',
    sandbox,
    softwareVersion: readPackageJson().version,
    baseUrl: readAddress('--base-url', flags.baseUrl),
    reportsUrl: readAddress('--reports-url', flags.reportsUrl),
    resultsUrl: readAddress('--results-url', flags.resultsUrl),
    keepDays: flags.keepDays,
    keepPhotos: Boolean(flags.keepPhotos),
    keepViewsDays: flags.keepViews,
    workers: flags.work ? flags.workers : 0,
    workGraceMs: flags.grace === undefined ? DEFAULT_SETTINGS.workGraceMs : flags.grace * 1000,
    sendsWebhooks: flags.webhooks,
    queueLimit: flags.queue,
    inlineImages: flags.inlineImages,
    inlineMs: flags.inlineSeconds * 1000,
    allowHttpImages: Boolean(flags.allowHttpImages),
    allowPrivate: Boolean(flags.allowPrivateImages),
    demoPhotos: sandbox ? DEMO_PHOTOS : undefined,
    region: config.region.value,
    currency: readExplicit(config.currency),
    minConfidence: config.min_confidence.value,
    ownLimits: readLimitOverrides(config),
    trustProxy: parseProxies(flags.trustProxy),
    opensMetrics: sandbox && flags.metricsPort === undefined,
    corsOrigins: flags.corsOrigin ?? [],
    tls: readTls(flags, ctx),
  };
}

const readAddress = (flag: string, given: string | undefined) =>
  given === undefined ? undefined : readHttpAddress(flag, given);

/**
 * Reads certificate and key from their files; undefined without them.
 * @throws VehiError usage FILE_UNREADABLE or TLS_UNUSABLE, naming flag and file
 */
export function readTls({ tlsCert, tlsKey }: ServeFlags, ctx: CliContext): ServerSettings['tls'] {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const read = (flag: string, file: string): Buffer => {
    try {
      return readFileSync(resolve(ctx.cwd, file));
    } catch (cause) {
      const message = `${flag}: cannot read ${file} (${toReason(cause)})`;
      throw new VehiError('usage', 'FILE_UNREADABLE', message, { cause });
    }
  };
  const tls = { cert: read('--tls-cert', tlsCert), key: read('--tls-key', tlsKey) };
  try {
    createSecureContext(tls);
  } catch (cause) {
    const message = `${tlsCert} and ${tlsKey} cannot be used for TLS (${(cause as Error).message}).`;
    const hint =
      'Both are PEM files: the certificate with its chain, and its own private key without a passphrase.';
    throw new VehiError('usage', 'TLS_UNUSABLE', message, { hint, cause });
  }
  return tls;
}

/**
 * Returns trusted proxy addresses: IP addresses, networks, or the names of private ranges that Fastify knows.
 * @throws VehiError usage
 */
function parseProxies(given: string | undefined): string | false {
  if (given === undefined) return false;
  const names = ['loopback', 'linklocal', 'uniquelocal'];
  for (const address of given.split(',').map((one) => one.trim())) {
    const [, ip = address, bits = '1'] = /^(.*)\/(\d{1,3})$/.exec(address) ?? [];
    const maxBits = { 0: 0, 4: 32, 6: 128 }[isIP(ip)] ?? 0;
    if (names.includes(address) || (Number(bits) >= 1 && Number(bits) <= maxBits)) continue;
    const message = `--trust-proxy: "${address}" is not an address of a proxy.`;
    throw makeUsageError(message, 'For example --trust-proxy 10.0.0.5 or --trust-proxy 10.0.0.0/8,loopback');
  }
  return given;
}
