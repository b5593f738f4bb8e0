import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createRequestTimes } from '../../src/server/request-times.ts';

const BUCKETS = [0.01, 0.1, 1];
const SEEN = [
  ['GET', '/a', 200, 0.005],
  ['GET', '/a', 200, 0.01],
  ['GET', '/a', 404, 0.5],
  ['POST', '/a', 201, 7],
  ['GET', '/b"\\', 200, 0.1],
] as const;

it('request times read as a histogram of prom-client does', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const times = createRequestTimes(ours, BUCKETS);
  const histogram = new Histogram({
    name: 'vehi_http_request_duration_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [...BUCKETS],
    registers: [theirs],
  });
  for (const [method, route, status, seconds] of SEEN) {
    times.observe(method, route, status, seconds);
    histogram.observe({ method, route, status }, seconds);
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});
