import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { figure, fill, median, startStandIn, stop } from './stand-in.ts';

const VISUAL = '/v1/inspections/visual';
const KEEP_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** Baseline period before the first removal, with the same requests. */
const BEFORE_MS = 12_000;
const FILES = ['annotated-0.jpg', 'photo-0', 'report.pdf'];

/** Measures the cost of requests while `--keep-days` removes 500 of 16,000 inspections with files, events and keys. */
export async function measurePurge(work: string, share: number): Promise<Record<string, unknown>> {
  const directory = join(work, 'purge');
  const [stored, removed] = [16_000 * share, 500 * share];
  await fill(directory, stored, {
    createdAt: (i) => new Date(Date.now() - i * 1_000 - (i <= removed ? 2 * KEEP_DAYS * DAY_MS : 0)),
    alongside(db, id, i) {
      db.run(
        `INSERT INTO idempotency (account_id, environment, operation, key, fingerprint, resource_id, answer, created_at_ms)
         VALUES ('acc', 'sandbox', 'visual', ?, 'f', ?, '{}', ?)`,
        [`key-${i}`, id, Date.now()],
      );
      if (i > removed) return;
      const folder = join(directory, 'files', id);
      mkdirSync(folder, { recursive: true });
      for (const name of FILES) writeFileSync(join(folder, name), 'x'.repeat(10_000));
    },
  });
  const settings = { keepDays: KEEP_DAYS, housekeepingDelayMs: BEFORE_MS };
  const service = await startStandIn(directory, { settings });
  const samples: { ms: number; total: number }[] = [];
  const ask = async () => {
    const startedMs = performance.now();
    const answer = await fetch(`${service.address}${VISUAL}?limit=1`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    const { data } = (await answer.json()) as { data: { pagination: { total: number } } };
    samples.push({ ms: performance.now() - startedMs, total: data.pagination.total });
    return data.pagination.total;
  };
  const startedMs = performance.now();
  while ((await ask()) > stored - removed) {
    if (performance.now() - startedMs > 120_000) throw new Error('the inspections are not removed');
    await sleep(2);
  }
  await stop(service);
  const before = samples.filter(({ total }) => total === stored).slice(50);
  const first = samples.findIndex(({ total }) => total < stored);
  const during = samples.slice(first - 1);
  const times = (some: typeof samples) => some.map(({ ms }) => ms);
  return {
    answers_before_the_first_removal: before.length,
    answers_during: during.length,
    median_during_over_before: figure(median(times(during)) / median(times(before)), 2),
    slowest_during_ms: figure(Math.max(...times(during)), 250),
    slowest_before_ms: figure(Math.max(...times(before)), null),
  };
}
