/**
 * Cost of the service under load: light requests against a bare Fastify route, 200 concurrent inspections through the
 * queue, and memory over 2,000 inspections. With `--stand-in`, photo decoding, models and reports are replaced, to
 * measure the service itself; light requests always go to `vehi serve`. Then measures the service under pressure
 * (`../pressure`), selected by name as arguments. Prints one JSON document; not a test.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileHost } from '../../server/helpers/listen.ts';
import { startStandIn } from '../pressure/stand-in.ts';
import { measureUploads } from '../pressure/uploads.ts';
import { makeSmallPhotos, median, type Running, readCpuUs, readRssMb, runAutocannon, start } from './load.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const VEHI = join(ROOT, 'bin/vehi.js');
const VISUAL = '/v1/inspections/visual';
const VIEWS = ['front', 'rear', 'left_side', 'front_right'] as const;
const STAND_IN = process.argv.includes('--stand-in');
/** Scale of all counts; below 1 for trying the program itself. */
const SHARE = Number(process.env.VEHI_BENCH_SHARE ?? 1);
const ROUNDS = 3;
/** Long enough to measure the request rate to one per cent. */
const LIGHT_SECONDS = 5;
/** Warm-up for V8 compilation, by count instead of time, because compilation takes longer on a busy machine. */
const WARM_REQUESTS = 50_000;
const FOR_SECONDS = ['-d', String(LIGHT_SECONDS)];
const AT_ONCE = 200 * SHARE;
const MARKS = [200, 1000, 2000].map((mark) => mark * SHARE);
/**
 * Mix of the memory run: every twentieth inspection has exterior photos, which go through the models. The others have
 * interior photos, which are fetched, decoded, checked and stored as well. Every fifth creates its PDF report.
 */
const EXTERIOR_EVERY = 20;
const REPORT_EVERY = 5;

const round = (value: number, digits = 2) => Number(value.toFixed(digits));

/** The demo vehicle at the contract's minimum size, 1280x720; for the stand-in, text of a photo's size. */
async function makePhotos(folder: string, host: string): Promise<string[]> {
  const photos = STAND_IN ? VIEWS.map(() => 'photo 1280x720 '.padEnd(150_000)) : await makeSmallPhotos(VIEWS);
  for (const [at, view] of VIEWS.entries()) writeFileSync(join(folder, `${view}.jpg`), photos[at] ?? '');
  return VIEWS.map((view) => `${host}/${view}.jpg`);
}

const work = mkdtempSync(join(tmpdir(), 'vehi-bench-serve-'));
const running: Running[] = [];
const run = async (name: string, args: readonly string[]) => {
  const one = await start(args, join(work, `${name}.log`));
  running.push(one);
  return one;
};

/** Starts `vehi serve` with a production key of an account without limits. */
async function runVehi(): Promise<Running> {
  const data = join(work, 'data');
  const choices = ['--new-account', 'bench', '--plan', 'enterprise', '--environment', 'production'];
  const args = [VEHI, 'admin', 'keys', 'create', '--data', data, '--json', ...choices];
  const made = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const key = /prod_[\w-]{43}/.exec(made)?.[0] ?? '';
  const options = ['--port', '0', '--data', data, '--allow-private-images', '--metrics-port', '0'];
  return { ...(await run('vehi', [VEHI, 'serve', ...options])), key };
}

type Page = { readonly data: { readonly pagination: { readonly total: number } } };

/** Creates a client of a service for the measurements. */
function clientOf({ address, metrics = `${address}/metrics`, key }: Running) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const get = async (path: string) => (await (await fetch(`${address}${path}`, { headers })).json()) as Page;
  return {
    headers,
    get,
    count: async (status: string) => (await get(`${VISUAL}?status=${status}&limit=1`)).data.pagination.total,
    /** Returns the 99th percentile of the event loop delay since the last call, in ms. */
    async loopP99Ms() {
      const answer = await fetch(metrics);
      const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(await answer.text())?.[1];
      if (seconds === undefined) throw new Error(`${metrics}: ${answer.status} without the delay`);
      return round(Number(seconds) * 1000, 1);
    },
  };
}

async function light(vehi: Running, bare: Running) {
  const { headers, loopP99Ms } = clientOf(vehi);
  const measure = async (one: Running, path: string, howMuch = FOR_SECONDS) => {
    const before = readCpuUs(one);
    const { requests } = await runAutocannon(`${one.address}${path}`, headers, ['-c', '10', ...howMuch]);
    return { perSecond: requests.average, cpuUs: (readCpuUs(one) - before) / requests.total };
  };
  const measureBoth = async (howMuch = FOR_SECONDS) => ({
    bare: await measure(bare, '/bare', howMuch),
    vehi: await measure(vehi, '/v1/auth/test', howMuch),
  });
  await measureBoth(['-a', String(WARM_REQUESTS)]);
  await loopP99Ms();
  const rounds: Awaited<ReturnType<typeof measureBoth>>[] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await measureBoth());
  const of = (pick: (one: (typeof rounds)[number]) => number, digits = 0) =>
    round(median(rounds.map(pick)), digits);
  return {
    bare_per_s: of((one) => one.bare.perSecond),
    vehi_per_s: of((one) => one.vehi.perSecond),
    vehi_over_bare: of((one) => one.vehi.perSecond / one.bare.perSecond, 2),
    // If load and service share a core, the rates are those of both; processor time is the service's alone.
    bare_over_vehi_cpu: of((one) => one.bare.cpuUs / one.vehi.cpuUs, 2),
    bare_cpu_us: of((one) => one.bare.cpuUs),
    vehi_cpu_us: of((one) => one.vehi.cpuUs),
    event_loop_p99_ms: await loopP99Ms(),
  };
}

const bodyOf = (photos: readonly string[], type: 'exterior' | 'interior', report: boolean) =>
  JSON.stringify({
    vehicle_id: 'veh_bench',
    options: { generate_report: report },
    images: photos.map((url, i) => ({ url, type, angle: type === 'interior' ? 'interior' : VIEWS[i] })),
  });

async function queue(service: Running, photos: readonly string[]) {
  const { headers, get, count, loopP99Ms } = clientOf(service);
  const before = await count('completed');
  await loopP99Ms();
  const started = performance.now();
  const all = String(AT_ONCE);
  const body = bodyOf(photos, 'exterior', true);
  const args = ['-m', 'POST', '-b', body, '-t', '300', '-c', all, '-a', all];
  const later = { ...headers, prefer: 'respond-async' };
  const posted = await runAutocannon(`${service.address}${VISUAL}`, later, args);
  const acceptedMs = performance.now() - started;
  const lightMs: number[] = [];
  while ((await count('processing')) > 0) {
    const asked = performance.now();
    await get('/v1/auth/test');
    lightMs.push(performance.now() - asked);
    await sleep(100);
  }
  return {
    posted: AT_ONCE,
    answers: Object.fromEntries(
      Object.entries(posted.statusCodeStats ?? {}).map(([status, { count: n }]) => [status, n]),
    ),
    completed: (await count('completed')) - before,
    failed: await count('failed'),
    accepted_ms: round(acceptedMs, 0),
    all_done_ms: round(performance.now() - started, 0),
    event_loop_p99_ms: await loopP99Ms(),
    light_get_p99_ms: round(lightMs.sort((a, b) => a - b)[Math.floor(lightMs.length * 0.99)] ?? 0, 1),
  };
}

async function memory(service: Running, photos: readonly string[]) {
  const { headers, count, loopP99Ms } = clientOf(service);
  const rss: Record<string, number> = { start: readRssMb(service) };
  const answers: Record<string, number> = {};
  const most = Math.max(...MARKS);
  const before = await count('completed');
  let next = 0;
  const work = async () => {
    while (next < most) {
      const number = ++next;
      const type = number % EXTERIOR_EVERY === 0 ? 'exterior' : 'interior';
      const body = bodyOf(photos, type, number % REPORT_EVERY === 0);
      const answer = await fetch(`${service.address}${VISUAL}`, { method: 'POST', headers, body });
      await answer.text();
      answers[answer.status] = (answers[answer.status] ?? 0) + 1;
      if (MARKS.includes(number)) rss[number] = readRssMb(service);
    }
  };
  await loopP99Ms();
  const started = performance.now();
  await Promise.all(Array.from({ length: 4 }, work));
  const seconds = (performance.now() - started) / 1000;
  while ((await count('processing')) > 0) await sleep(200);
  return {
    inspections: most,
    exterior: STAND_IN ? 0 : Math.floor(most / EXTERIOR_EVERY),
    with_report: STAND_IN ? 0 : Math.floor(most / REPORT_EVERY),
    answers,
    completed: (await count('completed')) - before,
    seconds: round(seconds, 0),
    event_loop_p99_ms: await loopP99Ms(),
    rss_mb: rss,
  };
}

/** Measures what large uploads of others cost, with the load average. */
async function pressure() {
  const load = loadavg()[0] ?? 0;
  return { uploads: { load_average: round(load, 1), ...(await measureUploads(work)) } };
}

if (process.argv.includes('uploads')) {
  try {
    process.stdout.write(`${JSON.stringify(await pressure(), null, 2)}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  process.exit();
}

const folder = join(work, 'photos');
mkdirSync(folder);
const host = await fileHost(folder);
try {
  const photos = await makePhotos(folder, host.url);
  const loadStart = loadavg()[0] ?? 0;
  const bare = await run('bare', [join(ROOT, 'test/bench/service/bare-fastify.js')]);
  const vehi = await runVehi();
  const results = { light: await light(vehi, bare) };
  bare.child.kill();
  if (STAND_IN) vehi.child.kill();
  const service = STAND_IN ? await startStandIn(join(work, 'stand-in')) : vehi;
  running.push(service);
  const all = {
    inspections_by: STAND_IN ? 'a stand-in for decoding, models and reports' : 'the shipped models',
    ...results,
    queue: await queue(service, photos),
    memory: await memory(service, photos),
    pressure: await pressure(),
    load_average: { start: round(loadStart, 1), end: round(loadavg()[0] ?? 0, 1) },
  };
  process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
} finally {
  for (const { child } of running) child.kill();
  await host.close();
  rmSync(work, { recursive: true, force: true });
}
