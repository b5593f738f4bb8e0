import type { OwnLimits } from '../config/settings.ts';
import type { Environment } from '../domain/choices.ts';

/** Everything about the service that its operator may choose. */
export interface ServerSettings {
  readonly environment: Environment;
  /** Accepts `X-Vehi-Simulate` and serves the demo photos; only with the sandbox environment. */
  readonly sandbox: boolean;
  /** Serves the page for people at `/app`. */
  readonly app: boolean;
  readonly softwareVersion: string;
  /** Address under which clients reach the service; default: where it listens. */
  readonly baseUrl: string | undefined;
  /** Addresses of report and annotated-image files; default: `baseUrl`. */
  readonly reportsUrl: string | undefined;
  readonly resultsUrl: string | undefined;
  readonly linkLifetimeSeconds: number;
  /** Keep the photos after the analysis. */
  readonly keepPhotos: boolean;
  /** Small pictures of the photos are kept so long for the review; 0 = not at all. */
  readonly keepViewsDays: number;
  /** Inspections older than this are removed; undefined = kept. */
  readonly keepDays: number | undefined;
  /** Analyses that may run or wait at once. */
  readonly queueLimit: number;
  /** Analyses that run at once; without a shared queue one more where one account has all of them. */
  readonly workers: number;
  /** More photos than this are answered with `processing`. */
  readonly inlineImages: number;
  /** An analysis that takes longer is answered with `processing`. */
  readonly inlineMs: number;
  readonly jobTimeoutMs: number;
  /** Photos fetched at once per request. */
  readonly fetchConcurrency: number;
  readonly fetchTimeoutMs: number;
  readonly allowHttpImages: boolean;
  /** Addresses on loopback and private networks may be fetched and sent to: for tests only. */
  readonly allowPrivate: boolean;
  /** `file:` URLs below this directory are read. */
  readonly allowFiles: string | undefined;
  readonly demoPhotos: string | undefined;
  readonly region: string;
  /** Where a request names none; undefined: that of a region of the operator's own, else USD. */
  readonly currency: string | undefined;
  readonly minConfidence: number | null;
  /** Confidences from which on finds are certain, or to check, instead of the models' own. */
  readonly ownLimits: OwnLimits | undefined;
  /** Addresses of proxies whose X-Forwarded-For is believed; true = everybody's, for tests. */
  readonly trustProxy: boolean | string;
  readonly corsOrigins: readonly string[];
  readonly bodyLimitBytes: number;
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxConnections: number;
  /** Failed authentications and unknown addresses allowed per client address and minute. */
  readonly anonymousPerMinute: number;
  /** Sends events, also those of other processes; one that does not leaves its own to them. */
  readonly sendsWebhooks: boolean;
  readonly webhookTimeoutMs: number;
  /** Delay before each attempt after the first, seconds; the last failure ends the message. */
  readonly webhookRetrySeconds: readonly number[];
  /** Uploads under way, over the process; an account may use a quarter. */
  readonly uploadBudgetBytes: number;
  /** Time after which an upload that is too slow ends. */
  readonly uploadGraceMs: number;
  /** Photos in memory while they are fetched, checked and stored, over the process; an account may use half. */
  readonly photoBudgetBytes: number;
  /** Longest wait of a photo for its turn within that. */
  readonly photoWaitMs: number;
  /** Time after which an analysis whose outcome could not be stored is done again. */
  readonly jobRetryMs: number;
  /** Time that running analyses have left when a process stops that shares its work with others. */
  readonly workGraceMs: number;
  /** Time that connections have left once a stopping service has finished its work. */
  readonly closeGraceMs: number;
  /** First look at what is past its time after the start. */
  readonly housekeepingDelayMs: number;
  /** Who may read `/metrics` on the address of the API: all, whoever knows the token, or nobody. */
  readonly metrics: 'open' | 'off' | { readonly token: string };
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
}

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

/** The settings of a production service on this machine. */
export const DEFAULT_SETTINGS: ServerSettings = {
  environment: 'production',
  sandbox: false,
  app: true,
  softwareVersion: '0.0.0',
  baseUrl: undefined,
  reportsUrl: undefined,
  resultsUrl: undefined,
  linkLifetimeSeconds: 7 * 24 * HOUR,
  keepPhotos: false,
  keepViewsDays: 7,
  keepDays: undefined,
  queueLimit: 250,
  workers: 1,
  inlineImages: 12,
  inlineMs: 30_000,
  jobTimeoutMs: 15 * 60_000,
  fetchConcurrency: 6,
  fetchTimeoutMs: 10_000,
  allowHttpImages: false,
  allowPrivate: false,
  allowFiles: undefined,
  demoPhotos: undefined,
  region: 'US_MIDWEST',
  currency: undefined,
  minConfidence: null,
  ownLimits: undefined,
  trustProxy: false,
  corsOrigins: [],
  bodyLimitBytes: 1024 * 1024,
  // A photo of 10 MB over a line of 0.5 Mbit/s takes 170 seconds.
  requestTimeoutMs: 300_000,
  headersTimeoutMs: 15_000,
  keepAliveTimeoutMs: 10_000,
  maxConnections: 20_000,
  anonymousPerMinute: 600,
  sendsWebhooks: true,
  webhookTimeoutMs: 15_000,
  webhookRetrySeconds: WEBHOOK_RETRY_SECONDS,
  uploadBudgetBytes: 1024 * 1024 * 1024,
  uploadGraceMs: 15_000,
  photoBudgetBytes: 256 * 1024 * 1024,
  photoWaitMs: 30_000,
  jobRetryMs: 15_000,
  workGraceMs: 120_000,
  closeGraceMs: 2_000,
  housekeepingDelayMs: 5_000,
  metrics: 'off',
  tls: undefined,
};
