import type { FastifyBaseLogger } from 'fastify';
import type { Environment } from '../domain/account.ts';
import type { ServiceProcess, Store, UnfinishedJob } from '../storage/ports.ts';
import type { Claims } from './claims.ts';
import type { ServerClock } from './clock.ts';
import type { AnonymousLimiter } from './http/anonymous-limiter.ts';
import type { ConcurrencyGate } from './http/concurrency-gate.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import type { UploadBudget } from './http/upload-budget.ts';
import type { InlineBacklog } from './inline-backlog.ts';
import type { Stopwatch } from './jobs/stopwatch.ts';
import type { Links } from './links.ts';
import type { Metrics } from './metrics.ts';
import type { PhotoFetcher } from './net/fetch-photo.ts';
import type { PhotoSlots } from './photos/photo-slots.ts';
import type { Programs } from './ports.ts';
import type { PartMaps } from './reviews/part-maps.ts';
import type { ServerSettings } from './server-settings.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';
import type { RunJob, WorkQueue } from './work/port.ts';
import type { Quarantine } from './work/quarantine.ts';

/** Dependencies of a review, in the service or in a command that reviews one result. */
export interface ReviewServices {
  readonly settings: Pick<ServerSettings, 'environment'>;
  readonly store: {
    readonly inspections: Pick<Store['inspections'], 'get'>;
    readonly reviews: Pick<Store['reviews'], 'get' | 'save' | 'finish'>;
    readonly blobs: Pick<Store['blobs'], 'list'>;
  };
  readonly clock: Pick<ServerClock, 'now'>;
  readonly programs: { readonly engine: Pick<Programs['engine'], 'review' | 'placeBox'> };
  readonly partMaps: Pick<PartMaps, 'get'>;
  readonly links: Pick<Links, 'makeFileUrl'>;
}

/** Dependencies of routes and jobs; created once per app. */
export interface Services {
  readonly settings: ServerSettings;
  readonly store: Store;
  readonly clock: ServerClock;
  readonly programs: Programs;
  /** Identity of this process. */
  readonly self: ServiceProcess;
  readonly rates: RateLimiter;
  readonly anonymousLimiter: AnonymousLimiter;
  readonly gate: ConcurrencyGate;
  /** Claims of idempotency keys. */
  readonly claims: Claims;
  readonly queue: WorkQueue;
  readonly links: Links;
  readonly fetcher: PhotoFetcher;
  readonly dispatcher: Dispatcher;
  readonly uploadBudget: UploadBudget;
  readonly photoSlots: PhotoSlots;
  readonly partMaps: PartMaps;
  readonly stopwatch: Stopwatch;
  readonly backlog: InlineBacklog;
  /** Opens photos in a child process; undefined if there is none. */
  readonly quarantine: Quarantine | undefined;
  readonly metrics: Metrics;
  /** Secret that derives the CSRF tokens. */
  readonly csrfSecret: string;
  readonly log: FastifyBaseLogger;
}

/** Dependencies of a queue. */
export interface QueueParts {
  readonly environment: Environment;
  /** Maximum jobs waiting or running. */
  readonly limit: number;
  /** Concurrent jobs in this process; 0 runs none. */
  readonly workers: number;
  /** Delay before a job whose outcome could not be stored is retried. */
  readonly retryMs: number;
  /** Time for running jobs to finish when the process stops. */
  readonly graceMs: number;
  readonly run: RunJob;
  /** Returns all unfinished jobs, oldest first; called by a queue that is alone on its store. */
  readonly listUnfinished: () => Promise<readonly Pick<UnfinishedJob, 'id' | 'accountId' | 'attempts'>[]>;
  /** Available once the queue has been created. */
  readonly services: () => Pick<Services, 'store' | 'settings' | 'self' | 'log' | 'clock' | 'metrics'>;
}
