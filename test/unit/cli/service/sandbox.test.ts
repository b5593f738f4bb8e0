import { expect, test } from 'vitest';
import { createSandboxKey } from '../../../../src/cli/service/sandbox.ts';
import { createClock } from '../../../../src/server/clock.ts';
import { openTemporaryStore } from '../../../../src/storage/sqlite/store.ts';

test('a sandbox makes a key where none is valid, also where one has expired', async () => {
  const store = openTemporaryStore();
  const clock = createClock();
  expect(await createSandboxKey(store, clock)).toMatch(/^dev_/);
  expect(await createSandboxKey(store, clock)).toBeUndefined();
  const [key] = await store.keys.list();
  await store.keys.expire(key?.id ?? '', new Date().toISOString());
  expect(await createSandboxKey(store, clock)).toMatch(/^dev_/);
  await store.close();
});
