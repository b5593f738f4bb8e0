import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import type { ServiceProcess, Store } from '../storage/ports.ts';
import { createClaims } from './claims.ts';
import type { ServerClock } from './clock.ts';
import { createAnonymousLimiter } from './http/anonymous-limiter.ts';
import { createConcurrencyGate, createStoredGate } from './http/concurrency-gate.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { createUploadBudget } from './http/upload-budget.ts';
import { createInlineBacklog } from './inline-backlog.ts';
import { createStopwatch } from './jobs/stopwatch.ts';
import { runVisualJob } from './jobs/visual.ts';
import { createLinks } from './links.ts';
import { createMetrics } from './metrics.ts';
import { createPhotoFetcher } from './net/fetch-photo.ts';
import { createGuardedAgent, type Lookup } from './net/guarded-agent.ts';
import { createPhotoSlots } from './photos/photo-slots.ts';
import type { Programs } from './ports.ts';
import { createPartMaps } from './reviews/part-maps.ts';
import { nameView } from './reviews/views.ts';
import type { ServerSettings } from './server-settings.ts';
import type { QueueParts, Services } from './services.ts';
import { createDispatcher } from './webhooks/dispatcher.ts';
import { createSender } from './webhooks/sender.ts';
import { createLocalQueue } from './work/local-queue.ts';
import type { WorkQueue } from './work/port.ts';
import { createQuarantine } from './work/quarantine.ts';

/** Dependencies of an app; the caller closes `store` and the engine after the app. */
export interface AppParts {
  readonly programs: Programs;
  readonly store: Store;
  readonly clock: ServerClock;
  readonly settings: ServerSettings;
  /** Default: no log. */
  readonly logger?: FastifyBaseLogger;
  /** Creates the queue of a shared store; by default this process works alone. */
  readonly createQueue?: (parts: QueueParts) => WorkQueue;
  /** Starts a child that serves `answerParent`; if absent, all photos are opened in this process. */
  readonly startChild?: () => ChildProcess;
  /** Name resolution, for tests. */
  readonly lookup?: Lookup;
}

/** Creates the services for routes and jobs. */
export async function createServices(
  { settings, store, clock, programs, createQueue = createLocalQueue, startChild, lookup }: AppParts,
  { kind, log }: { kind: ServiceProcess['kind']; log: FastifyBaseLogger },
): Promise<Services> {
  const metrics = createMetrics();
  const links = createLinks({
    secret: await store.getSecret('file-links'),
    lifetimeSeconds: settings.linkLifetimeSeconds,
    now: clock.now,
    origin: 'http://localhost',
    baseUrl: settings.baseUrl,
    reportsUrl: settings.reportsUrl,
    resultsUrl: settings.resultsUrl,
  });
  const agent = createGuardedAgent({
    allowPrivate: settings.allowPrivate,
    connectTimeoutMs: settings.fetchTimeoutMs,
    lookup,
  });
  // The queue runs jobs that need all services, including the queue.
  const queueParts: QueueParts = {
    environment: settings.environment,
    limit: settings.queueLimit,
    workers: settings.workers,
    retryMs: settings.jobRetryMs,
    graceMs: settings.workGraceMs,
    run: (id, stopping) => runVisualJob(id, services, stopping),
    listUnfinished: () => store.inspections.listUnfinished(settings.environment),
    services: () => services,
  };
  const self: ServiceProcess = {
    id: randomUUID(),
    kind,
    version: settings.softwareVersion,
    host: hostname(),
  };
  const send = createSender({
    store,
    clock,
    agent,
    settings,
    allowHttp: settings.allowPrivate,
    metrics,
    log,
  });
  const quarantine = startChild && createQuarantine(startChild);
  const services: Services = {
    settings,
    store,
    clock,
    programs,
    self,
    metrics,
    links,
    log,
    rates: createRateLimiter(store.rates, settings.environment),
    anonymousLimiter: createAnonymousLimiter(settings.anonymousPerMinute),
    gate: store.slots
      ? createStoredGate(store.slots, settings.environment, self.id)
      : createConcurrencyGate(),
    claims: createClaims(store.idempotency),
    uploadBudget: createUploadBudget({
      limitBytes: settings.uploadBudgetBytes,
      graceMs: settings.uploadGraceMs,
    }),
    photoSlots: createPhotoSlots({ budgetBytes: settings.photoBudgetBytes, waitMs: settings.photoWaitMs }),
    stopwatch: createStopwatch(clock),
    backlog: createInlineBacklog(),
    csrfSecret: await store.getSecret('app-csrf'),
    partMaps: createPartMaps(programs.engine, (id, { index }) => store.blobs.get(id, nameView(index))),
    quarantine,
    queue: createQueue(queueParts),
    fetcher: createPhotoFetcher({
      agent,
      allowHttp: settings.allowHttpImages || settings.allowPrivate,
      allowFiles: settings.allowFiles,
      getOwnOrigin: () => (settings.sandbox ? new URL(links.makeOperationUrl('')).origin : undefined),
      timeoutMs: settings.fetchTimeoutMs,
      userAgent: `vehi/${settings.softwareVersion}`,
    }),
    dispatcher: createDispatcher({ store, clock, self, settings, send, log }),
  };
  return services;
}
