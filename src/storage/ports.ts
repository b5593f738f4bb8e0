import type { Environment } from '../domain/account.ts';
import type { BlobStore } from './blobs.ts';
import type { LeaseStore, ProcessStore, RequestSlots } from './records.ts';
import type { createStores } from './sql/stores.ts';

export * from './blobs.ts';
export * from './records.ts';

/** All persistent state of the service. */
export interface Store extends Omit<ReturnType<typeof createStores>, 'countInspections'> {
  readonly processes: ProcessStore;
  readonly leases: LeaseStore;
  /** Undefined in a single-process store, whose requests are counted in memory. */
  readonly slots?: RequestSlots;
  /** True if several processes use it at once. */
  readonly shared: boolean;
  readonly blobs: BlobStore;
  /** Returns the size of the store, for an operator. */
  getStats(environment: Environment): Promise<{
    readonly databaseBytes: number;
    readonly inspections: Awaited<ReturnType<ReturnType<typeof createStores>['countInspections']>>;
  }>;
  /** Checks that the store is usable. @throws if it does not respond, or its file was replaced since opening */
  ping(): Promise<void>;
  /** Writes a consistent copy of the database to a new file. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

type Stores = ReturnType<typeof createStores>;
export type IdempotencyStore = Stores['idempotency'];
export type RateStore = Stores['rates'];
