import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createMetrics, measureBlobs } from '../../../src/server/metrics.ts';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import { makeOwnFolder } from '../../helpers/own-folder.ts';

const DOCS = resolve(import.meta.dirname, '../../../docs');

it.each(['scale.md', 'using/serve.md'])('docs/%s names figures that exist', (file) => {
  const text = readFileSync(resolve(DOCS, file), 'utf8');
  const known = createMetrics()
    .registry.getMetricsAsArray()
    .map(({ name }) => name);
  const named = [...new Set(text.match(/\bvehi_[a-z0-9_]+_[a-z0-9_]+\b/g) ?? [])];
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !known.includes(name.replace(/_(count|sum|bucket)$/, '')))).toEqual([]);
});

const folder = makeOwnFolder('metrics');

it('the time of files is counted by what is done, and their failures', async () => {
  const metrics = createMetrics();
  const kept = createDirectoryBlobs(folder);
  const blobs = measureBlobs(kept, metrics);
  await blobs.put('vis_1', 'photo-0', Buffer.from('x'));
  expect(await blobs.get('vis_1', 'photo-0')).toEqual(Buffer.from('x'));
  Object.assign(kept, { get: () => Promise.reject(new Error('away')) });
  await expect(blobs.get('vis_1', 'photo-0')).rejects.toThrow('away');
  const text = await metrics.registry.metrics();
  expect(text).toContain('vehi_files_seconds_count{operation="write"} 1');
  expect(text).toContain('vehi_files_seconds_count{operation="read"} 2');
  expect(text).toContain('vehi_files_errors_total{operation="read"} 1');
});
