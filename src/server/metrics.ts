import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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

/** Creates the metrics of `/metrics` in their own registry. */
export function createMetrics() {
  const registry = new Registry();
  const { counter, gauge, seconds } = createMetricFactories(registry);
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
    queueDelayed: gauge(
      'vehi_queue_delayed',
      'Analyses put back to be tried again because something they need was unavailable.',
    ),
    queueOldest: gauge('vehi_queue_oldest_seconds', 'Time that the oldest waiting analysis has waited.'),
    analyses: seconds(
      'vehi_analysis_duration_seconds',
      'Time of one analysis, from its start to its stored result.',
      ['outcome'],
    ),
    childrenDied: counter(
      'vehi_quarantine_children_died_total',
      'Processes that ended while they opened photos in quarantine.',
    ),
    webhooks: counter('vehi_webhook_attempts_total', 'Webhook deliveries tried, by outcome.', ['outcome']),
    webhooksPending: gauge('vehi_webhooks_pending', 'Events that wait for their delivery or its retry.'),
    webhooksOldest: gauge('vehi_webhooks_oldest_seconds', 'Age of the oldest event that is not delivered.'),
    databaseUp: gauge('vehi_database_up', '1 where the database answers, else 0.'),
    processes: gauge('vehi_processes', 'Live processes of the service, by version.', ['kind', 'version']),
    housekeeping: gauge(
      'vehi_housekeeping_timestamp_seconds',
      'When this process last completed housekeeping; 0 where another one does it.',
    ),
    uploadBytes: gauge('vehi_upload_bytes', 'Bytes of the uploads under way.'),
    photosTakenIn: gauge('vehi_photos_taken_in', 'Photos that are being fetched, checked and stored.'),
    /** Starts the default process metrics (memory, CPU, garbage collection, file descriptors), once. */
    collectProcess: () => {
      if (isCollecting) return;
      isCollecting = true;
      collectDefaultMetrics({ register: registry });
    },
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
