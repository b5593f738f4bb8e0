import { expect, test } from 'vitest';
import { createSandboxKey } from '../../../../src/cli/service/sandbox.ts';
import { createClock } from '../../../../src/server/clock.ts';
import type { ApiKey } from '../../../../src/storage/ports.ts';
import { openTemporaryStore } from '../../../../src/storage/sqlite/store.ts';

test('a sandbox makes a key where none is valid, also where one has expired', async () => {
  const store = openTemporaryStore();
  const clock = createClock();
  expect(await createSandboxKey(store, clock)).toMatch(/^dev_/);
  expect(await createSandboxKey(store, clock)).toBeUndefined();
  const [key] = (await store.keys.list()) as [ApiKey];
  const now = new Date().toISOString();
  const expired = { ...key, id: 'key_2', sha256: 'another', expiresAt: now };
  await store.keys.replace(key.id, { replacedAt: now, expiresAt: now }, expired);
  expect(await createSandboxKey(store, clock)).toMatch(/^dev_/);
  await store.close();
});
