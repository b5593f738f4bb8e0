import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A Redis or Valkey server of a test, on a socket in a folder of its own. */
export interface RedisServer {
  readonly url: string;
  /** Kills it; it comes back empty, unless it keeps an append-only file. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops answering without closing anything, until `resume`. */
  hang(): void;
  resume(): void;
  stop(): Promise<void>;
}

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Why tests of Redis are skipped here, or undefined where they are not. */
export const redisMissing =
  program === undefined ? 'needs redis-server or valkey-server (Debian: redis-server)' : undefined;

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

/** Starts a server that keeps nothing on disk, or an append-only file. */
export async function startRedis({ appendOnly = false } = {}): Promise<RedisServer> {
  if (program === undefined) throw new Error(redisMissing);
  const folder = mkdtempSync(join(tmpdir(), 'vehi-redis-'));
  const socket = join(folder, 'redis.sock');
  let child: ChildProcess | undefined;
  async function start(): Promise<void> {
    rmSync(socket, { force: true });
    const settings = [
      '--port',
      '0',
      '--unixsocket',
      socket,
      '--databases',
      '1000',
      '--save',
      '',
      '--appendonly',
      appendOnly ? 'yes' : 'no',
    ];
    child = spawn(program as string, [...settings, '--dir', folder], { stdio: 'ignore' });
    // The socket is there a moment before it listens.
    while (!(await answers(socket))) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
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
  return {
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
