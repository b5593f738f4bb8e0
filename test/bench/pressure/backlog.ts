import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { listen } from '../../server/helpers/listen.ts';
import type { Running } from '../service/load.ts';
import { figure, fill, median, startStandIn, stop, timeGet } from './stand-in.ts';

const ROUNDS = 400;
const LIMIT = 1.2;

/** Stores `count` events for an endpoint, all due in `dueInMs`. */
async function store(directory: string, count: number, url: string, dueInMs: number): Promise<void> {
  const db = openDatabase(join(directory, 'vehi.db'));
  const account = String(db.get('SELECT id FROM accounts')?.id);
  db.run(
    `INSERT INTO webhook_endpoints VALUES ('whe_bench', ?, 'sandbox', ?, '', '[]', 'enabled', NULL, 'whsec_AAAA', NULL, NULL, 't')`,
    [account, url],
  );
  const at = Date.now() + dueInMs;
  const data = { text: 'x'.repeat(300) };
  const payload = JSON.stringify({ event: 'visual_inspection.completed', data });
  for (let from = 0; from < count; from += 1_000) {
    await db.write(() => {
      for (let i = from; i < from + 1_000; i++) {
        db.run(
          `INSERT INTO webhook_messages (id, endpoint_id, event, payload, created_at, status, attempts, next_attempt_at_ms)
           VALUES (?, 'whe_bench', 'visual_inspection.completed', ?, ?, 'pending', 0, ?)`,
          [`msg_${String(i).padStart(26, '0')}`, payload, new Date().toISOString(), dueInMs === 0 ? 0 : at],
        );
      }
    });
  }
  db.close();
}

/**
 * Measures the cost of other requests with a backlog of 50,000 events, as ratios to an alternating service without one:
 * events waiting for a later attempt, for a receiver that does not respond, and for one that rejects immediately.
 */
export async function measureBacklog(work: string, share: number): Promise<Record<string, unknown>> {
  const count = 50_000 * share;
  let refused = 0;
  const receiver = await listen((request, response) => {
    request.resume();
    if (request.url === '/silent') return;
    refused++;
    response.writeHead(500).end();
  });
  const settings = { webhookRetrySeconds: [86_400], webhookTimeoutMs: 15_000 };
  const plain = join(work, 'backlog-none');
  await fill(plain, 100);
  const without = await startStandIn(plain, { settings });
  const results: Record<string, unknown> = {};
  for (const [name, path, dueInMs] of [
    ['waiting_for_their_time', '/refuse', 86_400_000],
    ['for_a_receiver_that_is_silent', '/silent', 0],
    ['for_a_receiver_that_refuses', '/refuse', 0],
  ] as const) {
    const directory = join(work, `backlog-${name}`);
    await fill(directory, 100);
    await store(directory, count, `${receiver.url}${path}`, dueInMs);
    const service = await startStandIn(directory, { settings });
    refused = 0;
    const startedMs = performance.now();
    results[name] = await compare(service, without);
    const seconds = (performance.now() - startedMs) / 1_000;
    if (path === '/refuse' && dueInMs === 0)
      results.deliveries_per_s = Number((refused / seconds).toFixed(0));
    await stop(service);
  }
  await stop(without);
  await receiver.close();
  return results;
}

async function compare(service: Running, without: Running) {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS + 50; round++) {
    const [a, b] = [await timeGet(service, PATH), await timeGet(without, PATH)];
    if (round < 50) continue;
    times[0].push(a);
    times[1].push(b);
  }
  return {
    ms_without: Number(median(times[1]).toFixed(2)),
    ratio: figure(median(times[0]) / median(times[1]), LIMIT),
    slowest_ms: figure(Math.max(...times[0]), null),
  };
}

const PATH = '/v1/inspections/visual?limit=10';
