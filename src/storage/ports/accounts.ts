import type { ACCOUNT_STATUSES, Environment, Permission, Plan } from '../../domain/account.ts';

/** An account of the service. Times are ISO 8601, UTC, with milliseconds, so they sort as text. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly status: (typeof ACCOUNT_STATUSES)[number];
  /** Override of the plan's limit; null uses the plan's. */
  readonly requestsPerHour: number | null;
  readonly concurrentRequests: number | null;
  readonly createdAt: string;
}

/** An API key, stored as the SHA-256 of its text; `hint` is the displayable part (`dev_…ab12`). */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly sha256: string;
  readonly hint: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface AccountStore {
  create(account: Account): Promise<void>;
  get(id: string): Promise<Account | undefined>;
  list(): Promise<Account[]>;
  update(
    id: string,
    change: Partial<Pick<Account, 'plan' | 'status' | 'name' | 'requestsPerHour' | 'concurrentRequests'>>,
  ): Promise<boolean>;
}

export interface KeyStore {
  create(key: ApiKey): Promise<void>;
  get(id: string): Promise<ApiKey | undefined>;
  list(accountId?: string): Promise<ApiKey[]>;
  /** Returns the key with this SHA-256 and its account. */
  find(sha256: string): Promise<{ key: ApiKey; account: Account } | undefined>;
  /** Revokes a key; false if it does not exist or is already revoked. */
  revoke(id: string, at: string): Promise<boolean>;
  /** Sets the expiry of a key; false if it does not exist. */
  expire(id: string, at: string): Promise<boolean>;
  /** Records the last use of a key. */
  touch(id: string, at: string): Promise<void>;
}
