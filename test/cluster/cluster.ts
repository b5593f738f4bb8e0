import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openObjects } from '../../src/cli/service/store.ts';
import type { ServerSettings } from '../../src/server/server-settings.ts';
import { migrateQueue } from '../../src/server/work/shared-queue.ts';
import type { Account, Store } from '../../src/storage/ports.ts';
import { openPostgresStore } from '../../src/storage/postgres/store.ts';
import { listProcessWords } from '../helpers/services/own-process.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../helpers/services/postgres.ts';
import { SWIFT_ENV } from '../helpers/services/swift.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';
import { createAccount, createKey } from '../server/helpers/accounts.ts';

export const clusterMissing = postgresMissing;

/** A process of the cluster. */
export interface Member {
  readonly kind: 'serve' | 'work';
  /** Where a `serve` answers, also after it was started again. */
  readonly address: string;
  readonly child: ChildProcess;
  kill(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
}

/** PostgreSQL, a folder or bucket of files, and processes to be killed. */
export interface Cluster {
  readonly postgres: PostgresServer;
  readonly store: Store;
  readonly parts: { readonly database: string; readonly objects: string };
  addMember(
    kind: Member['kind'],
    /** `workMs`: the time that one inspection takes. */
    choices?: { workMs?: number; settings?: Partial<ServerSettings> },
  ): Promise<Member>;
  makeKey(account?: Partial<Account>): Promise<string>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts it empty.
 * @param bucket the s3: address of the files, else they are in a folder
 */
export async function startCluster({ bucket }: { bucket?: string } = {}): Promise<Cluster> {
  const directory = makeOwnFolder('cluster');
  const postgres = startPostgres();
  const parts = {
    database: postgres.createDatabase(),
    objects: bucket ?? pathToFileURL(directory).href,
  };
  const store = await openPostgresStore({
    url: parts.database,
    connections: 4,
    objects: await openObjects(parts.objects, { env: SWIFT_ENV }),
  });
  await migrateQueue(parts.database);
  const members: Member[] = [];
  return {
    postgres,
    store,
    parts,
    async addMember(kind, choices = {}) {
      const port = kind === 'serve' ? await freePort() : undefined;
      const args = [
        ...listProcessWords('cluster/process'),
        kind,
        JSON.stringify({ ...parts, ...choices, port }),
      ];
      let child: ChildProcess;
      const member: Member = {
        kind,
        address: `http://127.0.0.1:${port}`,
        get child() {
          return child;
        },
        async start() {
          // What it needs may be away just now.
          for (;;) {
            child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
            const line = once(child.stdout as NodeJS.ReadableStream, 'data').then(() => true);
            if (await Promise.race([line, once(child, 'exit').then(() => false)])) return;
            await sleep(200);
          }
        },
        async kill(signal = 'SIGKILL') {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const dead = once(child, 'exit');
          child.kill(signal);
          await dead;
        },
      };
      await member.start();
      members.push(member);
      return member;
    },
    makeKey: async (account) => (await createKey(store, (await createAccount(store, account)).id)).text,
    async stop() {
      await Promise.all(members.map((member) => member.kill()));
      await store.close();
      postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Asks a member; undefined where it did not answer. */
export async function ask(
  member: Member,
  method: string,
  path: string,
  { key, body, headers = {} }: { key: string; body?: object; headers?: Record<string, string> },
): Promise<{ status: number; headers: Headers; body: never } | undefined> {
  try {
    const answer = await fetch(`${member.address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never };
  } catch {
    return undefined;
  }
}
