import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { loadSettings, text } from '../../config/settings.ts';
import { modelVersionOf } from '../../domain/detection.ts';
import { VehiError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money.ts';
import { tablesWith } from '../../engine/pricer.ts';
import { createApp } from '../../server/app.ts';
import { createClock, type ServerClock } from '../../server/clock.ts';
import { gatherLines } from '../../server/log-lines.ts';
import { createPrograms } from '../../server/programs.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from '../../server/settings.ts';
import { mintKey } from '../../storage/keys.ts';
import { PERMISSIONS, type Store } from '../../storage/ports.ts';
import { openServiceStore, type ServiceStore } from '../../storage/sqlite/service-store.ts';
import { openMemoryStore } from '../../storage/sqlite/store.ts';
import { inspectingModels, type Model, type Precision } from '../../vision/manifest.ts';
import { loadManifest, packagedModelDir } from '../../vision/model-files.ts';
import type { CliContext } from '../context.ts';
import { dataDirectory } from '../data-directory.ts';
import { write } from '../output.ts';
import { packageVersion } from '../version.ts';
import type { ServeFlags } from './serve.ts';

/** Log lines wait at most this long; the process that is killed loses those of this time. */
const LOG_FLUSH_MS = 250;
const DEMO_PHOTOS = fileURLToPath(new URL('../../../fixtures/vehicle/', import.meta.url));

/** Runs `vehi serve` until it is told to stop; then finishes what runs. */
export async function runServe(flags: ServeFlags, ctx: CliContext): Promise<void> {
  checkFlags(flags);
  const clock = createClock({
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.now === undefined ? {} : { now: timeOf(flags.now) }),
  });
  const settings = await serverSettings(flags, ctx);
  const programs = await programsOf(flags, settings, clock, ctx);
  const { store, narrowed, unlock } = openStore(flags, ctx);
  try {
    // A production service that cannot analyse must not start; the sandbox loads the models for its first inspection.
    if (!settings.sandbox) await programs.warmUp();
    const level = flags.logLevel ?? (settings.sandbox ? 'warn' : 'info');
    const lines = gatherLines(
      // pino's types know no destination of bytes; sonic-boom behind it does.
      pino.destination({ dest: 2, sync: false, contentMode: 'buffer' }) as never,
      LOG_FLUSH_MS,
    );
    const logger = pino({ level, redact: { paths: SECRETS, censor: '[redacted]' } }, lines);
    if (narrowed.length > 0)
      logger.warn({ files: narrowed }, 'others could read the database; only its owner can from now on');
    const app = await createApp({ programs, store, clock, settings, logger });
    const stop = nextStop(ctx);
    try {
      const address = await listen(app, flags, settings);
      const key = settings.sandbox ? await sandboxKey(store, clock) : undefined;
      const demo = settings.sandbox ? await demoPhotos(address) : undefined;
      await write(
        ctx.stdout,
        `${JSON.stringify({ address, ...(key === undefined ? {} : { api_key: key }), ...demo })}\n`,
      );
      await warnOfOpenHost(flags, settings, ctx);
      await stop;
      await write(ctx.stderr, 'vehi: finishing what runs; once more to stop now\n');
    } finally {
      await app.close();
      lines.end();
    }
  } finally {
    await programs.close();
    await store.close();
    unlock();
  }
}

/** The store to serve from; its directory is this process's alone until `unlock`. */
function openStore(flags: ServeFlags, ctx: CliContext): ServiceStore {
  if (flags.ephemeral) return { store: openMemoryStore(), narrowed: [], unlock: () => {} };
  return openServiceStore(dataDirectory(flags.data, ctx));
}

const SECRETS = [
  'req.headers.authorization',
  'headers.authorization',
  'authorization',
  'api_key',
  '*.api_key',
  'secret',
  '*.secret',
  'url',
  '*.url',
];

function checkFlags(flags: ServeFlags): void {
  const wrong = (message: string, hint: string) =>
    new VehiError('usage', 'INVALID_OPTION', message, { hint });
  if (!flags.sandbox && (flags.seed !== undefined || flags.now !== undefined)) {
    throw wrong('--seed and --now make ids that can be guessed; they are for the sandbox.', 'Add --sandbox.');
  }
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined)) {
    throw wrong('--tls-cert and --tls-key belong together.', 'Give both, or put a proxy with TLS in front.');
  }
  if (flags.ephemeral && flags.data !== undefined)
    throw wrong('--ephemeral keeps nothing, --data does.', 'Choose one of them.');
}

function timeOf(given: string): Date {
  const time = new Date(given);
  if (!Number.isNaN(time.getTime())) return time;
  throw new VehiError('usage', 'INVALID_OPTION', `--now is "${given}"; an ISO 8601 time is needed.`, {
    hint: 'For example --now 2026-01-31T12:00:00Z',
  });
}

function origin(flag: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '');
  }
  throw new VehiError(
    'usage',
    'INVALID_OPTION',
    `${flag} is "${value}"; an http or https address is needed.`,
    {
      hint: `For example ${flag} https://vehi.example.com`,
    },
  );
}

function pem(flag: string, file: string, ctx: CliContext): Buffer {
  try {
    return readFileSync(resolve(ctx.cwd, file));
  } catch (cause) {
    throw new VehiError(
      'usage',
      'FILE_UNREADABLE',
      `${flag}: cannot read ${file} (${(cause as Error).message})`,
      { cause },
    );
  }
}

/** Certificate and key of the two files, or undefined without them; what OpenSSL does not take is told before anything starts. */
function tlsOf({ tlsCert, tlsKey }: ServeFlags, ctx: CliContext): ServerSettings['tls'] {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const tls = { cert: pem('--tls-cert', tlsCert, ctx), key: pem('--tls-key', tlsKey, ctx) };
  try {
    createSecureContext(tls);
  } catch (cause) {
    throw new VehiError(
      'usage',
      'TLS_UNUSABLE',
      `${tlsCert} and ${tlsKey} cannot be used for TLS (${(cause as Error).message})`,
      {
        hint: 'Both are PEM files: the certificate with its chain, and its own private key without a passphrase.',
        cause,
      },
    );
  }
  return tls;
}

async function serverSettings(flags: ServeFlags, ctx: CliContext): Promise<ServerSettings> {
  const config = loadSettings(
    { region: flags.region, currency: flags.currency, min_confidence: flags.minConfidence },
    ctx.env,
    ctx.cwd,
  );
  const sandbox = Boolean(flags.sandbox);
  return {
    ...DEFAULT_SETTINGS,
    environment: sandbox ? 'sandbox' : 'production',
    sandbox,
    softwareVersion: packageVersion(),
    baseUrl: origin('--base-url', flags.baseUrl),
    reportsUrl: origin('--reports-url', flags.reportsUrl),
    resultsUrl: origin('--results-url', flags.resultsUrl),
    keepDays: flags.keepDays,
    keepPhotos: Boolean(flags.keepPhotos),
    workers: flags.workers,
    queueLimit: flags.queue,
    inlineImages: flags.inlineImages,
    inlineMs: flags.inlineSeconds * 1000,
    allowHttpImages: Boolean(flags.allowHttpImages),
    allowPrivate: Boolean(flags.allowPrivateImages),
    allowFiles: flags.allowFiles === undefined ? undefined : resolve(ctx.cwd, flags.allowFiles),
    demoPhotos: sandbox ? DEMO_PHOTOS : undefined,
    region: text(config.region) ?? DEFAULT_SETTINGS.region,
    currency: text(config.currency) ?? DEFAULT_SETTINGS.currency,
    minConfidence: Number(config.min_confidence.value),
    trustProxy: flags.trustProxy ?? false,
    corsOrigins: flags.corsOrigin ?? [],
    tls: tlsOf(flags, ctx),
  };
}

async function programsOf(flags: ServeFlags, settings: ServerSettings, clock: ServerClock, ctx: CliContext) {
  const config = loadSettings(
    { models: flags.models, threads: flags.threads, regions: flags.regions },
    ctx.env,
    ctx.cwd,
  );
  const regionsFile = text(config.regions) ?? undefined;
  const modelDir = text(config.models) ?? packagedModelDir();
  const tables = await tablesWith(regionsFile);
  if (!isCurrency(settings.currency)) {
    throw new VehiError(
      'usage',
      'INVALID_CURRENCY',
      `--currency is "${settings.currency}"; USD, EUR, GBP, JPY or CNY is needed.`,
    );
  }
  if (!tables.regions.rows.some((row) => row.code === settings.region)) {
    throw new VehiError(
      'usage',
      'INVALID_REGION',
      `--region is "${settings.region}", which is in no table.`,
      {
        hint: 'vehi regions list shows the codes.',
      },
    );
  }
  const manifest = await loadManifest(modelDir);
  return createPrograms({
    tables,
    defaults: settings,
    softwareVersion: settings.softwareVersion,
    modelVersion: modelVersionOf(inspectingModels<Model>(manifest)),
    async createEngine() {
      const { createEngine } = await import('../../index.ts');
      return createEngine({
        now: clock.now,
        modelDir,
        ...(config.threads.value === null ? {} : { threads: Number(config.threads.value) }),
        ...(config.precision.value === null ? {} : { precision: config.precision.value as Precision }),
        ...(regionsFile === undefined ? {} : { regionsFile }),
      });
    },
  });
}

async function listen(
  app: Awaited<ReturnType<typeof createApp>>,
  { host, port }: ServeFlags,
  settings: ServerSettings,
): Promise<string> {
  try {
    const address = await app.listen({ host, port });
    return settings.baseUrl ?? address;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (cause instanceof VehiError || code === undefined) throw cause;
    const why =
      code === 'EADDRINUSE'
        ? 'is in use'
        : code === 'EACCES'
          ? 'needs more rights'
          : `cannot be used (${message})`;
    throw new VehiError('usage', 'CANNOT_LISTEN', `${host}:${port} ${why}`, {
      hint: 'Choose another --port or --host.',
      cause,
    });
  }
}

/** A key of a sandbox account of its own, made at every start of an empty store. */
async function sandboxKey(store: Store, clock: ServerClock): Promise<string | undefined> {
  if ((await store.keys.list()).some((key) => key.environment === 'sandbox' && key.revokedAt === null))
    return undefined;
  const createdAt = clock.now().toISOString();
  const accountId = clock.newId('acc');
  await store.accounts.create({
    id: accountId,
    name: 'Sandbox',
    plan: 'professional',
    status: 'active',
    requestsPerHour: null,
    concurrentRequests: null,
    createdAt,
  });
  const { text: key, record } = mintKey({
    id: clock.newId('key'),
    accountId,
    environment: 'sandbox',
    name: 'made by vehi serve --sandbox',
    permissions: PERMISSIONS,
    createdAt,
    expiresAt: null,
  });
  await store.keys.create(record);
  return key;
}

async function demoPhotos(address: string): Promise<{ demo_photos: string[] }> {
  const names = await readdir(DEMO_PHOTOS).catch(() => []);
  const photos = names.filter((name) => /^[a-z_0-9-]+\.jpg$/i.test(name)).sort();
  return { demo_photos: photos.map((name) => `${address}/demo/photos/${name}`) };
}

async function warnOfOpenHost(
  { host, trustProxy }: ServeFlags,
  { tls }: ServerSettings,
  ctx: CliContext,
): Promise<void> {
  if (tls || trustProxy || /^(127\.|localhost$|::1$)/.test(host)) return;
  await write(
    ctx.stderr,
    `vehi: listening on ${host} without TLS: keys and photos can be read on the way. Use --tls-cert and --tls-key, or a proxy with TLS and --trust-proxy.\n`,
  );
}

function nextStop(ctx: CliContext): Promise<void> {
  return new Promise((done) => {
    ctx.onStop(() => done());
  });
}
