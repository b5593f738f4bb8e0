/**
 * Latency of an honest tenant's inspection next to abusive tenants (`npm run bench:tenant`): four photos by upload to
 * `vehi serve` with the shipped models, alone and while others send scan bombs, fill the queue, or hold uploads open.
 * In each round, every disturbance is measured right after a run alone, so the ratios are reliable on a busy machine.
 * Prints one JSON document; exits with 1 if a median exceeds the limit.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { makeSmallPhotos, median, start } from './load.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const VEHI = join(ROOT, 'bin/vehi.js');
const VISUAL = '/v1/inspections/visual';
const VIEWS = ['front', 'rear', 'left_side', 'front_right'] as const;
const LIMIT = 2;
const ROUNDS = Number(process.argv[2] ?? 5);
/** Pending inspections of an abusive tenant. */
const QUEUED = 16;
const BOMB_SCANS = 882;

const work = mkdtempSync(join(tmpdir(), 'vehi-bench-tenant-'));
const data = join(work, 'data');

/** Creates a key of a new account. */
function makeKey(plan: string): string {
  const options = ['--data', data, '--json', '--new-account', plan, '--plan', plan];
  const made = execFileSync(process.execPath, [VEHI, 'admin', 'keys', 'create', ...options], {
    encoding: 'utf8',
  });
  return /dev_[\w-]{43}/.exec(made)?.[0] ?? '';
}

/** Creates a progressive JPEG of 59 megapixels with its last scan repeated. */
async function makeBomb(): Promise<Buffer> {
  const create = { width: 9000, height: 6600, channels: 3, background: '#888' } as const;
  const jpeg = await sharp({ create }).jpeg({ progressive: true }).toBuffer();
  const last = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
  const more = Array.from({ length: BOMB_SCANS - 10 }, () => last);
  return Buffer.concat([jpeg.subarray(0, -2), ...more, jpeg.subarray(-2)]);
}

const photos = await makeSmallPhotos(VIEWS);
const bomb = await makeBomb();
const [honest, hog, slowOne, slowOther] = ['professional', 'professional', 'free', 'free'].map(makeKey);
const args = ['serve', '--sandbox', '--port', '0', '--data', data, '--queue', '1000'];
const service = await start([VEHI, ...args], join(work, 'log'));
const { address } = service;

function makeForm(bytes: readonly Uint8Array[]): FormData {
  const images = bytes.map((_one, i) => ({
    url: `${i}.jpg`,
    angle: VIEWS[i % VIEWS.length],
    type: 'exterior',
  }));
  const form = new FormData();
  form.append('request', JSON.stringify({ vehicle_id: 'veh_bench', images }));
  for (const [i, one] of bytes.entries()) form.append('photos', new Blob([Buffer.from(one)]), `${i}.jpg`);
  return form;
}

interface Answer {
  readonly status: number;
  readonly data: { readonly inspection_id: string; readonly status: string } | undefined;
}

async function ask(key: string | undefined, method: string, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${key}`, ...init.headers };
  const answer = await fetch(`${address}${path}`, { ...init, method, headers });
  const text = await answer.text();
  return { status: answer.status, data: text === '' ? undefined : JSON.parse(text).data } as Answer;
}

/** Measures the seconds from the honest tenant's request to its result. */
async function inspectHonestly(): Promise<number> {
  const startedMs = performance.now();
  let { status, data: made } = await ask(honest, 'POST', VISUAL, { body: makeForm(photos) });
  while (made?.status === 'processing') {
    await sleep(50);
    ({ status, data: made } = await ask(honest, 'GET', `${VISUAL}/${made.inspection_id}`));
  }
  if (made?.status !== 'completed') throw new Error(`the honest inspection was answered ${status}`);
  return (performance.now() - startedMs) / 1000;
}

/** Runs the work during a disturbance; responses to the abusive tenants are counted by status. */
type Disturb = <T>(work: () => Promise<T>, seen: (status: number) => void) => Promise<T>;

/** Sends inspections of four bombs each, all in parallel. */
const sendBombs: Disturb = async (inspect, seen) => {
  const send = async () =>
    seen((await ask(hog, 'POST', VISUAL, { body: makeForm([bomb, bomb, bomb, bomb]) })).status);
  const sent = Promise.all(Array.from({ length: QUEUED }, send));
  return inspect().finally(() => sent);
};

/** Fills the queue with inspections of `count` photos, of which one runs. */
function fillQueue(count: number): Disturb {
  return async (inspect, seen) => {
    const bytes = Array.from({ length: count }, (_one, i) => photos[i % photos.length] as Buffer);
    const headers = { prefer: 'respond-async' };
    const made: string[] = [];
    for (let sent = 0; sent < QUEUED; sent++) {
      const { status, data: one } = await ask(hog, 'POST', VISUAL, { headers, body: makeForm(bytes) });
      seen(status);
      if (one) made.push(one.inspection_id);
    }
    return inspect().finally(async () => {
      const find = async (id: string) => (await ask(hog, 'GET', `${VISUAL}/${id}`)).data?.status;
      const left: string[] = [];
      for (const id of made) if ((await find(id)) === 'processing') left.push(id);
      // Waits for the oldest, which runs or will run soon, so it does not affect the next measurement.
      const [oldest, ...others] = left;
      for (const id of others.reverse()) await ask(hog, 'DELETE', `${VISUAL}/${id}`);
      while (oldest !== undefined && (await find(oldest)) === 'processing') await sleep(100);
    });
  };
}

/** Opens four sockets of two free accounts that announce 250 MB each and send 150 bytes. */
const holdUploads: Disturb = async (inspect, seen) => {
  const sockets = [slowOne, slowOne, slowOther, slowOther].map((key) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => seen(Number(/^HTTP\/1.1 (\d+)/.exec(String(chunk))?.[1] ?? 0)));
    const type = 'content-type: multipart/form-data; boundary=x\r\ncontent-length: 250000000';
    socket.write(
      `POST ${VISUAL} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n${type}\r\n\r\n${'--x\r\n'.repeat(30)}`,
    );
    return socket;
  });
  await sleep(500);
  return inspect().finally(() => {
    for (const socket of sockets) socket.destroy();
  });
};

const DISTURBANCES: Readonly<Record<string, Disturb>> = {
  scan_bombs: sendBombs,
  hog_of_4_photos: fillQueue(4),
  hog_of_12_photos: fillQueue(12),
  slow_uploads: holdUploads,
};

try {
  const loadStart = loadavg()[0] ?? 0;
  // Loads the models.
  await inspectHonestly();
  const rows = Object.keys(DISTURBANCES).map((name) => ({
    name,
    alone: [] as number[],
    disturbed: [] as number[],
    answers: {} as Record<number, number>,
  }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, alone, disturbed, answers } of rows) {
      alone.push(await inspectHonestly());
      const seen = (status: number) => {
        answers[status] = (answers[status] ?? 0) + 1;
      };
      disturbed.push(await (DISTURBANCES[name] as Disturb)(inspectHonestly, seen));
      process.stderr.write(
        `${name}: ${alone.at(-1)?.toFixed(1)} s alone, ${disturbed.at(-1)?.toFixed(1)} s\n`,
      );
    }
  }
  const two = (value: number) => Number(value.toFixed(2));
  const results = rows.map(({ name, alone, disturbed, answers }) => ({
    name,
    alone_s: two(median(alone)),
    disturbed_s: two(median(disturbed)),
    over_alone: two(median(disturbed.map((one, i) => one / (alone[i] ?? 1)))),
    answers,
  }));
  const load = { start: two(loadStart), end: two(loadavg()[0] ?? 0) };
  process.stdout.write(
    `${JSON.stringify({ rounds: ROUNDS, limit: LIMIT, results, load_average: load }, null, 2)}\n`,
  );
  process.exitCode = results.some((one) => one.over_alone > LIMIT) ? 1 : 0;
} finally {
  service.child.kill();
  rmSync(work, { recursive: true, force: true });
}
