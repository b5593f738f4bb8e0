import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BlobStore } from '../storage/ports.ts';

/** State of the shared Redis server. */
export interface BackendState {
  readonly up: boolean;
  readonly memoryBytes: number;
  /** Memory limit; the machine's total memory if there is no limit. */
  readonly memoryMaxBytes: number;
  /** Times the server restarted or was replaced. */
  readonly restarts: number;
  /** Requests that this process counted without it. */
  readonly substituted: number;
}

const BUCKET_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Creates counters, gauges and histograms (in seconds) in one registry, with labels typed as constants. */
function createMetricFactories(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    seconds: <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
      new Histogram({ name, help, labelNames, buckets: BUCKET_SECONDS, registers }),
  };
}

type MetricFactories = ReturnType<typeof createMetricFactories>;

/** Creates gauges that are updated when scraped. */
function createStoreGauges({ gauge }: MetricFactories) {
  return {
    queueOldest: gauge('vehi_queue_oldest_seconds', 'Time that the oldest waiting analysis has waited.'),
    stored: gauge('vehi_inspections_stored', 'Inspections and assessments stored.', ['kind', 'status']),
    databaseUp: gauge('vehi_database_up', '1 where the database answers, else 0.'),
    databaseConnections: gauge('vehi_database_connections', 'Connections of this process to the database.', [
      'state',
    ]),
    databaseWaiting: gauge('vehi_database_waiting', 'Work of this process that waits for a connection.'),
    processes: gauge('vehi_processes', 'Live processes of the service, by version.', ['kind', 'version']),
    redisUp: gauge('vehi_redis_up', '1 where Redis answers, else 0.'),
    redisMemory: gauge('vehi_redis_memory_bytes', 'Memory that Redis uses.'),
    redisMemoryMax: gauge('vehi_redis_memory_max_bytes', 'Memory that Redis may use.'),
    databaseBytes: gauge('vehi_database_bytes', 'Size of the database.'),
    webhooksPending: gauge('vehi_webhooks_pending', 'Events that wait for their delivery or its retry.'),
    webhooksOldest: gauge('vehi_webhooks_oldest_seconds', 'Age of the oldest event that is not delivered.'),
    uploadBytes: gauge('vehi_upload_bytes', 'Bytes of the uploads under way.'),
    photosTakenIn: gauge('vehi_photos_taken_in', 'Photos that are being fetched, checked and stored.'),
  };
}

/** Queues shared by several processes. */
const QUEUES = ['inspections', 'quarantine'] as const;

/** Creates the metrics of the shared queues; each counter starts at 0. */
function createQueueMetrics({ counter, gauge, seconds }: MetricFactories) {
  const perQueue = (name: string, help: string) => {
    const queueCounter = counter(name, help, ['queue']);
    for (const queue of QUEUES) queueCounter.inc({ queue }, 0);
    return queueCounter;
  };
  return {
    queueDelayed: gauge(
      'vehi_queue_delayed',
      'Analyses put back to be tried again because something they need was unavailable.',
    ),
    putBack: perQueue(
      'vehi_queue_put_back_total',
      'Analyses that the queue had lost and the sweep put back.',
    ),
    stalled: perQueue(
      'vehi_queue_stalled_total',
      'Work whose process had died and that this process handed out again.',
    ),
    locksLost: perQueue(
      'vehi_queue_locks_lost_total',
      'Work of this process that others may have started because its lock could not be renewed.',
    ),
    sweepSeconds: seconds(
      'vehi_queue_sweep_seconds',
      'Time to look for work that the queue has lost, and to put it back.',
      ['queue'],
    ),
  };
}

/** Creates the metrics of `/metrics` in their own registry. */
export function createMetrics() {
  const registry = new Registry();
  const factories = createMetricFactories(registry);
  const { counter, gauge, seconds } = factories;
  let isCollecting = false;
  return {
    registry,
    requests: seconds('vehi_http_request_duration_seconds', 'Time to answer a request.', [
      'method',
      'route',
      'status',
    ]),
    errors: counter('vehi_errors_total', 'Answers in the error envelope, by code.', ['code']),
    queueWaiting: gauge('vehi_queue_waiting', 'Analyses waiting for a worker.'),
    queueRunning: gauge('vehi_queue_running', 'Analyses running.'),
    analyses: seconds(
      'vehi_analysis_duration_seconds',
      'Time of one analysis, from its start to its stored result.',
      ['outcome'],
    ),
    inference: seconds('vehi_inference_seconds_per_photo', 'Time in the engine per photo.'),
    webhooks: counter('vehi_webhook_attempts_total', 'Webhook deliveries tried, by outcome.', ['outcome']),
    ...createQueueMetrics(factories),
    queueQuarantined: gauge(
      'vehi_queue_quarantined',
      'Analyses that wait or run in quarantine, among those that wait or run.',
    ),
    attempts: counter(
      'vehi_analysis_attempts_total',
      'Attempts started, by number; 11 is the failure of work that was cut off ten times.',
      ['number'],
    ),
    childrenDied: counter(
      'vehi_quarantine_children_died_total',
      'Processes that ended while they opened photos in quarantine.',
    ),
    childStartsFailed: counter(
      'vehi_quarantine_start_failures_total',
      'Times that no process to open photos in quarantine could be started.',
    ),
    photosSkipped: counter(
      'vehi_photos_skipped_total',
      'Photos that were left out because they ended the process that opened them.',
    ),
    databaseSeconds: seconds(
      'vehi_database_seconds',
      'Time of a query or transaction, including the wait for its connection.',
    ),
    files: seconds(
      'vehi_files_seconds',
      'Time to read, write, copy, list or remove files, including retries.',
      ['operation'],
    ),
    fileErrors: counter(
      'vehi_files_errors_total',
      'Files that could not be read, written, copied, listed or removed.',
      ['operation'],
    ),
    redisRestarts: counter(
      'vehi_redis_run_id_changes_total',
      'Times that Redis was found to be another server or restarted.',
    ),
    substituted: counter(
      'vehi_requests_counted_by_substitute_total',
      'Requests that this process counted alone because Redis was unavailable.',
    ),
    housekeeping: gauge(
      'vehi_housekeeping_timestamp_seconds',
      'When this process last completed housekeeping; 0 where another one does it.',
    ),
    ...createStoreGauges(factories),
    /** Starts the default process metrics (memory, CPU, garbage collection, file descriptors), once. */
    collectProcess: () => {
      if (isCollecting) return;
      isCollecting = true;
      collectDefaultMetrics({ register: registry });
    },
    eventLoopLag: gauge(
      'vehi_event_loop_p99_seconds',
      '99th percentile of the event loop delay since the last reading.',
    ),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;

/** Wraps a blob store to time every call and count failures. */
export function measureBlobs(blobs: BlobStore, { files, fileErrors }: Metrics): BlobStore {
  const measure = async <Answer>(operation: string, call: () => Promise<Answer>): Promise<Answer> => {
    const end = files.startTimer({ operation });
    try {
      return await call();
    } catch (error) {
      fileErrors.inc({ operation });
      throw error;
    } finally {
      end();
    }
  };
  return {
    ...blobs,
    put: (...args) => measure('write', () => blobs.put(...args)),
    stage: (...args) => measure('write', () => blobs.stage(...args)),
    publish: (...args) => measure('write', () => blobs.publish(...args)),
    get: (...args) => measure('read', () => blobs.get(...args)),
    getStaged: (...args) => measure('read', () => blobs.getStaged(...args)),
    stageCopy: (...args) => measure('copy', () => blobs.stageCopy(...args)),
    list: (...args) => measure('list', () => blobs.list(...args)),
    listOwners: (...args) => measure('list', () => blobs.listOwners(...args)),
    remove: (...args) => measure('remove', () => blobs.remove(...args)),
    discardStaged: (...args) => measure('remove', () => blobs.discardStaged(...args)),
  };
}
