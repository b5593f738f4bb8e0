import { readdir } from 'node:fs/promises';
import { PERMISSIONS } from '../../domain/account.ts';
import { resolvePackagePath } from '../../lib/package.ts';
import type { ServerClock } from '../../server/clock.ts';
import { DEMO_PHOTO_NAME, DEMO_PHOTOS_PATH } from '../../server/links.ts';
import { generateKey, getKeyStatus } from '../../storage/keys.ts';
import type { Account, Store } from '../../storage/ports.ts';

/** Folder of the demo vehicle's photos served by the sandbox. */
export const DEMO_PHOTOS = resolvePackagePath('fixtures/vehicle/');

/** Makes an active account with the limits of its plan. */
export const makeAccount = (of: Pick<Account, 'id' | 'name' | 'plan'>, now: Date): Account => ({
  ...of,
  status: 'active',
  requestsPerHour: null,
  concurrentRequests: null,
  createdAt: now.toISOString(),
});

/** Creates a sandbox account and returns its key; undefined if a valid sandbox key already exists. */
export async function createSandboxKey(store: Store, clock: ServerClock): Promise<string | undefined> {
  const keys = (await store.keys.list()).filter((key) => key.environment === 'sandbox');
  if (keys.some((key) => getKeyStatus(key, clock.wallMs()) === 'valid')) return undefined;
  const account = makeAccount({ id: clock.newId('acc'), name: 'Sandbox', plan: 'professional' }, clock.now());
  await store.accounts.create(account);
  const { text: key, record } = generateKey({
    id: clock.newId('key'),
    accountId: account.id,
    environment: 'sandbox',
    name: 'made by vehi serve --sandbox',
    permissions: PERMISSIONS,
    createdAt: account.createdAt,
    expiresAt: null,
  });
  await store.keys.create(record);
  return key;
}

/** Returns the URLs of the demo vehicle's photos on the service at `address`. */
export async function listDemoPhotos(address: string): Promise<string[]> {
  const names = await readdir(DEMO_PHOTOS).catch(() => []);
  const photos = names.filter((name) => DEMO_PHOTO_NAME.test(name)).sort();
  return photos.map((name) => `${address}${DEMO_PHOTOS_PATH}/${name}`);
}
