import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild, waitUntilReady } from './child.ts';
import type { ClusterFolder } from './folder.ts';

const ASK_MS = 50;

/** A Redis or Valkey server in the folder of a cluster. */
interface LocalRedis {
  readonly url: string;
  /** Ends a server that an earlier run left. */
  prepare(): Promise<void>;
  /** Starts it; resolves when it answers. */
  start(onSpawn: (child: Child) => void): Promise<void>;
}

/** Sends one command, as a person types it; undefined where nobody answers. */
function ask(path: string, command: string): Promise<string | undefined> {
  return new Promise((done) => {
    const socket = connect({ path });
    const end = (text?: string) => {
      done(text);
      socket.destroy();
    };
    socket.on('connect', () => socket.write(`${command}\r\n`));
    socket.on('data', (text) => end(String(text)));
    socket.on('error', () => end());
    socket.on('close', () => end());
  });
}

/**
 * Returns a Redis server that is not started yet: it keeps its work on disk, removes no keys, and listens on a socket
 * of its user.
 */
export function createLocalRedis(
  program: string,
  folder: ClusterFolder,
  env: Readonly<Record<string, string | undefined>>,
): LocalRedis {
  const socket = join(folder.run, 'redis.sock');
  const answers = async () => (await ask(socket, 'PING'))?.startsWith('+PONG') ?? false;
  return {
    url: `unix://${encodeURI(socket)}`,
    async prepare() {
      if (!(await answers())) return;
      await ask(socket, 'SHUTDOWN');
      while (await answers()) await sleep(ASK_MS);
    },
    async start(onSpawn) {
      const child = startChild({
        name: 'Redis',
        command: program,
        args: [
          ...['--port', '0', '--unixsocket', socket, '--unixsocketperm', '700', '--dir', folder.redis],
          ...['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction'],
        ],
        env: { PATH: env.PATH },
        cwd: folder.redis,
        log: folder.locateLog('Redis'),
      });
      onSpawn(child);
      await waitUntilReady(child, answers, ASK_MS);
    },
  };
}
