import type { ACCOUNT_STATUSES, Environment, Permission, Plan } from '../../domain/choices.ts';

/** An account of the service. Times are ISO 8601, UTC, with milliseconds, so that they sort as text. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly status: (typeof ACCOUNT_STATUSES)[number];
  /** Overrides of the plan's limits; null = as the plan says. */
  readonly requestsPerHour: number | null;
  readonly concurrentRequests: number | null;
  readonly createdAt: string;
}

/** A key is kept as the SHA-256 of its text; `hint` is what may be shown (`dev_…ab12`). */
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
  /** The key with this SHA-256 and the account that owns it. */
  find(sha256: string): Promise<{ key: ApiKey; account: Account } | undefined>;
  /** Revokes a key at a time; false when there is none or it was revoked before. */
  revoke(id: string, at: string): Promise<boolean>;
  /** Sets the time at which a key expires; false when there is none. */
  expire(id: string, at: string): Promise<boolean>;
  /** Records the last use of a key. */
  touch(id: string, at: string): Promise<void>;
}
