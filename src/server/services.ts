import type { FastifyBaseLogger } from 'fastify';
import type { Attempt, ServiceProcess, Store, UnfinishedWork } from '../storage/ports.ts';
import type { Claims } from './claims.ts';
import type { ServerClock } from './clock.ts';
import type { Connections } from './http/connections.ts';
import type { AnonymousLimiter, ConcurrencyGate } from './http/limits.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import type { UploadBudget } from './http/upload-budget.ts';
import type { Stopwatch } from './jobs/stopwatch.ts';
import type { Links } from './links.ts';
import type { BackendFacts, Metrics } from './metrics.ts';
import type { PhotoFetcher } from './net/fetch-photo.ts';
import type { PhotoTurns } from './photos/turns.ts';
import type { Programs } from './ports.ts';
import type { PartMaps } from './reviews/part-maps.ts';
import type { ServerSettings } from './server-settings.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';
import type { RunWork, WorkQueue } from './work/port.ts';
import type { ProcessorMeter } from './work/processor-time.ts';
import type { Quarantine } from './work/quarantine.ts';

/** What a review works with: in a service, and where a command opens one result. */
export interface ReviewServices {
  readonly settings: Pick<ServerSettings, 'environment'>;
  readonly store: {
    readonly inspections: Pick<Store['inspections'], 'get'>;
    readonly reviews: Pick<Store['reviews'], 'get' | 'save' | 'finish'>;
    readonly blobs: Pick<Store['blobs'], 'list'>;
  };
  readonly clock: Pick<ServerClock, 'now'>;
  readonly programs: { readonly engine: Pick<Programs['engine'], 'review' | 'placeBox'> };
  readonly partMaps: Pick<PartMaps, 'of'>;
  readonly links: Pick<Links, 'file'>;
}

/** What routes and jobs work with; made once per app. */
export interface Services {
  readonly settings: ServerSettings;
  readonly store: Store;
  readonly clock: ServerClock;
  readonly programs: Programs;
  /** This run of this process. */
  readonly self: ServiceProcess;
  readonly rates: RateLimiter;
  readonly anonymousCallers: AnonymousLimiter;
  readonly gate: ConcurrencyGate;
  /** Of idempotency keys. */
  readonly claims: Claims;
  readonly work: WorkQueue;
  readonly links: Links;
  readonly fetcher: PhotoFetcher;
  readonly dispatcher: Dispatcher;
  readonly uploadBudget: UploadBudget;
  readonly photoTurns: PhotoTurns;
  readonly partMaps: PartMaps;
  readonly stopwatch: Stopwatch;
  /** Attempts of this process that could not be given back when their outcome could not be stored. */
  readonly heldAttempts: Map<string, Attempt>;
  /** How often there was no process for the photos of quarantined work, by its id. */
  readonly failedStarts: Map<string, number>;
  /** Opens photos in a process of their own; undefined where there is none. */
  readonly quarantine: Quarantine | undefined;
  /** Processor time of work in this process, and apart in a child of it. */
  readonly meters: { readonly here: ProcessorMeter; readonly apart: ProcessorMeter };
  /** Undefined in a process that serves no requests. */
  readonly connections: Connections | undefined;
  /** Whether the backend that counts over all processes is unreachable. */
  readonly degraded: () => boolean;
  /** Reads the state of that backend; undefined where this process counts alone. */
  readonly readBackends: () => Promise<BackendFacts | undefined>;
  readonly metrics: Metrics;
  /** What tokens against cross-site requests are made with. */
  readonly csrfSecret: string;
  readonly log: FastifyBaseLogger;
}

/** What a queue is made of. */
export interface QueueParts {
  /** Pieces of work that may wait or run. */
  readonly limit: number;
  /** Pieces of work that run at once in this process; 0: none. */
  readonly workers: number;
  /** Time after which work whose outcome could not be stored is done again. */
  readonly retryMs: number;
  /** Time that running work has left when the process stops. */
  readonly graceMs: number;
  readonly run: RunWork;
  /** All work to do, oldest first; asked by a queue that is alone on its store. */
  readonly unfinished: () => Promise<readonly Pick<UnfinishedWork, 'id' | 'accountId' | 'attempts'>[]>;
  /** Known once the queue is made. */
  readonly services: () => Pick<Services, 'store' | 'settings' | 'self' | 'log' | 'clock' | 'metrics'>;
}

/** What hands out work and counts over all processes of a service. */
export interface SharedBackends {
  readonly rates: RateLimiter;
  readonly anonymousCallers: AnonymousLimiter;
  readonly gate: ConcurrencyGate;
  createQueue(parts: QueueParts): WorkQueue;
  /** Returns whether Redis is unreachable: each process then counts alone and starts no work. */
  degraded(): boolean;
  facts(): Promise<BackendFacts>;
  close(): Promise<void>;
}
