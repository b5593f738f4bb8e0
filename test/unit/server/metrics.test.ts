import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createMetrics } from '../../../src/server/metrics.ts';
import { createMetricsServer } from '../../../src/server/metrics-server.ts';
import { createMetricsReader } from '../../../src/server/routes/operations.ts';
import type { Services } from '../../../src/server/services.ts';

const DOCS = resolve(import.meta.dirname, '../../../docs');

it.each([
  ['scale.md', 7],
  ['using/serve.md', 1],
])('docs/%s names figures that exist: %i', (file, count) => {
  const text = readFileSync(resolve(DOCS, file), 'utf8');
  const known = createMetrics()
    .registry.getMetricsAsArray()
    .map(({ name }) => name);
  const named = [...new Set(text.match(/\bvehi_[a-z0-9_]+_[a-z0-9_]+\b/g) ?? [])];
  expect(named).toHaveLength(count);
  expect(named.filter((name) => !known.includes(name.replace(/_(count|sum|bucket)$/, '')))).toEqual([]);
});

it('the port of the metrics answers what is no HTTP with a sentence', async () => {
  const server = createMetricsServer(async () => ({ type: 'text/plain', text: '' }));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('NONSENSE\r\n\r\n');
  expect(await readText(socket)).toMatch(/^HTTP\/1\.1 400[\s\S]*method of the request is not known/);
  server.close();
});

const READY = { yes: () => Promise.resolve(true), no: () => Promise.resolve(false) };

it.each([
  ['GET', '/healthz', undefined, 404, null, 'This port answers GET /metrics.\n'],
  ['GET', '/x', READY.yes, 404, null, 'This port answers GET /metrics, /healthz, /readyz.\n'],
  ['POST', '/metrics?x', undefined, 405, 'GET, HEAD', 'This port answers GET /metrics.\n'],
  ['HEAD', '/metrics', undefined, 200, null, ''],
  ['GET', '/readyz', READY.no, 503, null, '{"status":"unavailable"}'],
] as const)('the port of the metrics answers %s %s', async (method, path, isReady, ...expected) => {
  const server = createMetricsServer(async () => ({ type: 'text/plain', text: 'vehi_up 1' }), isReady);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  expect([answer.status, answer.headers.get('allow'), await answer.text()]).toEqual(expected);
  server.close();
});

it('says in the log why the figures of the store cannot be read', async () => {
  const logged: unknown[] = [];
  const fault = new TypeError('a fault of ours');
  const services = {
    metrics: createMetrics(),
    queue: { getCounts: () => ({ waiting: 0, running: 0, delayed: 0, oldestWaitMs: 2_000 }) },
    uploadBudget: { usedBytes: 0 },
    photoSlots: { active: 0 },
    store: { webhooks: { getBacklog: () => Promise.reject(fault) } },
    settings: {},
    log: { warn: (facts: object) => logged.push(facts) },
  } as unknown as Services;
  const { text } = await createMetricsReader(services)();
  for (const figure of ['database_up 0', 'queue_oldest_seconds 2'])
    expect(text).toContain(`vehi_${figure}\n`);
  expect(logged).toEqual([{ err: fault }]);
});
