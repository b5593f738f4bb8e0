import { OPTIONS } from '../config/options.ts';
import type { OwnLimits } from '../config/settings.ts';
import type { Environment } from '../domain/choices.ts';
import { MINUTE_MS } from '../lib/durations.ts';

const HOUR = 3600;

/** Retries for about three days, as Standard Webhooks proposes: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
export const WEBHOOK_RETRY_SECONDS: readonly number[] = [
  5,
  300,
  1800,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Everything about the service that its operator may choose, as it is for production on this machine. */
export const DEFAULT_SETTINGS = {
  environment: 'production' as Environment,
  /** Accepts `X-Vehi-Simulate` and serves the demo photos; only with the sandbox environment. */
  sandbox: false,
  /** Serves the page for people at `/app`. */
  app: OPTIONS.app.fallback as boolean,
  softwareVersion: '0.0.0',
  /** Address under which clients reach the service; default: where it listens. */
  baseUrl: undefined as string | undefined,
  /** Addresses of report and annotated-image files; default: `baseUrl`. */
  reportsUrl: undefined as string | undefined,
  resultsUrl: undefined as string | undefined,
  linkLifetimeSeconds: 7 * 24 * HOUR,
  /** Keep the photos after the analysis. */
  keepPhotos: false,
  /** Days that small pictures of the photos are kept for the review; 0 = not at all. */
  keepViewsDays: OPTIONS.keepViews.fallback as number,
  /** Inspections older than this are removed; undefined = kept. */
  keepDays: undefined as number | undefined,
  /** Analyses that may run or wait at once. */
  queueLimit: OPTIONS.queue.fallback as number,
  /** Analyses that run at once; without a shared queue one more where one account has all of them. */
  workers: OPTIONS.workers.fallback as number,
  /** More photos than this are answered with `processing`. */
  inlineImages: OPTIONS.inlineImages.fallback as number,
  /** An analysis that takes longer is answered with `processing`. */
  inlineMs: OPTIONS.inlineSeconds.fallback * 1000,
  jobTimeoutMs: 15 * MINUTE_MS,
  /** Photos fetched at once per request. */
  fetchConcurrency: 6,
  fetchTimeoutMs: 10_000,
  allowHttpImages: false,
  /** Addresses on loopback and private networks may be fetched and sent to: for tests only. */
  allowPrivate: false,
  /** `file:` URLs below this directory are read. */
  allowFiles: undefined as string | undefined,
  demoPhotos: undefined as string | undefined,
  region: OPTIONS.region.setting.fallback as string,
  /** Where a request names none; undefined: that of a region of the operator's own, else USD. */
  currency: undefined as string | undefined,
  minConfidence: null as number | null,
  /** Confidences from which on finds are certain, or to check, instead of the models' own. */
  ownLimits: undefined as OwnLimits | undefined,
  /** Addresses of proxies whose X-Forwarded-For is believed; true = everybody's, for tests. */
  trustProxy: false as boolean | string,
  corsOrigins: [] as readonly string[],
  bodyLimitBytes: 1024 * 1024,
  // A photo of 10 MB over a line of 0.5 Mbit/s takes 170 seconds.
  requestTimeoutMs: 300_000,
  headersTimeoutMs: 15_000,
  keepAliveTimeoutMs: 10_000,
  maxConnections: 20_000,
  /** Failed authentications and unknown addresses allowed per client address and minute. */
  anonymousPerMinute: 600,
  /** Sends events, also those of other processes; one that does not leaves its own to them. */
  sendsWebhooks: OPTIONS.webhooks.fallback as boolean,
  webhookTimeoutMs: 15_000,
  /** Delay before each attempt after the first, seconds; the last failure ends the message. */
  webhookRetrySeconds: WEBHOOK_RETRY_SECONDS as readonly number[],
  /** Uploads under way, over the process; an account may use a quarter. */
  uploadBudgetBytes: 1024 * 1024 * 1024,
  /** Time after which an upload that is too slow ends. */
  uploadGraceMs: 15_000,
  /** Photos in memory while they are fetched, checked and stored, over the process; an account may use half. */
  photoBudgetBytes: 256 * 1024 * 1024,
  /** Longest wait of a photo for its turn within that. */
  photoWaitMs: 30_000,
  /** Time after which an analysis whose outcome could not be stored is done again. */
  jobRetryMs: 15_000,
  /** Time that running analyses have left when a process stops that shares its work with others. */
  workGraceMs: OPTIONS.grace.fallback * 1000,
  /** Time that connections have left once a stopping service has finished its work. */
  closeGraceMs: 2_000,
  /** First look at what is past its time after the start. */
  housekeepingDelayMs: 5_000,
  /** Who may read `/metrics` on the address of the API: all, whoever knows the token, or nobody. */
  metrics: 'off' as 'open' | 'off' | { readonly token: string },
  tls: undefined as { readonly cert: Buffer; readonly key: Buffer } | undefined,
};
export type ServerSettings = Readonly<typeof DEFAULT_SETTINGS>;
