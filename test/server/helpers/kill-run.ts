import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { listProcessWords } from '../../helpers/services/own-process.ts';
import { startReceiver } from './listen.ts';
import { good, visualRequest } from './photo-host.ts';

const VISUAL = '/v1/inspections/visual';

/** What a run of kills found; all but the first three must be empty or zero. */
export interface KillReport {
  readonly kills: number;
  readonly keys: number;
  readonly completed: number;
  /** How often the inspection was begun that was begun most often. */
  readonly attemptsMost: number;
  /** Keys whose inspection is not there, or not completed, with what it ended as. */
  readonly lost: readonly string[];
  /** Keys that made more than one inspection. */
  readonly doubled: readonly string[];
  /** Inspections that no key made. */
  readonly unknown: readonly string[];
  /** Inspections that were reported under more than one message, or not at all. */
  readonly eventsWrong: readonly string[];
  /** What SQLite says of the database, other than "ok". */
  readonly databaseFaults: readonly string[];
}

/** Before every so many-th kill the write lock is held for so long. */
const LOCK_EVERY = 4;
const LOCK_MS = 2_500;

/** Starts a service as a process of its own, with these choices (`fault-service.ts`). */
export function startProcess(
  directory: string,
  choices: object = {},
): Promise<{ address: string; key: string; child: ChildProcess }> {
  return new Promise((done, fail) => {
    const words = listProcessWords('server/helpers/fault-service');
    const child = spawn(process.execPath, [...words, directory, JSON.stringify(choices)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.on('close', (code) => fail(new Error(`ended with ${code}`)));
    child.stdout.once('data', (line) => done({ ...JSON.parse(String(line)), child }));
  });
}

/** Creations under way are refused for as long as another process holds the write lock, also past the service's wait. */
async function holdWriteLock(directory: string): Promise<void> {
  const db = new DatabaseSync(`${directory}/vehi.db`);
  db.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
  await sleep(LOCK_MS);
  db.close();
}

/**
 * Creates inspections, each with an `Idempotency-Key` of its own, while the service is killed and started again and
 * again. A client sends a request again, with its key, until it has an answer, as clients should.
 */
export async function runKills(options: {
  directory: string;
  keys: number;
  kills: number;
  clients: number;
  /** Deliveries that the receiver refuses. */
  refusals: number;
}): Promise<KillReport> {
  const { directory, keys, kills, clients } = options;
  let { refusals } = options;
  const messages = new Map<string, Set<string>>();
  const receiver = await startReceiver((response, { headers, body }) => {
    if (refusals-- > 0) return response.writeHead(500).end();
    const { inspection_id: id } = JSON.parse(body).data;
    messages.set(id, (messages.get(id) ?? new Set()).add(headers['webhook-id'] ?? ''));
    response.end();
  });
  let service = await startProcess(directory);
  const ask = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const answer = await fetch(`${service.address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
    return { status: answer.status, data: ((await answer.json()) as any).data };
  };
  await ask('POST', '/v1/webhooks', { url: receiver.url });
  const made = new Map<string, string>();
  let next = 0;
  const client = async () => {
    while (next < keys) {
      const number = next++;
      const key = `key-${number}`;
      const headers = { 'idempotency-key': key, prefer: number % 2 === 0 ? 'respond-async' : '' };
      while (!made.has(key)) {
        const answer = await ask('POST', VISUAL, visualRequest(good(), { vehicle_id: key }), headers).catch(
          () => undefined,
        );
        if (answer !== undefined && answer.status < 300) made.set(key, answer.data.inspection_id);
        else await sleep(50);
      }
    }
  };
  const total = async (query: string) =>
    (await ask('GET', `${VISUAL}?limit=1&${query}`)).data.pagination.total;
  const killer = async () => {
    for (let kill = 1; kill <= kills; kill++) {
      // The kills are spread over all creations, each at another moment of one.
      while (made.size < (keys * kill) / (kills + 1)) await sleep(5);
      await sleep((kill * 7) % 40);
      if (kill % LOCK_EVERY === 0) await holdWriteLock(directory);
      const dead = once(service.child, 'exit');
      service.child.kill('SIGKILL');
      await dead;
      service = await startProcess(directory);
    }
  };
  try {
    await Promise.all([killer(), ...Array.from({ length: clients }, client)]);
    while ((await total('status=processing')) > 0) await sleep(100);
    const stored: { inspection_id: string; vehicle_id: string; status: string }[] = [];
    for (let offset = 0; offset < (await total('')); offset += 100) {
      stored.push(...(await ask('GET', `${VISUAL}?limit=100&offset=${offset}`)).data.inspections);
    }
    const completed = stored.filter(({ status }) => status === 'completed');
    const endings = new Map<string, string>();
    for (const { inspection_id: id, vehicle_id: key, status } of stored) {
      if (status === 'completed') continue;
      const { failure } = (await ask('GET', `${VISUAL}/${id}`)).data;
      endings.set(key, `${key}: ${status} ${JSON.stringify(failure)}`);
    }
    const untold = () => completed.filter(({ inspection_id: id }) => messages.get(id)?.size !== 1);
    for (let wait = 0; wait < 300 && untold().length > 0; wait++) await sleep(100);
    const dead = once(service.child, 'exit');
    service.child.kill('SIGKILL');
    await dead;
    const db = new DatabaseSync(`${directory}/vehi.db`);
    const verdicts = [
      ...db.prepare('PRAGMA integrity_check').all(),
      ...db.prepare('PRAGMA foreign_key_check').all(),
    ];
    const begun = db.prepare('SELECT max(attempts) AS most FROM inspections').get();
    db.close();
    const ids = new Map(completed.map(({ inspection_id: id, vehicle_id: key }) => [key, id]));
    const all = stored.map(({ vehicle_id: key }) => key);
    return {
      kills,
      keys,
      completed: completed.length,
      attemptsMost: Number(begun?.most),
      lost: [...made]
        .filter(([key, id]) => ids.get(key) !== id)
        .map(([key]) => endings.get(key) ?? `${key}: not there`),
      doubled: all.filter((key, i) => all.indexOf(key) !== i),
      unknown: all.filter((key) => !made.has(key)),
      eventsWrong: untold().map(({ inspection_id: id }) => id),
      databaseFaults: verdicts.map((row) => JSON.stringify(row)).filter((text) => !text.includes('"ok"')),
    };
  } finally {
    service.child.kill('SIGKILL');
    await receiver.close();
  }
}
