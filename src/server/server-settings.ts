import { OPTIONS } from '../config/options.ts';
import type { LimitOverrides } from '../config/settings.ts';
import type { Environment } from '../domain/account.ts';

/** All operator settings of the service; the defaults suit production on one machine. */
export const DEFAULT_SETTINGS = {
  environment: 'production' as Environment,
  /** Accepts `X-Vehi-Simulate` and serves the demo photos; only with the sandbox environment. */
  sandbox: false,
  softwareVersion: '0.0.0',
  /** URL at which clients reach the service; default: its listening address. */
  baseUrl: undefined as string | undefined,
  /** Base URLs of report and annotated-image files; default: `baseUrl`. */
  reportsUrl: undefined as string | undefined,
  resultsUrl: undefined as string | undefined,
  linkLifetimeSeconds: 7 * 86_400,
  /** Keeps the photos after the analysis. */
  keepPhotos: false,
  /** Days for which review views of the photos are kept; 0 disables them. */
  keepViewsDays: OPTIONS.keepViews.fallback as number,
  /** Age in days at which inspections are removed; undefined keeps them. */
  keepDays: undefined as number | undefined,
  /** Maximum analyses running or waiting. */
  queueLimit: OPTIONS.queue.fallback as number,
  /** Concurrent analyses of the process; one more if a single account occupies all of them. */
  workers: OPTIONS.workers.fallback as number,
  /** Maximum photos of a synchronous request; more get `processing`. */
  inlineImages: OPTIONS.inlineImages.fallback as number,
  /** Maximum wait of a synchronous request in milliseconds; then it gets `processing`. */
  inlineMs: OPTIONS.inlineSeconds.fallback * 1000,
  fetchTimeoutMs: 10_000,
  allowHttpImages: false,
  /** Allows fetching from and sending to loopback and private networks: for tests only. */
  allowPrivate: false,
  demoPhotos: undefined as string | undefined,
  region: OPTIONS.region.setting.fallback as string,
  /** Default currency of requests; undefined: that of the operator's own region, else USD. */
  currency: undefined as string | undefined,
  minConfidence: null as number | null,
  /** Minimum confidences of certain findings and findings to check, instead of the models' own. */
  ownLimits: undefined as LimitOverrides | undefined,
  /** Addresses of proxies whose X-Forwarded-For is trusted; true trusts all, for tests. */
  trustProxy: false as boolean | string,
  corsOrigins: [] as readonly string[],
  // A photo of 10 MB takes 170 seconds at 0.5 Mbit/s.
  requestTimeoutMs: 300_000,
  headersTimeoutMs: 15_000,
  keepAliveTimeoutMs: 10_000,
  /** Requests to public URLs or without a valid key, per client address, minute and `Allowance`; of files ten times. */
  anonymousPerMinute: 600,
  /** Sends events, including those of other processes; if false, other processes send this one's. */
  sendsWebhooks: OPTIONS.webhooks.fallback as boolean,
  webhookTimeoutMs: 15_000,
  /** Time after which another process sends the events, if the one that does has died. */
  webhookLeaseMs: 10_000,
  /** Delays before each attempt after the first, from Standard Webhooks; the message fails when they are exhausted. */
  webhookRetrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as readonly number[],
  /** Byte budget of uploads in progress per process; an account may use a quarter. */
  uploadBudgetBytes: 1024 * 1024 * 1024,
  /** Time after which a slow upload is aborted. */
  uploadGraceMs: 15_000,
  /** Byte budget of photos being fetched, checked and stored per process; an account may use half. */
  photoBudgetBytes: 256 * 1024 * 1024,
  /** Maximum wait of a photo for that budget. */
  photoWaitMs: 30_000,
  /** Delay before an analysis whose outcome could not be stored is retried. */
  jobRetryMs: 15_000,
  /** Time for running analyses to finish when a process with a shared queue stops. */
  workGraceMs: OPTIONS.grace.fallback * 1000,
  /** Time for connections to close after a stopping service has finished its jobs. */
  closeGraceMs: 2_000,
  /** Delay of the first housekeeping after the start. */
  housekeepingDelayMs: 5_000,
  /** Serves `/metrics` on the API's address, open to all. */
  opensMetrics: false,
  tls: undefined as { readonly cert: Buffer; readonly key: Buffer } | undefined,
};
export type ServerSettings = Readonly<typeof DEFAULT_SETTINGS>;
