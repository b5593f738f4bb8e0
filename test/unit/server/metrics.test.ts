import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createMetrics } from '../../../src/server/metrics.ts';

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
