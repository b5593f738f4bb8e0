import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCallers } from '../../src/server/http/callers.ts';
import { mintKey } from '../../src/storage/keys.ts';
import type { Account, ApiKey, Store } from '../../src/storage/ports.ts';
import { openDirectoryStore } from '../../src/storage/sqlite/store.ts';

const AT = '2026-01-01T00:00:00.000Z';
const ACCOUNT: Account = {
  id: 'acc_1',
  name: '',
  plan: 'starter',
  status: 'active',
  requestsPerHour: null,
  concurrentRequests: null,
  createdAt: AT,
};

let directory: string;
let here: Store;
/** Another process on the same data directory, as `vehi keys` is: a connection of its own. */
let elsewhere: Store;
let key: ApiKey;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vehi-callers-'));
  here = openDirectoryStore(directory);
  elsewhere = openDirectoryStore(directory);
  await here.accounts.create(ACCOUNT);
  key = mintKey({
    id: 'key_1',
    accountId: ACCOUNT.id,
    environment: 'production',
    name: '',
    permissions: [],
    createdAt: AT,
    expiresAt: null,
  }).record;
  await here.keys.create(key);
});
afterEach(async () => {
  await here.close();
  await elsewhere.close();
  rmSync(directory, { recursive: true });
});

/** The store's keys, with a count of how often they were looked up. */
function counted() {
  let lookUps = 0;
  return {
    version: () => here.keys.version(),
    find(sha256: string) {
      lookUps++;
      return here.keys.find(sha256);
    },
    get lookUps() {
      return lookUps;
    },
  };
}

describe('callers', () => {
  it('are looked up once while nothing changes, and answered at once from then on', async () => {
    const keys = counted();
    const callers = createCallers(keys);
    expect((await callers.find(key.sha256))?.account).toEqual(ACCOUNT);
    for (let i = 0; i < 3; i++) {
      await sleep(2);
      await here.rates.reserve({ accountId: 'acc_1', windowStartMs: 0, count: 1 }, null, 0);
      expect(callers.find(key.sha256)).not.toBeInstanceOf(Promise);
    }
    expect(keys.lookUps).toBe(1);
  });

  it.each([
    ['a revoked key', (store: Store) => store.keys.revoke(key.id, AT), { key: { revokedAt: AT } }],
    ['an expiry', (store: Store) => store.keys.expire(key.id, AT), { key: { expiresAt: AT } }],
    ['a last use', (store: Store) => store.keys.touch(key.id, AT), { key: { lastUsedAt: AT } }],
    [
      'a suspension',
      (store: Store) => store.accounts.update('acc_1', { status: 'suspended' }),
      { account: { status: 'suspended' } },
    ],
  ] as const)('%s is seen at the next request, whoever wrote it', async (_name, write, changed) => {
    for (const writer of [elsewhere, here]) {
      const callers = createCallers(here.keys);
      await callers.find(key.sha256);
      await sleep(2);
      await callers.find(key.sha256);
      await write(writer);
      // Another process's writing is heard of in the next millisecond.
      if (writer === elsewhere) await sleep(2);
      expect(await callers.find(key.sha256)).toMatchObject(changed);
    }
  });

  it('do not keep what was read before a change', async () => {
    const callers = createCallers({
      version: () => here.keys.version(),
      async find(sha256) {
        const found = await here.keys.find(sha256);
        await here.keys.revoke(key.id, AT);
        return found;
      },
    });
    await callers.find(key.sha256);
    expect((await createCallers(here.keys).find(key.sha256))?.key.revokedAt).toBe(AT);
    expect(callers.find(key.sha256)).toBeInstanceOf(Promise);
  });

  it('do not keep keys that do not exist', async () => {
    const keys = counted();
    const callers = createCallers(keys);
    expect(await callers.find('nobody')).toBeUndefined();
    expect(await callers.find('nobody')).toBeUndefined();
    expect(keys.lookUps).toBe(2);
  });
});
