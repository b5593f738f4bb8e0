import type { Registry } from 'prom-client';

const NAME = 'vehi_http_request_duration_seconds';

interface Times {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number };
  /** Requests by the first bucket that holds them; the last is beyond all buckets. */
  readonly counts: number[];
  seconds: number;
}

/** Request durations by method, route and status. */
export interface RequestTimes {
  observe(method: string, route: string, status: number, seconds: number): void;
}

/**
 * A Prometheus histogram of request durations. prom-client's own builds and hashes an object of labels at every
 * observation, which a light request would notice; this one counts in place and is put into words when it is read.
 */
export function createRequestTimes(registry: Registry, buckets: readonly number[]): RequestTimes {
  const byRoute = new Map<string, Map<string, Map<number, Times>>>();
  const all: Times[] = [];

  function timesOf(method: string, route: string, status: number): Times {
    const methods = getOrMake(byRoute, route, () => new Map<string, Map<number, Times>>());
    const statuses = getOrMake(methods, method, () => new Map<number, Times>());
    return getOrMake(statuses, status, () => {
      const counts = new Array<number>(buckets.length + 1).fill(0);
      const made: Times = { labels: { method, route, status }, counts, seconds: 0 };
      all.push(made);
      return made;
    });
  }

  function values({ labels, counts, seconds }: Times) {
    let sum = 0;
    const rows = counts.map((count, i) => {
      sum += count;
      return { metricName: `${NAME}_bucket`, labels: { le: buckets[i] ?? '+Inf', ...labels }, value: sum };
    });
    return [
      ...rows,
      { metricName: `${NAME}_sum`, labels, value: seconds },
      { metricName: `${NAME}_count`, labels, value: sum },
    ];
  }

  const metric = {
    name: NAME,
    help: 'Time to answer a request.',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...metric, values: all.flatMap(values) }),
  };
  registry.registerMetric(metric as never);
  return {
    observe(method, route, status, seconds) {
      const times = timesOf(method, route, status);
      const found = buckets.findIndex((bucket) => seconds <= bucket);
      const at = found < 0 ? buckets.length : found;
      times.counts[at] = (times.counts[at] ?? 0) + 1;
      times.seconds += seconds;
    },
  };
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
