import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { QUEUE_TIMING } from '../../../src/server/work/shared-queue.ts';
import { ask, type Cluster, type Member, startCluster } from '../../cluster/cluster.ts';
import { photoHost, visualRequest } from '../../server/helpers/service.ts';

const VISUAL = '/v1/inspections/visual';
const INSPECTIONS = 200;
const WARM = 20;
const CLIENTS = 10;
/** Concurrent inspections per process, with an instantaneous stand-in. */
const AT_ONCE = 8;
/** Number of killed processes, each during one inspection; the last two processes have capacity for all of these. */
const KILLED = 5;
const SPARE = 2;

const round = (value: number) => Number(value.toFixed(value < 10 ? 2 : 0));

/** Runs a cluster with one API and a function that creates an inspection of four photos. */
async function withCluster<T>(
  work: (parts: {
    cluster: Cluster;
    create: () => Promise<string>;
    /** Resolves when no inspection is pending. */
    untilDone: () => Promise<void>;
  }) => Promise<T>,
): Promise<T> {
  const photos = await photoHost();
  photos.server.keepAliveTimeout = 0;
  const cluster = await startCluster({ durable: true });
  try {
    const key = await cluster.makeKey();
    const api: Member = await cluster.addMember('serve');
    const body = visualRequest(Array.from({ length: 4 }, (_v, i) => `${photos.url}/1920x1080-${i}.jpg`));
    return await work({
      cluster,
      async create() {
        const headers = { prefer: 'respond-async', 'idempotency-key': randomUUID() };
        for (;;) {
          const answer = await ask(api, 'POST', VISUAL, { key, body, headers });
          if (answer?.status === 202)
            return (answer.body as { data: { inspection_id: string } }).data.inspection_id;
          // The disk is shared with other load.
          await sleep(100);
        }
      },
      async untilDone() {
        while ((await cluster.store.inspections.listUnfinished('sandbox')).length > 0) await sleep(20);
      },
    });
  } finally {
    await cluster.stop();
    await photos.close();
  }
}

/** Measures creations per second of one API, and inspections completed per second by one and two processes. */
export async function measureCycles() {
  return withCluster(async ({ cluster, create, untilDone }) => {
    const perSecond: Record<string, number> = {};
    for (const processes of [1, 2]) {
      const createMs = performance.now();
      let left = INSPECTIONS;
      const client = async () => {
        while (left-- > 0) await create();
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      perSecond.created = round((INSPECTIONS * 1000) / (performance.now() - createMs));
      const settings = { workers: AT_ONCE };
      const startMs = performance.now();
      const members = await Promise.all(
        Array.from({ length: processes }, () => cluster.addMember('work', { workMs: 0, settings })),
      );
      const readyMs = performance.now();
      const before = INSPECTIONS - (await cluster.store.inspections.listUnfinished('sandbox')).length;
      await untilDone();
      // Excludes inspections finished during process start-up, and that time.
      perSecond[`finished by ${processes}`] = round(
        ((INSPECTIONS - before) * 1000) / (performance.now() - readyMs),
      );
      perSecond[`finished by ${processes}, with their start`] = round(
        (INSPECTIONS * 1000) / (performance.now() - startMs),
      );
      await Promise.all(members.map((member) => member.kill('SIGTERM')));
    }
    return perSecond;
  });
}

/** Records when inspections are stored and when their first attempt starts, by PostgreSQL's clock. */
const NOTE_STARTS = `
  CREATE TABLE bench_starts (id text PRIMARY KEY, created_at timestamptz NOT NULL, started_at timestamptz);
  CREATE FUNCTION note_start() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN INSERT INTO bench_starts VALUES (NEW.id, clock_timestamp());
    ELSE UPDATE bench_starts SET started_at = clock_timestamp() WHERE id = NEW.id AND started_at IS NULL;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER bench_created AFTER INSERT ON inspections FOR EACH ROW EXECUTE FUNCTION note_start();
  CREATE TRIGGER bench_started AFTER UPDATE OF attempts ON inspections FOR EACH ROW EXECUTE FUNCTION note_start();`;

/** Measures milliseconds from storing an inspection to its start in one of two idle processes. */
export async function measureStart() {
  return withCluster(async ({ cluster, create, untilDone }) => {
    const settings = { workers: AT_ONCE };
    for (let i = 0; i < 2; i++) await cluster.addMember('work', { workMs: 0, settings });
    const client = new pg.Client({ connectionString: cluster.parts.database });
    await client.connect();
    try {
      // Warm-up, because the processes still compile.
      for (let i = 0; i < WARM; i++) await create();
      await untilDone();
      await client.query(NOTE_STARTS);
      for (let i = 0; i < INSPECTIONS; i++) await create();
      await untilDone();
      const { rows } = await client.query(
        'SELECT extract(epoch FROM started_at - created_at) * 1000 AS ms FROM bench_starts ORDER BY ms',
      );
      const at = (share: number) => round(Number(rows[Math.floor(share * rows.length)]?.ms));
      return { inspections: rows.length, p50Ms: at(0.5), p99Ms: at(0.99) };
    } finally {
      await client.end();
    }
  });
}

/** Measures seconds from kill -9 of a process during an inspection to its restart elsewhere, with production timing. */
export async function measureRecovery() {
  return withCluster(async ({ cluster, create, untilDone }) => {
    // Longer than the measurement, so none of them completes.
    const choices = { workMs: 600_000, timing: QUEUE_TIMING, settings: { workers: 1 } };
    const doomed = await Promise.all(
      Array.from({ length: KILLED }, () => cluster.addMember('work', choices)),
    );
    const ids = await Promise.all(Array.from({ length: KILLED }, create));
    const attempts = async (id: string) => (await cluster.store.inspections.get(id))?.attempts ?? 0;
    for (const id of ids) while ((await attempts(id)) < 1) await sleep(20);
    const spare = { ...choices, workMs: 0, settings: { workers: KILLED } };
    await Promise.all(Array.from({ length: SPARE }, () => cluster.addMember('work', spare)));
    const seconds: number[] = [];
    // At different moments between two lock renewals; any assignment of inspections to processes is fine.
    const killedMs: number[] = [];
    for (const member of doomed) {
      await member.kill();
      killedMs.push(performance.now());
      await sleep(1_700);
    }
    const firstMs = Math.min(...killedMs);
    await Promise.all(
      ids.map(async (id) => {
        while ((await attempts(id)) < 2) await sleep(50);
        seconds.push((performance.now() - firstMs) / 1000);
      }),
    );
    await untilDone();
    // From the first kill for all: an upper bound for those killed later.
    return { fromFirstKillSeconds: seconds.map(round).sort((a, b) => a - b), limitSeconds: 45 };
  });
}
