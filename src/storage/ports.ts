import type { Environment } from '../domain/account.ts';
import type { AccountStore, KeyStore } from './ports/accounts.ts';
import type { BlobStore } from './ports/blobs.ts';
import type { InspectionStore } from './ports/inspections.ts';
import type { LeaseStore, ProcessStore } from './ports/processes.ts';
import type { IdempotencyStore, RateStore, RequestSlots } from './ports/requests.ts';
import type { ReviewStore } from './ports/reviews.ts';
import type { SessionStore } from './ports/sessions.ts';
import type { UploadStore } from './ports/uploads.ts';
import type { WebhookStore } from './ports/webhooks.ts';

export * from './ports/accounts.ts';
export * from './ports/blobs.ts';
export * from './ports/inspections.ts';
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
  /** Undefined in a single-process store, whose requests are counted in memory. */
  readonly slots?: RequestSlots;
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
