/**
 * What the service costs under load: light requests against a bare Fastify route, 200 inspections at once through the
 * queue, and memory over 2,000 inspections. Prints one JSON document; nothing here is a test.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';

const ROOT = resolve(import.meta.dirname, '../..');
const VEHI = join(ROOT, 'bin/vehi.js');
const VISUAL = '/v1/inspections/visual';
const VIEWS = ['front', 'rear', 'left_side', 'front_right'] as const;
const ROUNDS = 5;
const SECONDS = 4;
/** A share below 1 of everything, for trying the program itself. */
const SHARE = Number(process.env.VEHI_BENCH_SHARE ?? 1);
const AT_ONCE = 200 * SHARE;
const MARKS = [200, 1000, 2000].map((mark) => mark * SHARE);
/**
 * The memory run's mix: every twentieth inspection has exterior photos, which go through the models; the others have
 * interior ones, which are fetched, decoded, judged and stored all the same. Every fifth makes its PDF report.
 */
const EXTERIOR_EVERY = 20;
const REPORT_EVERY = 5;

const children: ChildProcess[] = [];
const round = (value: number, digits = 2) => Number(value.toFixed(digits));
const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Starts a program that prints a JSON line with its address. */
function start(args: readonly string[], log: string): Promise<{ address: string; pid: number }> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', openSync(log, 'w')] });
    children.push(child);
    child.once('exit', (code) => fail(new Error(`${args[0]} ended with ${code}; see ${log}`)));
    child.stdout?.once('data', (line) =>
      done({ address: JSON.parse(String(line)).address as string, pid: child.pid ?? 0 }),
    );
  });
}

interface Load {
  readonly requests: { readonly average: number };
  readonly statusCodeStats?: Readonly<Record<string, { readonly count: number }>>;
}

/** Loads an address from a process of its own. */
async function autocannon(
  url: string,
  headers: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Load> {
  const all = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'node_modules/autocannon/autocannon.js'), '--json', '--no-progress', ...args, ...all, url],
    { maxBuffer: 2 ** 24 },
  );
  return JSON.parse(stdout) as Load;
}

const rssMb = (pid: number) =>
  round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024, 0);

/** The demo vehicle at the smallest size the contract takes: 1280x720. */
async function smallPhotos(folder: string): Promise<string[]> {
  mkdirSync(folder);
  return Promise.all(
    VIEWS.map(async (view) => {
      const path = join(folder, `${view}.jpg`);
      await sharp(join(ROOT, 'fixtures/vehicle', `${view}.jpg`))
        .resize(1280, 720, { fit: 'cover' })
        .jpeg({ quality: 85 })
        .toFile(path);
      return pathToFileURL(path).href;
    }),
  );
}

const work = mkdtempSync(join(tmpdir(), 'vehi-bench-serve-'));
try {
  const photos = await smallPhotos(join(work, 'photos'));
  const data = join(work, 'data');
  const made = execFileSync(
    process.execPath,
    [
      VEHI,
      'keys',
      'create',
      '--json',
      '--data',
      data,
      '--new-account',
      'bench',
      '--plan',
      'enterprise',
    ].concat(['--environment', 'production']),
    { encoding: 'utf8' },
  );
  const key = /prod_[\w-]{43}/.exec(made)?.[0] ?? '';
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const bare = await start([join(ROOT, 'test/bench/bare-fastify.js')], join(work, 'bare.log'));
  const service = await start(
    [VEHI, 'serve', '--port', '0', '--data', data, '--allow-files', join(work, 'photos')],
    join(work, 'serve.log'),
  );
  const body = (type: 'exterior' | 'interior', report = true) =>
    JSON.stringify({
      vehicle_id: 'veh_bench',
      options: { generate_report: report },
      images: photos.map((url, i) => ({ url, type, angle: type === 'interior' ? 'interior' : VIEWS[i] })),
    });
  const get = async (path: string) =>
    (await fetch(`${service.address}${path}`, { headers })).json() as Promise<{
      data: { status: string; pagination: { total: number } };
    }>;
  const count = async (status: string) =>
    (await get(`${VISUAL}?status=${status}&limit=1`)).data.pagination.total;
  /** 99th percentile of the service's event loop delay since it was last asked, ms. */
  const loopP99Ms = async () => {
    const text = await (await fetch(`${service.address}/metrics`)).text();
    return round(Number(/^vehi_event_loop_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000, 1);
  };
  const perSecond = async (url: string) =>
    (await autocannon(url, headers, ['-c', '10', '-d', String(SECONDS)])).requests.average;

  const created = await fetch(`${service.address}${VISUAL}`, {
    method: 'POST',
    headers,
    body: body('exterior'),
  });
  if (created.status !== 201) throw new Error(await created.text());
  const one = new URL(created.headers.get('location') ?? '').pathname;
  const loads = { start: loadavg()[0] };
  const rssStartMb = rssMb(service.pid);

  const rounds: { bare: number; authTest: number; inspection: number }[] = [];
  await loopP99Ms();
  for (let i = 0; i < ROUNDS; i++) {
    rounds.push({
      bare: await perSecond(`${bare.address}/bare`),
      authTest: await perSecond(`${service.address}/v1/auth/test`),
      inspection: await perSecond(`${service.address}${one}`),
    });
  }
  const lightLoop = await loopP99Ms();

  const before = await count('completed');
  const started = performance.now();
  const posted = await autocannon(`${service.address}${VISUAL}`, { ...headers, prefer: 'respond-async' }, [
    ...['-m', 'POST', '-b', body('exterior'), '-t', '120'],
    ...['-c', String(AT_ONCE), '-a', String(AT_ONCE)],
  ]);
  const acceptedMs = performance.now() - started;
  const lightMs: number[] = [];
  while ((await count('processing')) > 0) {
    const asked = performance.now();
    await get('/v1/auth/test');
    lightMs.push(performance.now() - asked);
    await sleep(100);
  }
  const drainedMs = performance.now() - started;
  const queue = {
    posted: AT_ONCE,
    answers: Object.fromEntries(
      Object.entries(posted.statusCodeStats ?? {}).map(([status, { count: n }]) => [status, n]),
    ),
    completed: (await count('completed')) - before,
    failed: await count('failed'),
    accepted_ms: round(acceptedMs, 0),
    drained_ms: round(drainedMs, 0),
    event_loop_p99_ms: await loopP99Ms(),
    light_get_p99_ms: round(lightMs.sort((a, b) => a - b)[Math.floor(lightMs.length * 0.99)] ?? 0, 1),
    rss_mb: rssMb(service.pid),
  };

  const rss: Record<string, number> = {};
  const refused: Record<string, number> = {};
  let next = 0;
  const run = async () => {
    while (next < Math.max(...MARKS)) {
      const number = ++next;
      const answer = await fetch(`${service.address}${VISUAL}`, {
        method: 'POST',
        headers,
        body: body(number % EXTERIOR_EVERY === 0 ? 'exterior' : 'interior', number % REPORT_EVERY === 0),
      });
      await answer.text();
      if (answer.status !== 201) refused[answer.status] = (refused[answer.status] ?? 0) + 1;
      if (MARKS.includes(number)) rss[number] = rssMb(service.pid);
    }
  };
  const memoryStarted = performance.now();
  await Promise.all(Array.from({ length: 4 }, run));
  const memory = {
    inspections: Math.max(...MARKS),
    with_model_passes: Math.floor(Math.max(...MARKS) / EXTERIOR_EVERY),
    with_pdf_report: Math.floor(Math.max(...MARKS) / REPORT_EVERY),
    not_201: refused,
    seconds: round((performance.now() - memoryStarted) / 1000, 0),
    event_loop_p99_ms: await loopP99Ms(),
    rss_mb: { start: rssStartMb, ...rss },
  };

  process.stdout.write(
    `${JSON.stringify(
      {
        load_average: { start: round(loads.start ?? 0, 1), end: round(loadavg()[0] ?? 0, 1) },
        light: {
          bare_per_s: round(median(rounds.map((r) => r.bare)), 0),
          auth_test_per_s: round(median(rounds.map((r) => r.authTest)), 0),
          inspection_per_s: round(median(rounds.map((r) => r.inspection)), 0),
          auth_test_over_bare: round(median(rounds.map((r) => r.authTest / r.bare))),
          inspection_over_bare: round(median(rounds.map((r) => r.inspection / r.bare))),
          event_loop_p99_ms: lightLoop,
        },
        queue,
        memory,
      },
      null,
      2,
    )}\n`,
  );
} finally {
  for (const child of children) child.kill();
  if (process.env.VEHI_BENCH_KEEP === undefined) rmSync(work, { recursive: true, force: true });
  else process.stderr.write(`kept ${work}\n`);
}
