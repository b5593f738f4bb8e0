import type { Environment } from '../domain/choices.ts';
import type { AccountStore, KeyStore } from './ports/accounts.ts';
import type { InspectionStore } from './ports/inspections.ts';
import type { OrderStore } from './ports/order.ts';
import type { LeaseStore, ProcessStore } from './ports/processes.ts';
import type { IdempotencyStore, RateStore } from './ports/requests.ts';
import type { ReviewStore } from './ports/reviews.ts';
import type { SessionStore } from './ports/sessions.ts';
import type { UploadStore } from './ports/uploads.ts';
import type { UsageStore } from './ports/usage.ts';
import type { WebhookStore } from './ports/webhooks.ts';

export * from './ports/accounts.ts';
export * from './ports/inspections.ts';
export * from './ports/order.ts';
export * from './ports/processes.ts';
export * from './ports/requests.ts';
export * from './ports/reviews.ts';
export * from './ports/sessions.ts';
export * from './ports/uploads.ts';
export * from './ports/usage.ts';
export * from './ports/webhooks.ts';

/** Files of an inspection: photos, reports, annotated images. Names are ours, never a caller's. */
export interface BlobStore {
  put(owner: string, name: string, bytes: Uint8Array): Promise<void>;
  get(owner: string, name: string): Promise<Uint8Array | undefined>;
  list(owner: string): Promise<string[]>;
  owners(): Promise<string[]>;
  remove(owner: string, name?: string): Promise<void>;
  /** Keeps a file apart until `adopt`: of a creation that may still be refused. A name is staged once. */
  stage(owner: string, name: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  getStaged(owner: string, name: string): Promise<Uint8Array | undefined>;
  /** Stages a copy of a file that is kept, without reading it into memory; false where there is none. */
  stageCopy(owner: string, name: string, of: { owner: string; name: string }): Promise<boolean>;
  /** Makes all staged files of an owner its files. */
  adopt(owner: string): Promise<void>;
  unstage(owner: string): Promise<void>;
  /** Removes what is staged or half written since before a time; all of it without one, for the start of a service. */
  clearStaged(beforeMs?: number): Promise<void>;
  /**
   * Owners of files since before a time that nothing stored names, as creations leave them whose process ended. None in
   * a store of one process, which finds them when it starts.
   */
  orphans(beforeMs: number): Promise<string[]>;
  /** Takes the files of an owner out of the way without removing them; returns where they are. */
  setAside(owner: string): Promise<string>;
}

/** How much is stored. */
interface StoreFacts {
  readonly databaseBytes: number;
  readonly inspections: readonly { readonly kind: string; readonly status: string; readonly count: number }[];
}

/** Connections to the database of several processes. */
export interface StorePool {
  /** Connections, those of them that do nothing, and work that waits for one. */
  facts(): { readonly connections: number; readonly idle: number; readonly waiting: number };
  /** Calls the listener with the seconds of each statement or transaction, including the wait for a connection. */
  observe(listener: (seconds: number) => void): void;
}

/** Everything the service remembers. */
export interface Store {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly inspections: InspectionStore;
  readonly idempotency: IdempotencyStore;
  readonly rates: RateStore;
  readonly webhooks: WebhookStore;
  readonly usage: UsageStore;
  readonly uploads: UploadStore;
  readonly reviews: ReviewStore;
  readonly sessions: SessionStore;
  readonly processes: ProcessStore;
  readonly leases: LeaseStore;
  /** Undefined in a store of one process, which orders its work by itself. */
  readonly order?: OrderStore;
  /** Undefined in a store of one process, which asks in this process. */
  readonly pool?: StorePool;
  /** Several processes work on it at once. */
  readonly shared: boolean;
  readonly blobs: BlobStore;
  /** A secret made once per store and kept, such as the one that signs file links. */
  secret(name: string): Promise<string>;
  /** Sizes, for an operator. */
  facts(environment: Environment): Promise<StoreFacts>;
  /** Version of the engine that keeps it. */
  version(): Promise<string>;
  /** Checks that the store is usable. @throws when it does not respond, or its file was replaced since opening */
  ping(): Promise<void>;
  /** A consistent copy of the database into a new file. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
