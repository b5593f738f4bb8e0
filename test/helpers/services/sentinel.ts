import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { redisMissing, redisProgram } from './redis.ts';

/** A primary, its replica, and a Sentinel that makes the one the other when it dies; each asks for a password. */
export interface WatchedRedis {
  /** Names a host that nobody answers at, then the Sentinel. */
  readonly url: string;
  readonly passwords: { readonly redis: string; readonly sentinel: string };
  /** The address of the replica, as somebody gives it by mistake. */
  readonly replicaUrl: string;
  readonly sentinelUrl: string;
  killPrimary(): Promise<void>;
  stop(): Promise<void>;
}

const NAME = 'vehi-primary';
const PASSWORDS = { redis: 'of the servers', sentinel: 'of the Sentinel' } as const;
/** The Sentinel takes a primary for dead that has not answered for so long. */
const DOWN_MS = 2_000;

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Asks a server until its answer is the right one. */
async function untilSaid(
  port: number,
  password: string,
  [command = '', ...words]: readonly string[],
  isRight: (answer: string) => boolean,
): Promise<void> {
  const client = new Redis({ port, password });
  client.on('error', () => undefined);
  try {
    for (;;) {
      const answer = await client.call(command, ...words).catch(String);
      if (isRight(JSON.stringify(answer))) return;
      await sleep(50);
    }
  } finally {
    client.disconnect();
  }
}

/** Starts them on free ports, with their files in a folder that is gone when they are stopped. */
export async function startWatchedRedis(): Promise<WatchedRedis> {
  const program = redisProgram;
  if (program === undefined) throw new Error(redisMissing);
  const folder = mkdtempSync(join(tmpdir(), 'vehi-sentinel-'));
  const [primaryPort = 0, replicaPort = 0, sentinelPort = 0, closedPort = 0] = await freePorts(4);
  const children: ChildProcess[] = [];
  const start = (name: string, port: number, lines: readonly string[], more: readonly string[] = []) => {
    const file = join(folder, `${name}.conf`);
    const common = ['bind 127.0.0.1', `port ${port}`, `dir ${folder}`, `logfile ${file}.log`];
    writeFileSync(file, [...common, ...lines, ''].join('\n'));
    const child = spawn(program, [file, ...more], { stdio: 'ignore' });
    children.push(child);
    return child;
  };
  const server = [
    ...['save ""', 'repl-diskless-sync-delay 0'],
    ...[`requirepass "${PASSWORDS.redis}"`, `masterauth "${PASSWORDS.redis}"`],
  ];
  const primary = start('primary', primaryPort, server);
  start('replica', replicaPort, [...server, `dbfilename replica.rdb`, `replicaof 127.0.0.1 ${primaryPort}`]);
  await untilSaid(replicaPort, PASSWORDS.redis, ['INFO', 'replication'], (said) =>
    said.includes('master_link_status:up'),
  );
  const watched = [
    `sentinel monitor ${NAME} 127.0.0.1 ${primaryPort} 1`,
    `sentinel auth-pass ${NAME} "${PASSWORDS.redis}"`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_MS}`,
    `sentinel failover-timeout ${NAME} 5000`,
    `requirepass "${PASSWORDS.sentinel}"`,
  ];
  start('sentinel', sentinelPort, watched, ['--sentinel']);
  await untilSaid(sentinelPort, PASSWORDS.sentinel, ['SENTINEL', 'replicas', NAME], (said) =>
    said.includes(`"${replicaPort}"`),
  );
  const end = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const dead = once(child, 'exit');
    child.kill('SIGKILL');
    await dead;
  };
  return {
    url: `redis://127.0.0.1:${closedPort},127.0.0.1:${sentinelPort}/2?sentinel=${NAME}&prefix=try`,
    passwords: PASSWORDS,
    replicaUrl: `redis://127.0.0.1:${replicaPort}`,
    sentinelUrl: `redis://127.0.0.1:${sentinelPort}`,
    killPrimary: () => end(primary),
    async stop() {
      await Promise.all(children.map(end));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
