import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openObjects } from '../../src/cli/service/store.ts';
import type { ServerSettings } from '../../src/server/server-settings.ts';
import { migrateQueue } from '../../src/server/work/shared-queue.ts';
import type { Account } from '../../src/storage/ports.ts';
import { openPostgresStore } from '../../src/storage/postgres/store.ts';
import { endProgram, listProcessWords, startProgram } from '../helpers/services/own-process.ts';
import { postgresMissing, startPostgres } from '../helpers/services/postgres.ts';
import { SWIFT_ENV } from '../helpers/services/swift.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';
import { createAccount, createKey } from '../server/helpers/accounts.ts';
import type { ProcessChoices } from '../server/helpers/service-process.ts';

export const clusterMissing = postgresMissing;

const SETTINGS = { baseUrl: 'http://cluster.test', keepViewsDays: 0, jobRetryMs: 500, queueLimit: 10_000 };

/** A process of the cluster. */
export interface Member {
  readonly kind: 'serve' | 'work';
  /** Where a `serve` answers, also after it was started again. */
  readonly address: string;
  readonly child: ChildProcess;
  kill(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts PostgreSQL, a folder or bucket of files, and processes to be killed, empty.
 * @param bucket the s3: address of the files, else they are in a folder
 */
export async function startCluster({ bucket }: { bucket?: string } = {}) {
  const directory = makeOwnFolder('cluster');
  const postgres = startPostgres();
  const parts = {
    database: postgres.createDatabase(),
    objects: bucket ?? pathToFileURL(directory).href,
    env: SWIFT_ENV,
  };
  const store = await openPostgresStore({
    url: parts.database,
    connections: 4,
    objects: await openObjects(parts.objects, parts),
  });
  await migrateQueue(parts.database);
  const members: Member[] = [];
  return {
    postgres,
    store,
    database: parts.database,
    async addMember(
      kind: Member['kind'],
      /** `workMs`: the time that one inspection takes. */
      { workMs = 30, settings = {} }: { workMs?: number; settings?: Partial<ServerSettings> } = {},
    ): Promise<Member> {
      const port = kind === 'serve' ? await freePort() : undefined;
      const all = { ...SETTINGS, workers: kind === 'work' ? 2 : 0, ...settings };
      const choices: ProcessChoices = { ...parts, port, workMs, settings: all };
      const words = [...listProcessWords('server/helpers/service-process'), kind, JSON.stringify(choices)];
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
            const started = await startProgram(words, 'ignore').catch(() => undefined);
            if (started) {
              child = started.child;
              return;
            }
            await sleep(200);
          }
        },
        kill: (signal) => endProgram(child, signal),
      };
      await member.start();
      members.push(member);
      return member;
    },
    makeKey: async (account?: Partial<Account>) =>
      (await createKey(store, (await createAccount(store, account)).id)).text,
    async stop() {
      await Promise.all(members.map((member) => member.kill()));
      await store.close();
      postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
