/**
 * Runs a service for a given number of minutes (`npm run soak -- --minutes 20`), with the shipped models: inspections
 * of uploaded and fetched photos, with reports, assessments, lists, successful and failing webhooks, deletions, and
 * callers without a key. Prints resident memory per minute and the ratio of the last quarter to the second as one JSON
 * document; exits with 1 on an unexpected response or growing memory.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { fileHost } from '../../server/helpers/service.ts';
import { median } from '../pressure/stand-in.ts';
import { readRssMb, start } from './load.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const VISUAL = '/v1/inspections/visual';
const VIEWS = ['front', 'rear', 'left_side', 'right_side'] as const;
const SAMPLE_MS = 5_000;
/** Maximum ratio of the last quarter's memory to the second's. */
const GROWTH_LIMIT = 1.1;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '20' } } });
const minutes = Number(values.minutes);
const work = mkdtempSync(join(tmpdir(), 'vehi-soak-'));
const loadStart = loadavg()[0] ?? 0;

const photos = await Promise.all(
  VIEWS.map(async (view) => {
    const photo = sharp(join(ROOT, 'fixtures/vehicle', `${view}.jpg`)).resize(1280, 720, { fit: 'cover' });
    const bytes = await photo.jpeg({ quality: 85 }).toBuffer();
    writeFileSync(join(work, `${view}.jpg`), bytes);
    return { view, bytes };
  }),
);
const host = await fileHost(work);
let delivered = 0;
const receiver = createServer((request, response) => {
  request.resume();
  delivered++;
  // Every tenth event is rejected and retried.
  response.writeHead(delivered % 10 === 0 ? 500 : 200).end();
});
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

process.env.VEHI_THREADS = '1';
const service = await start(
  [
    ...[join(ROOT, 'bin/vehi.js'), 'serve', '--sandbox', '--port', '0', '--data', join(work, 'data')],
    '--allow-private-images',
  ],
  join(work, 'log'),
);
const unexpected: Record<string, number> = {};
const counts: Record<string, number> = {};
let sandboxKey = '';
async function call(name: string, expected: readonly number[], path: string, init: RequestInit = {}) {
  const answer = await fetch(`${service.address}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${sandboxKey}`, ...init.headers },
  });
  const text = await answer.text();
  counts[name] = (counts[name] ?? 0) + 1;
  if (!expected.includes(answer.status)) {
    const key = `${name}: ${answer.status}`;
    unexpected[key] = (unexpected[key] ?? 0) + 1;
  }
  return text === '' ? undefined : (JSON.parse(text) as { data: Record<string, string> });
}
const json = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const made: string[] = [];

const byAddress = (type: 'exterior' | 'interior', report: boolean) =>
  json({
    vehicle_id: 'veh_soak',
    images: photos.map(({ view }) => ({
      ...{ url: `${host.url}/${view}.jpg`, type },
      angle: type === 'interior' ? 'interior' : view,
    })),
    options: { generate_report: report, detailed_analysis: true },
  });
function byUpload(): RequestInit {
  const form = new FormData();
  const images = photos.map(({ view }) => ({ url: `${view}.jpg`, angle: 'interior', type: 'interior' }));
  form.append(
    'request',
    JSON.stringify({ vehicle_id: 'veh_soak', images, options: { generate_report: false } }),
  );
  for (const { view, bytes } of photos) form.append('photos', new Blob([bytes]), `${view}.jpg`);
  return { method: 'POST', body: form };
}

/** Runs one round of all requests. */
async function round(number: number): Promise<void> {
  const models = number % 5 === 0;
  const one = await call(
    'inspection',
    [201, 202],
    VISUAL,
    byAddress(models ? 'exterior' : 'interior', models),
  );
  const other = await call('upload', [201, 202], VISUAL, byUpload());
  for (const answer of [one, other]) if (answer?.data.inspection_id) made.push(answer.data.inspection_id);
  const damages = ['hood', 'roof', 'front_bumper'].map((location, i) => ({
    damage_id: `d${i}`,
    type: 'dent',
    location,
  }));
  await call(
    'assessment',
    [201],
    '/v1/inspections/damage-assessment',
    json({ vehicle_id: 'veh_soak', damages }),
  );
  await call('list', [200], `${VISUAL}?limit=20`);
  await call('report', [200, 404], `${VISUAL}/${made.at(-1)}/report`);
  await call('broken', [400], VISUAL, json({ vehicle_id: 'x' }));
  await call('unknown key', [401, 429], VISUAL, { headers: { authorization: 'Bearer dev_unknown' } });
  await call('document', [200, 429], '/v1/openapi.json');
  if (made.length > 200) await call('delete', [204], `${VISUAL}/${made.shift()}`, { method: 'DELETE' });
}

try {
  sandboxKey = service.key;
  await call('webhook', [201], '/v1/webhooks', json({ url: hook }));
  const startedMs = performance.now();
  const samples: { minute: number; mb: number }[] = [];
  let over = false;
  const watch = (async () => {
    while (!over) {
      samples.push({ minute: (performance.now() - startedMs) / 60_000, mb: readRssMb(service.pid) });
      await sleep(SAMPLE_MS);
    }
  })();
  for (let number = 0; performance.now() - startedMs < minutes * 60_000; number++) await round(number);
  over = true;
  await watch;
  const quarter = (which: number) =>
    median(samples.filter(({ minute }) => Math.floor((minute / minutes) * 4) === which).map(({ mb }) => mb));
  const growth = Number((quarter(3) / quarter(1)).toFixed(3));
  const byMinute = Array.from({ length: Math.ceil(minutes) }, (_v, i) =>
    median(samples.filter(({ minute }) => Math.floor(minute) === i).map(({ mb }) => mb)),
  );
  const report = {
    minutes,
    requests: counts,
    events_received: delivered,
    unexpected_answers: unexpected,
    rss_mb_by_minute: byMinute,
    last_quarter_over_second: { figure: growth, limit: GROWTH_LIMIT },
    load_average: { start: loadStart, end: loadavg()[0] },
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = growth > GROWTH_LIMIT || Object.keys(unexpected).length > 0 ? 1 : 0;
} finally {
  service.child.kill();
  receiver.closeAllConnections();
  receiver.close();
  await host.close();
  rmSync(work, { recursive: true, force: true });
}
