import { PERMISSIONS } from '../../../src/domain/account.ts';
import { createApp } from '../../../src/server/app.ts';
import { createClock } from '../../../src/server/clock.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from '../../../src/server/server-settings.ts';
import { generateKey } from '../../../src/storage/keys.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { standInBackend, startStandInChild } from './stand-in.ts';

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
const clock = createClock();
const settings = {
  ...DEFAULT_SETTINGS,
  environment: 'sandbox' as const,
  sandbox: true,
  allowPrivate: true,
  opensMetrics: true,
  // More tries than the receiver of the test refuses, even if one message should get every refusal.
  webhookRetrySeconds: Array.from({ length: 30 }, () => 1),
  // Nothing here is about slowness: a machine that is busy with other things must not make a photo unavailable.
  fetchTimeoutMs: 120_000,
  requestTimeoutMs: 300_000,
  webhookTimeoutMs: 120_000,
  ...chosen,
};
const app = await createApp({
  backend: standInBackend(workMs),
  store,
  clock,
  settings,
  // As `vehi serve` does: work that was cut off once opens its photos in a process of their own.
  startChild: () => startStandInChild(workMs),
});
const createdAt = new Date().toISOString();
for (let made = (await store.accounts.list()).length; made < accounts; made++) {
  await store.accounts.create({
    id: clock.newId('acc'),
    name: '',
    plan: 'enterprise',
    status: 'active',
    requestsPerHour,
    concurrentRequests: null,
    createdAt,
  });
}
const keys: string[] = [];
for (const { id: accountId } of await store.accounts.list()) {
  const { text, record } = generateKey({
    id: clock.newId('key'),
    accountId,
    environment: 'sandbox',
    name: '',
    permissions: PERMISSIONS,
    createdAt,
    expiresAt: null,
  });
  await store.keys.create(record);
  keys.push(text);
}
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ address, key: keys[0], keys })}\n`);
