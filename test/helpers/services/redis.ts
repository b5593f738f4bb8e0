import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** A Redis or Valkey server of a test, on a socket in a folder of its own. */
export interface RedisServer {
  readonly url: string;
  /** 0 where it listens on its socket only. */
  readonly port: number;
  /** Kills it; it comes back empty, unless it keeps an append-only file. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops answering without closing anything, until `resume`. */
  hang(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** A Redis or Valkey server on the path; it plays Sentinel too. */
export const redisProgram = ['redis-server', 'valkey-server'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** Why tests of Redis are skipped here, or undefined where they are not. */
export const redisMissing =
  redisProgram === undefined ? 'needs redis-server or valkey-server (Debian: redis-server)' : undefined;

async function answers(socket: string): Promise<boolean> {
  const connection = connect(socket);
  try {
    await once(connection, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

/** Slots of a Redis Cluster. */
const SLOTS = 16_384;

/** Gives a server all slots, which it then serves alone. */
async function takeSlots(socket: string): Promise<void> {
  // A server that ends while it starts must fail the test, not be connected to for ever.
  const client = new Redis({ path: socket, retryStrategy: () => null });
  try {
    await client.cluster('ADDSLOTS', ...Array.from({ length: SLOTS }, (_v, i) => i));
    while (!String(await client.cluster('INFO')).includes('cluster_state:ok')) await sleep(20);
  } finally {
    client.disconnect();
  }
}

/** Returns a port that is free, as is the one that the nodes of a cluster talk at, 10,000 above. */
async function clusterPort(): Promise<number> {
  for (;;) {
    const port = await listenBriefly(0);
    if (port !== null && port < 55_000 && (await listenBriefly(port + 10_000)) !== null) return port;
  }
}

/** Returns the port if it could be listened at; 0 takes any; null if it is taken. */
async function listenBriefly(wanted: number): Promise<number | null> {
  const server = createServer().listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const { port } = server.address() as { port: number };
  await once(server.close(), 'close');
  return port;
}

/**
 * Starts a server that keeps nothing on disk, or an append-only file.
 * @param cluster `all`: a Redis Cluster of one, which refuses commands on keys of several slots; `none`: one without slots
 */
export async function startRedis({
  appendOnly = false,
  cluster,
}: {
  appendOnly?: boolean;
  cluster?: 'all' | 'none';
} = {}): Promise<RedisServer> {
  if (redisProgram === undefined) throw new Error(redisMissing);
  const folder = mkdtempSync(join(tmpdir(), 'vehi-redis-'));
  const socket = join(folder, 'redis.sock');
  const port = cluster === undefined ? 0 : await clusterPort();
  const mode =
    cluster === undefined ? ['--databases', '1000'] : ['--cluster-enabled', 'yes', '--bind', '127.0.0.1'];
  let child: ChildProcess | undefined;
  async function start(): Promise<void> {
    rmSync(socket, { force: true });
    const settings = [
      '--port',
      String(port),
      ...mode,
      '--unixsocket',
      socket,
      '--save',
      '',
      '--appendonly',
      appendOnly ? 'yes' : 'no',
    ];
    child = spawn(redisProgram as string, [...settings, '--dir', folder], { stdio: 'ignore' });
    // The socket is there a moment before it listens.
    while (!(await answers(socket))) {
      if (child.exitCode !== null) throw new Error(`${redisProgram} ended with ${child.exitCode}`);
      await sleep(10);
    }
  }
  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const dead = once(child, 'exit');
    child.kill('SIGKILL');
    await dead;
  }
  await start();
  if (cluster === 'all') await takeSlots(socket);
  return {
    port,
    url: `unix://${socket}`,
    start,
    kill,
    async restart() {
      await kill();
      await start();
    },
    hang: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
