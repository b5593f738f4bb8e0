import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { countDefaultThreads } from '../../vision/run/threads.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext, StopSignal } from '../terminal/context.ts';
import { decideExit } from '../terminal/exit-code.ts';
import { write } from '../terminal/output.ts';
import { formatShellVariables, renderClusterText, sayWorkers } from './cluster-text.ts';
import { choosePostgres, findPrograms } from './find-programs.ts';
import { type ClusterFolder, takeFolder } from './folder.ts';
import { createGroup, type Group, type Part } from './group.ts';
import { createLocalPostgres, readDataMajor } from './postgres.ts';
import { startVehi } from './processes.ts';
import { createLocalRedis } from './redis.ts';

/** Flags of `vehi cluster` as commander hands them over. */
export interface ClusterFlags {
  readonly data: string;
  readonly work: number;
  readonly port: number;
  /** Seconds. */
  readonly grace: number;
  readonly json?: boolean;
}

const HOST = '127.0.0.1';
/** Time that servers have to write what they hold, and processes to end beyond their grace. */
const END_MS = 10_000;
/** One press of Ctrl-C can arrive several times; a person takes longer for the second. */
const SAME_PRESS_MS = 500;

/** The sandbox's service that is started, once it runs. */
interface Running {
  readonly address: string;
  readonly apiKey: string | undefined;
}

/** Runs `vehi cluster` until it is asked to stop; then ends all that it started. */
export async function runCluster(flags: ClusterFlags, ctx: CliContext): Promise<void> {
  const programs = findPrograms(ctx.env);
  await checkPort(flags.port);
  const folder = takeFolder(resolve(ctx.cwd, flags.data));
  try {
    const postgres = choosePostgres(programs.postgres, readDataMajor(folder));
    const group = createGroup((text) => void write(ctx.stderr, `vehi: ${text}\n`));
    const stop = watchStop(ctx);
    const version = `PostgreSQL ${postgres.major}`;
    await write(
      ctx.stderr,
      `vehi: starting ${version}, Redis, one API and ${sayWorkers(flags.work)} in ${flags.data}\n`,
    );
    const database = createLocalPostgres(postgres, folder, ctx.env);
    const redis = createLocalRedis(programs.redis, folder, ctx.env);
    const shared = {
      VEHI_DATABASE: database.url,
      VEHI_REDIS: redis.url,
      VEHI_OBJECTS: pathToFileURL(folder.files).href,
    };
    try {
      const started = startAll({ flags, ctx, folder, group, database, redis, shared });
      // Where it is stopped meanwhile, what it says is of no interest.
      started.catch(() => undefined);
      const running = await Promise.race([started, stop.asked, group.failed]);
      if (typeof running === 'object') {
        await announce(running, { flags, folder, shared, version }, ctx);
        await Promise.race([stop.asked, group.failed]);
      }
      await write(ctx.stderr, 'vehi: stopping after running work; press again to stop now\n');
    } finally {
      await group.end(stop.hurry);
      stop.release();
    }
    await write(ctx.stderr, `vehi: stopped; the same command continues with the data in ${flags.data}\n`);
  } finally {
    folder.release();
  }
}

async function announce(
  { address, apiKey }: Running,
  {
    flags,
    folder,
    shared,
    version,
  }: {
    flags: ClusterFlags;
    folder: ClusterFolder;
    shared: Readonly<Record<string, string>>;
    version: string;
  },
  ctx: CliContext,
): Promise<void> {
  const variables = { ...shared, VEHI_BASE_URL: address, ...defined({ VEHI_API_KEY: apiKey }) };
  writeFileSync(join(folder.path, 'env'), formatShellVariables(variables), { mode: 0o600 });
  const { VEHI_DATABASE: database, VEHI_REDIS: redis, VEHI_OBJECTS: objects } = shared;
  const text = flags.json
    ? `${JSON.stringify({ address, api_key: apiKey ?? null, data: folder.path, database, redis, objects, work: flags.work })}\n`
    : renderClusterText(
        { address, apiKey, data: flags.data, workers: flags.work, postgres: version },
        countColumns(ctx),
      );
  await write(ctx.stdout, text);
}

/** Starts everything, each part once those are ready that it needs. */
async function startAll({
  flags,
  ctx,
  folder,
  group,
  database,
  redis,
  shared,
}: {
  flags: ClusterFlags;
  ctx: CliContext;
  folder: ClusterFolder;
  group: Group;
  database: ReturnType<typeof createLocalPostgres>;
  redis: ReturnType<typeof createLocalRedis>;
  shared: Readonly<Record<string, string>>;
}): Promise<Running> {
  const graceMs = flags.grace * 1000 + END_MS;
  const place = { folder, env: ctx.env, cwd: ctx.cwd, shared, graceMs };
  const server = (part: Pick<Part, 'name' | 'start' | 'endBy'>): Part => ({
    ...part,
    order: 2,
    graceMs: END_MS,
  });
  const vehi = (part: Pick<Part, 'name' | 'start'>): Part => ({
    ...part,
    order: 1,
    endBy: 'SIGTERM',
    graceMs,
  });
  await Promise.all([database.prepare(), redis.prepare()]);
  await Promise.all([
    group.add(server({ name: 'PostgreSQL', start: database.start, endBy: 'SIGINT' })),
    group.add(server({ name: 'Redis', start: redis.start, endBy: 'SIGTERM' })),
  ]);
  let port = flags.port;
  let apiKey = folder.readKey();
  let address = '';
  await group.add(
    vehi({
      name: 'API',
      async start(onSpawn) {
        const words = ['serve', '--sandbox', '--no-work', '--host', HOST, '--port', String(port)];
        const line = JSON.parse(await startVehi('API', words, place, onSpawn));
        address = line.address;
        // Started again, it answers where it did.
        port = Number(new URL(address).port);
        if (line.api_key === undefined) return;
        apiKey = line.api_key;
        folder.keepKey(line.api_key);
      },
    }),
  );
  const threads = Math.max(1, Math.floor((await countDefaultThreads()) / flags.work));
  const workers = Array.from({ length: flags.work }, (_none, i) => `worker ${i + 1}`);
  await Promise.all(
    workers.map((name) =>
      group.add(
        vehi({
          name,
          async start(onSpawn) {
            const words = ['work', '--sandbox', '--base-url', address, '--threads', String(threads)];
            await startVehi(name, [...words, '--grace', String(flags.grace)], place, onSpawn);
          },
        }),
      ),
    ),
  );
  return { address, apiKey };
}

/** Throws VehiError usage/CANNOT_LISTEN before anything is started. */
async function checkPort(port: number): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(port, HOST), 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${message})`;
    throw new VehiError('usage', 'CANNOT_LISTEN', `${HOST}:${port} ${why}`, {
      hint: 'Choose another --port; 0 takes a free one.',
      cause,
    });
  } finally {
    probe.close();
  }
}

/** Waits for a Ctrl-C or TERM, and then for a second one. */
function watchStop(ctx: CliContext): {
  readonly asked: Promise<undefined>;
  readonly hurry: Promise<void>;
  release(): void;
} {
  let hurried: () => void = () => undefined;
  const hurry = new Promise<void>((done) => {
    hurried = done;
  });
  let firstMs = 0;
  // Listening itself, this process is not ended by the second signal: it has others to end first.
  const press = (signal: StopSignal) => {
    if (performance.now() - firstMs < SAME_PRESS_MS) return;
    ctx.setExitCode(decideExit({ check: 'passed' }, { stopped: signal }).code);
    hurried();
  };
  let release = () => {};
  const asked = new Promise<undefined>((done) => {
    release = ctx.onStop(() => {
      firstMs = performance.now();
      process.on('SIGINT', press);
      process.on('SIGTERM', press);
      done(undefined);
    });
  });
  return {
    asked,
    hurry,
    release() {
      release();
      process.off('SIGINT', press);
      process.off('SIGTERM', press);
    },
  };
}
