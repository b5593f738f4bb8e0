import { PERMISSIONS, type Permission } from '../../../src/domain/account.ts';
import { createClock } from '../../../src/server/clock.ts';
import { generateKey } from '../../../src/storage/keys.ts';
import type { Account, Store } from '../../../src/storage/ports.ts';

const { newId } = createClock();

/** Creates an account, of a plan without limits unless `more` says otherwise. */
export async function createAccount(store: Store, more: Partial<Account> = {}): Promise<Account> {
  const account: Account = {
    id: newId('acc'),
    name: '',
    plan: 'enterprise',
    status: 'active',
    requestsPerHour: null,
    concurrentRequests: null,
    createdAt: new Date().toISOString(),
    ...more,
  };
  await store.accounts.create(account);
  return account;
}

/** Creates a key of an account, for the sandbox and with all permissions unless `more` says otherwise. */
export async function createKey(
  store: Store,
  accountId: string,
  more: {
    readonly permissions?: readonly Permission[];
    readonly environment?: 'sandbox' | 'production';
    readonly expiresAt?: string;
  } = {},
): Promise<{ text: string; id: string }> {
  const { text, record } = generateKey({
    id: newId('key'),
    accountId,
    name: '',
    createdAt: new Date().toISOString(),
    environment: 'sandbox',
    permissions: PERMISSIONS,
    expiresAt: null,
    ...more,
  });
  await store.keys.create(record);
  return { text, id: record.id };
}
