import type { FastifyBaseLogger } from 'fastify';
import type { ServiceProcess, Store, WebhookMessage } from '../../storage/ports.ts';
import type { ServerClock } from '../clock.ts';
import type { ServerSettings } from '../server-settings.ts';
import type { SendMessage } from './sender.ts';

const MAX_IN_FLIGHT = 128;
const MAX_PER_ENDPOINT = 4;
const POLL_INTERVAL_MS = 1_000;
/** Pause after the store failed. */
const RETRY_MS = 10_000;

/** Creates the dispatcher, which delivers each stored message at least once; of processes on one store, one delivers. */
export function createDispatcher(options: {
  store: Store;
  clock: ServerClock;
  self: Pick<ServiceProcess, 'id'>;
  settings: Pick<ServerSettings, 'environment' | 'sendsWebhooks' | 'webhookLeaseMs'>;
  send: SendMessage;
  log: FastifyBaseLogger;
}) {
  const { store, clock, self, settings, log } = options;
  const inFlight = new Map<string, { readonly endpointId: string; readonly done: Promise<void> }>();
  let timer: NodeJS.Timeout | undefined;
  /** The poll in progress, which resolves with the pause before the next one. */
  let polling: Promise<number> | undefined;
  let isStopped = true;

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void poll(), ms).unref();
  }

  async function deliver({ id, endpointId }: WebhookMessage): Promise<void> {
    const endpoint = await store.webhooks.getEndpoint(endpointId);
    const message = await store.webhooks.getMessage(id);
    if (message?.status !== 'pending' || message.nextAttemptAtMs > clock.wallMs()) return;
    if (endpoint?.status === 'enabled') await options.send(endpoint, message);
  }

  function start(message: WebhookMessage): void {
    const end = (pauseMs: number) => {
      inFlight.delete(message.id);
      schedule(pauseMs);
    };
    const fail = (err: unknown) => {
      log.error({ err, message: message.id }, 'webhook delivery could not be made or stored');
      end(RETRY_MS);
    };
    const done = deliver(message).then(() => end(0), fail);
    inFlight.set(message.id, { endpointId: message.endpointId, done });
  }

  const canStart = ({ id, endpointId }: WebhookMessage) =>
    !isStopped &&
    !inFlight.has(id) &&
    inFlight.size < MAX_IN_FLIGHT &&
    [...inFlight.values()].filter((one) => one.endpointId === endpointId).length < MAX_PER_ENDPOINT;

  /** Starts due deliveries in the order of their next attempts, with at most a few in flight per endpoint. */
  async function startDue(): Promise<void> {
    if (!(await store.processes.acquireLease('webhooks', self.id, settings.webhookLeaseMs))) return;
    const messages = await store.webhooks.listDue(settings.environment, clock.wallMs(), MAX_PER_ENDPOINT);
    for (const message of messages) if (canStart(message)) start(message);
  }

  async function poll(): Promise<void> {
    if (polling) return polling.then(() => schedule(0));
    polling = startDue().then(
      () => POLL_INTERVAL_MS,
      (err: unknown) => {
        log.error({ err }, 'due webhook messages could not be read');
        return RETRY_MS;
      },
    );
    const pauseMs = await polling;
    polling = undefined;
    schedule(pauseMs);
  }

  return {
    /** Polls the store immediately, because messages were added or rescheduled. */
    wake: () => schedule(0),
    start() {
      isStopped = !settings.sendsWebhooks;
      schedule(0);
    },
    /** Starts no more deliveries and waits for those in flight. */
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await polling;
      await Promise.all(Array.from(inFlight.values(), ({ done }) => done));
    },
  };
}
