import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../../src/server/app.ts';
import { createClock } from '../../../src/server/clock.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from '../../../src/server/settings.ts';
import { mintKey } from '../../../src/storage/keys.ts';
import { PERMISSIONS } from '../../../src/storage/ports.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { fakePrograms } from './programs.ts';

// A process of its own, to be killed in the middle: `fault-service.ts DIRECTORY [CHOICES]`; prints address and key.
const [directory = '', choices = '{}'] = process.argv.slice(2);
const { requestsPerHour = null, settings: chosen = {} } = JSON.parse(choices) as {
  requestsPerHour?: number;
  settings?: Partial<ServerSettings>;
};
const store = openDirectoryStore(directory);
const clock = createClock();
const programs = fakePrograms();
const { inspect } = programs.engine;
const slow = async (...args: Parameters<typeof inspect>) => {
  await sleep(30);
  // The fake remembers every request with its photos, for tests that look at them; nobody looks here.
  programs.fake.seen.length = 0;
  return inspect(...args);
};
const settings = {
  ...DEFAULT_SETTINGS,
  environment: 'sandbox' as const,
  sandbox: true,
  allowPrivate: true,
  // More tries than the receiver of the test refuses, even if one message should get every refusal.
  webhookRetrySeconds: Array.from({ length: 30 }, () => 1),
  // Nothing here is about slowness: a machine that is busy with other things must not make a photo unavailable.
  fetchTimeoutMs: 120_000,
  requestTimeoutMs: 300_000,
  webhookTimeoutMs: 120_000,
  ...chosen,
};
const app = await createApp({ programs: { ...programs, engine: { inspect: slow } }, store, clock, settings });
const createdAt = new Date().toISOString();
const accountId = (await store.accounts.list())[0]?.id ?? clock.newId('acc');
if ((await store.accounts.list()).length === 0) {
  await store.accounts.create({
    id: accountId,
    name: '',
    plan: 'enterprise',
    status: 'active',
    requestsPerHour,
    concurrentRequests: null,
    createdAt,
  });
}
const key = mintKey({
  id: clock.newId('key'),
  accountId,
  environment: 'sandbox',
  name: '',
  permissions: PERMISSIONS,
  createdAt,
  expiresAt: null,
});
await store.keys.create(key.record);
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ address, key: key.text })}\n`);
