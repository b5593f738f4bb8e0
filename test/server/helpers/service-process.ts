import { pino } from 'pino';
import { openObjects } from '../../../src/cli/service/store.ts';
import { createApp } from '../../../src/server/app.ts';
import { createClock } from '../../../src/server/clock.ts';
import type { ServerSettings } from '../../../src/server/server-settings.ts';
import type { QueueParts } from '../../../src/server/work/queue.ts';
import { createSharedQueue } from '../../../src/server/work/shared-queue.ts';
import { createWorkProcess } from '../../../src/server/work-process.ts';
import { openPostgresStore } from '../../../src/storage/postgres/store.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { createAccount, createKey } from './accounts.ts';
import { SHORT_TIMING, STAND_IN_SETTINGS, standInBackend, startStandInChild } from './stand-in.ts';

/** A data directory, or the addresses that several processes share; what the process does otherwise. */
export type ProcessChoices = {
  readonly port?: number | undefined;
  /** How long an analysis takes. */
  readonly workMs?: number;
  readonly settings?: Partial<ServerSettings>;
} & (
  | { readonly directory: string /** Accounts to make where there are none. */; readonly accounts?: number }
  | { readonly database: string; readonly objects: string; readonly env: Record<string, string> }
);

// A process of its own, to be killed in the middle: `service-process.ts serve|work CHOICES`. Prints its address, and
// with a directory a key of each account.
const [kind, text = '{}'] = process.argv.slice(2);
const choices = JSON.parse(text) as ProcessChoices;
const { port = 0, workMs = 30 } = choices;
const isAlone = 'directory' in choices;
const store = isAlone
  ? openDirectoryStore(choices.directory)
  : await openPostgresStore({
      url: choices.database,
      connections: 5,
      objects: await openObjects(choices.objects, choices),
    });
const parts = {
  backend: standInBackend(workMs),
  store,
  clock: createClock(),
  logger: pino({ level: 'fatal' }),
  settings: { ...STAND_IN_SETTINGS, opensMetrics: true, ...choices.settings },
  // As `vehi serve` does: work that was cut off once opens its photos in a process of their own.
  startChild: () => startStandInChild(workMs),
  ...(!isAlone && {
    createQueue: (own: QueueParts) => createSharedQueue(own, choices.database, SHORT_TIMING),
  }),
};
if (kind === 'work') {
  const worker = await createWorkProcess(parts);
  await worker.start();
  process.on('SIGTERM', () => {
    void worker.stop().then(() => store.close());
  });
  process.stdout.write('{}\n');
} else {
  const app = await createApp(parts);
  const keys: string[] = [];
  if (isAlone) {
    const { accounts = 1 } = choices;
    for (let made = (await store.accounts.list()).length; made < accounts; made++) await createAccount(store);
    for (const { id } of await store.accounts.list()) keys.push((await createKey(store, id)).text);
  }
  const address = await app.listen({ host: '127.0.0.1', port });
  process.stdout.write(`${JSON.stringify({ address, key: keys[0], keys })}\n`);
}
