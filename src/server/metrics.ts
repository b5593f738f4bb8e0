import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What an operator wants to know of the server that processes share. */
export interface EngineFacts {
  readonly up: boolean;
  readonly memoryBytes: number;
  /** What it may use; all memory of its machine where it has no limit. */
  readonly memoryMaxBytes: number;
  /** Times that it was found to be another server or started again. */
  readonly restarts: number;
  /** Requests that this process counted alone. */
  readonly substituted: number;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Creates gauges that are read when they are asked for. */
function createStoreGauges(registers: Registry[]) {
  const gauge = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  return {
    queueOldest: gauge('vehi_queue_oldest_seconds', 'Time that the oldest waiting analysis has waited.'),
    stored: gauge('vehi_inspections_stored', 'Inspections and assessments stored.', [
      'kind',
      'status',
    ] as const),
    databaseUp: gauge('vehi_database_up', '1 where the database answers, else 0.'),
    databaseConnections: gauge('vehi_database_connections', 'Connections of this process to the database.', [
      'state',
    ] as const),
    databaseWaiting: gauge('vehi_database_waiting', 'Work of this process that waits for a connection.'),
    processes: gauge('vehi_processes', 'Processes of the service that live, by version.', [
      'kind',
      'version',
    ] as const),
    redisUp: gauge('vehi_redis_up', '1 where Redis answers, else 0.'),
    redisMemory: gauge('vehi_redis_memory_bytes', 'Memory that Redis uses.'),
    redisMemoryMax: gauge('vehi_redis_memory_max_bytes', 'Memory that Redis may use.'),
    databaseBytes: gauge('vehi_database_bytes', 'Size of the database.'),
    webhooksPending: gauge('vehi_webhooks_pending', 'Events that wait for their delivery or its retry.'),
    webhooksOldest: gauge('vehi_webhooks_oldest_seconds', 'Age of the oldest event that is not delivered.'),
    uploadBytes: gauge('vehi_upload_bytes', 'Bytes of the uploads under way.'),
    photosTakenIn: gauge('vehi_photos_taken_in', 'Photos that are being fetched, checked and stored.'),
    unanswered: gauge('vehi_http_requests_unanswered', 'Requests that wait for their answer.'),
  };
}

/** What is handed out over several processes. */
const QUEUES = ['inspections', 'quarantine', 'webhooks'] as const;

/** Creates what tells how work is handed out over several processes; each queue is at 0 from the start. */
function createQueueMetrics(registers: Registry[]) {
  const labelNames = ['queue'] as const;
  const counter = (name: string, help: string) => {
    const made = new Counter({ name, help, labelNames, registers });
    for (const queue of QUEUES) made.inc({ queue }, 0);
    return made;
  };
  return {
    queueDelayed: new Gauge({
      name: 'vehi_queue_delayed',
      help: 'Analyses that are tried again later, as what they need was away.',
      registers,
    }),
    putBack: counter(
      'vehi_queue_put_back_total',
      'Analyses and events that the queue had lost and the sweep put back.',
    ),
    stalled: counter(
      'vehi_queue_stalled_total',
      'Work that this process found without the one that had begun it, and handed out again.',
    ),
    locksLost: counter(
      'vehi_queue_locks_lost_total',
      'Work of this process that others may have begun by now, as its lock could not be renewed.',
    ),
    sweepSeconds: new Histogram({
      name: 'vehi_queue_sweep_seconds',
      help: 'Time to look for work that the queue has lost, and to put it back.',
      labelNames,
      buckets: SECONDS,
      registers,
    }),
  };
}

/** Creates the metrics at `/metrics`, in a registry of their own. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  let collecting = false;
  return {
    registry,
    requests: new Histogram({
      name: 'vehi_http_request_duration_seconds',
      help: 'Time to answer a request.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: SECONDS,
      registers,
    }),
    errors: new Counter({
      name: 'vehi_errors_total',
      help: 'Answers in the error envelope, by code.',
      labelNames: ['code'] as const,
      registers,
    }),
    queueWaiting: new Gauge({
      name: 'vehi_queue_waiting',
      help: 'Analyses waiting for a worker.',
      registers,
    }),
    queueRunning: new Gauge({ name: 'vehi_queue_running', help: 'Analyses running.', registers }),
    analyses: new Histogram({
      name: 'vehi_analysis_duration_seconds',
      help: 'Time of one analysis, from its start to its stored result.',
      labelNames: ['outcome'] as const,
      buckets: SECONDS,
      registers,
    }),
    inference: new Histogram({
      name: 'vehi_inference_seconds_per_photo',
      help: 'Time in the engine per photo.',
      buckets: SECONDS,
      registers,
    }),
    webhooks: new Counter({
      name: 'vehi_webhook_attempts_total',
      help: 'Webhook deliveries tried, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    ...createQueueMetrics(registers),
    queueQuarantined: new Gauge({
      name: 'vehi_queue_quarantined',
      help: 'Analyses that wait or run in quarantine, among those that wait or run.',
      registers,
    }),
    attempts: new Counter({
      name: 'vehi_analysis_attempts_total',
      help: 'Attempts started, by number; 4 is the failure of work that was cut off three times.',
      labelNames: ['number'] as const,
      registers,
    }),
    childrenDied: new Counter({
      name: 'vehi_quarantine_children_died_total',
      help: 'Processes that ended while they opened photos in quarantine.',
      registers,
    }),
    childStartsFailed: new Counter({
      name: 'vehi_quarantine_start_failures_total',
      help: 'Times that no process could be started to open photos in quarantine.',
      registers,
    }),
    photosSkipped: new Counter({
      name: 'vehi_photos_skipped_total',
      help: 'Photos that were left out because they ended the process that opened them.',
      registers,
    }),
    databaseSeconds: new Histogram({
      name: 'vehi_database_seconds',
      help: 'Time of a question or transaction, the wait for its connection among it.',
      buckets: SECONDS,
      registers,
    }),
    files: new Histogram({
      name: 'vehi_files_seconds',
      help: 'Time to read, write, copy, list or remove files, all tries together.',
      labelNames: ['operation'] as const,
      buckets: SECONDS,
      registers,
    }),
    fileErrors: new Counter({
      name: 'vehi_files_errors_total',
      help: 'Files that could not be read, written, copied, listed or removed.',
      labelNames: ['operation'] as const,
      registers,
    }),
    redisRestarts: new Counter({
      name: 'vehi_redis_run_id_changes_total',
      help: 'Times that Redis was found to be another server or started again.',
      registers,
    }),
    substituted: new Counter({
      name: 'vehi_requests_counted_by_substitute_total',
      help: 'Requests that this process counted alone, as Redis was away.',
      registers,
    }),
    housekeeping: new Gauge({
      name: 'vehi_housekeeping_timestamp_seconds',
      help: 'When this process last completed housekeeping; 0 where another one does it.',
      registers,
    }),
    ...createStoreGauges(registers),
    /** Starts the figures of the process (memory, CPU, garbage collection, file descriptors), once. */
    collectProcess: () => {
      if (collecting) return;
      collecting = true;
      collectDefaultMetrics({ register: registry });
    },
    eventLoopLag: new Gauge({
      name: 'vehi_event_loop_p99_seconds',
      help: '99th percentile of the event loop delay since the last reading.',
      registers,
    }),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
