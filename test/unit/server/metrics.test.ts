import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createMetrics } from '../../../src/server/metrics.ts';
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

it('metrics of the service are few', () => {
  expect(createMetrics().registry.getMetricsAsArray()).toHaveLength(16);
});

it('says in the log why the figures of the store cannot be read', async () => {
  const logged: unknown[] = [];
  const fault = new TypeError('a fault of ours');
  const services = {
    metrics: createMetrics(),
    queue: { waiting: 0, running: 0, delayed: 0, oldestWaitMs: () => 0 },
    uploadBudget: { usedBytes: 0 },
    photoSlots: { active: 0 },
    store: { webhooks: { getBacklog: () => Promise.reject(fault) } },
    settings: {},
    log: { warn: (facts: object) => logged.push(facts) },
  } as unknown as Services;
  expect((await createMetricsReader(services)()).text).toContain('vehi_database_up 0');
  expect(logged).toEqual([{ err: fault }]);
});
