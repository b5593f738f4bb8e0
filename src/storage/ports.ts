import type { AccountStore, KeyStore } from './ports/accounts.ts';
import type { InspectionStore } from './ports/inspections.ts';
import type { IdempotencyStore, RateStore } from './ports/requests.ts';
import type { WebhookStore } from './ports/webhooks.ts';

export * from './ports/accounts.ts';
export * from './ports/inspections.ts';
export * from './ports/requests.ts';
export * from './ports/webhooks.ts';

/** Files of an inspection: photos, reports, annotated images. Names are ours, never a caller's. */
export interface BlobStore {
  put(owner: string, name: string, bytes: Uint8Array): Promise<void>;
  get(owner: string, name: string): Promise<Uint8Array | undefined>;
  list(owner: string): Promise<string[]>;
  owners(): Promise<string[]>;
  remove(owner: string, name?: string): Promise<void>;
}

/** Everything the service remembers. */
export interface Store {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly inspections: InspectionStore;
  readonly idempotency: IdempotencyStore;
  readonly rates: RateStore;
  readonly webhooks: WebhookStore;
  readonly blobs: BlobStore;
  /** A secret made once per store and kept, such as the one that signs file links. */
  secret(name: string): Promise<string>;
  /** Throws when the store cannot answer. */
  ping(): Promise<void>;
  /** A consistent copy of the database into a new file. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
