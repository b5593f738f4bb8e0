import { createApp } from '../../../src/server/app.ts';
import { createClock } from '../../../src/server/clock.ts';
import type { ServerSettings } from '../../../src/server/server-settings.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { createAccount, createKey } from './accounts.ts';
import { STAND_IN_SETTINGS, standInBackend, startStandInChild } from './stand-in.ts';

// A process of its own, to be killed in the middle: `fault-service.ts DIRECTORY [CHOICES]`; prints address, key and keys.
const [directory = '', choices = '{}'] = process.argv.slice(2);
const {
  requestsPerHour = null,
  accounts = 1,
  workMs = 30,
  settings: chosen = {},
} = JSON.parse(choices) as {
  requestsPerHour?: number;
  /** Accounts to make where there are none, each with a key. */
  accounts?: number;
  /** How long an analysis takes. */
  workMs?: number;
  settings?: Partial<ServerSettings>;
};
const store = openDirectoryStore(directory);
const app = await createApp({
  backend: standInBackend(workMs),
  store,
  clock: createClock(),
  settings: { ...STAND_IN_SETTINGS, opensMetrics: true, ...chosen },
  // As `vehi serve` does: work that was cut off once opens its photos in a process of their own.
  startChild: () => startStandInChild(workMs),
});
for (let made = (await store.accounts.list()).length; made < accounts; made++)
  await createAccount(store, { requestsPerHour });
const keys: string[] = [];
for (const { id } of await store.accounts.list()) keys.push((await createKey(store, id)).text);
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ address, key: keys[0], keys })}\n`);
