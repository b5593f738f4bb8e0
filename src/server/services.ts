import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import type { ServiceProcess, Store } from '../storage/ports.ts';
import type { Backend } from './backend.ts';
import type { ServerClock } from './clock.ts';
import { createAnonymousLimiter } from './http/anonymous-limiter.ts';
import { createMemorySlots } from './http/memory-slots.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { createUploadBudget } from './http/upload-budget.ts';
import { createInlineBacklog } from './inline-backlog.ts';
import { createLinks, type Links } from './links.ts';
import { createMetrics } from './metrics.ts';
import { createPhotoFetcher } from './net/fetch-photo.ts';
import { createGuardedAgent, type Lookup } from './net/guarded-agent.ts';
import { nameView } from './photo-files.ts';
import { createPhotoSlots } from './photos/photo-slots.ts';
import { createPartMaps, type PartMaps } from './reviews/part-maps.ts';
import type { ServerSettings } from './server-settings.ts';
import { createDispatcher } from './webhooks/dispatcher.ts';
import { createSender } from './webhooks/sender.ts';
import { createLocalQueue } from './work/local-queue.ts';
import { createQuarantine } from './work/quarantine.ts';
import type { QueueParts, WorkQueue } from './work/queue.ts';

/** Dependencies of an app; the caller closes `store` and the engine after the app. */
export interface AppParts {
  readonly backend: Backend;
  readonly store: Store;
  readonly clock: ServerClock;
  readonly settings: ServerSettings;
  /** Default: no log. */
  readonly logger?: FastifyBaseLogger;
  /** Creates the queue of a shared store; by default this process works alone. */
  readonly createQueue?: (parts: QueueParts) => WorkQueue;
  /** Starts a child that runs `serveParent`; if absent, all photos are opened in this process. */
  readonly startChild?: () => ChildProcess;
  /** Replacement for name resolution in tests. */
  readonly lookup?: Lookup;
}

/** Dependencies of a review, in the service or in a command that reviews one result. */
export interface ReviewServices {
  readonly settings: Pick<ServerSettings, 'environment'>;
  readonly store: {
    readonly inspections: Pick<Store['inspections'], 'get'>;
    readonly reviews: Pick<Store['reviews'], 'get' | 'save' | 'finish'>;
    readonly blobs: Pick<Store['blobs'], 'list'>;
  };
  readonly clock: Pick<ServerClock, 'now'>;
  readonly backend: { readonly engine: Pick<Backend['engine'], 'review' | 'placeBox'> };
  readonly partMaps: Pick<PartMaps, 'get'>;
  readonly links: Pick<Links, 'makeFileUrl'>;
}

/** Creates the services for routes and jobs. */
export async function createServices(
  { settings, store, clock, backend, createQueue = createLocalQueue, startChild, lookup }: AppParts,
  { kind, log }: { readonly kind: ServiceProcess['kind']; readonly log: FastifyBaseLogger },
) {
  const metrics = createMetrics();
  const links = createLinks({ secret: await store.ensureSecret('file-links'), now: clock.now, settings });
  const agent = createGuardedAgent({
    allowPrivate: settings.allowPrivate,
    connectTimeoutMs: settings.fetchTimeoutMs,
    lookup,
  });
  const self: ServiceProcess = {
    id: randomUUID(),
    kind,
    version: settings.softwareVersion,
    host: hostname(),
  };
  const send = createSender({ store, clock, agent, links, settings, metrics, log });
  return {
    settings,
    store,
    clock,
    backend,
    metrics,
    links,
    log,
    /** Identity of this process. */
    self,
    rates: createRateLimiter(store.requestCounts, settings.environment),
    anonymousLimiter: createAnonymousLimiter(settings.anonymousPerMinute),
    /** Claims of idempotency keys that are no longer needed but could not be released. */
    unreleased: new Set<string>(),
    slots: store.slots ?? createMemorySlots(),
    uploadBudget: createUploadBudget(settings),
    photoSlots: createPhotoSlots(settings),
    backlog: createInlineBacklog(),
    partMaps: createPartMaps(backend.engine, (id, { index }) => store.blobs.get(id, nameView(index))),
    /** Opens photos in a child process; undefined if there is none. */
    quarantine: startChild && createQuarantine(startChild),
    queue: createQueue({ settings, store, clock, log }),
    fetcher: createPhotoFetcher({
      agent,
      allowHttp: settings.allowHttpImages || settings.allowPrivate,
      getOwnOrigin: () => (settings.sandbox ? new URL(links.makeOperationUrl('')).origin : undefined),
      timeoutMs: settings.fetchTimeoutMs,
      userAgent: `vehi/${settings.softwareVersion}`,
    }),
    dispatcher: createDispatcher({ store, clock, self, settings, send, log }),
  };
}

/** Services shared by routes and jobs; created once per app. */
export type Services = Awaited<ReturnType<typeof createServices>>;
