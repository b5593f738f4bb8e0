import type { Environment } from '../domain/account.ts';
import type { AccountStore, KeyStore } from './ports/accounts.ts';
import type { BlobStore } from './ports/blobs.ts';
import type { InspectionStore } from './ports/inspections.ts';
import type { OrderStore } from './ports/order.ts';
import type { LeaseStore, ProcessStore } from './ports/processes.ts';
import type { IdempotencyStore, RateStore } from './ports/requests.ts';
import type { ReviewStore } from './ports/reviews.ts';
import type { SessionStore } from './ports/sessions.ts';
import type { UploadStore } from './ports/uploads.ts';
import type { WebhookStore } from './ports/webhooks.ts';

export * from './ports/accounts.ts';
export * from './ports/blobs.ts';
export * from './ports/inspections.ts';
export * from './ports/order.ts';
export * from './ports/processes.ts';
export * from './ports/requests.ts';
export * from './ports/reviews.ts';
export * from './ports/sessions.ts';
export * from './ports/uploads.ts';
export * from './ports/webhooks.ts';

/** Size of the store. */
interface StoreStats {
  readonly databaseBytes: number;
  readonly inspections: readonly { readonly kind: string; readonly status: string; readonly count: number }[];
}

/** Connection pool of a shared database. */
export interface StorePool {
  /** Total connections, idle ones, and callers waiting for one. */
  getStats(): { readonly connections: number; readonly idle: number; readonly waiting: number };
  /** Calls the listener with the seconds of each statement or transaction, including the wait for a connection. */
  observe(listener: (seconds: number) => void): void;
}

/** All persistent state of the service. */
export interface Store {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly inspections: InspectionStore;
  readonly idempotency: IdempotencyStore;
  readonly rates: RateStore;
  readonly webhooks: WebhookStore;
  readonly uploads: UploadStore;
  readonly reviews: ReviewStore;
  readonly sessions: SessionStore;
  readonly processes: ProcessStore;
  readonly leases: LeaseStore;
  /** Undefined in a single-process store, whose queue orders jobs in memory. */
  readonly order?: OrderStore;
  /** Undefined in a single-process store, which runs queries in-process. */
  readonly pool?: StorePool;
  /** True if several processes use it at once. */
  readonly shared: boolean;
  readonly blobs: BlobStore;
  /** Returns a named secret, generated once per store, such as the signing key of file links. */
  getSecret(name: string): Promise<string>;
  /** Sizes, for an operator. */
  getStats(environment: Environment): Promise<StoreStats>;
  /** Checks that the store is usable. @throws if it does not respond, or its file was replaced since opening */
  ping(): Promise<void>;
  /** Writes a consistent copy of the database to a new file. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
