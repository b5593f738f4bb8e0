import type { BlobStore } from './blobs.ts';
import type { ProcessStore, RequestSlots } from './records.ts';
import type { createStores } from './sql/stores.ts';

export * from './blobs.ts';
export * from './records.ts';

/** The database of the service. */
export interface RecordStore extends ReturnType<typeof createStores> {
  readonly processes: ProcessStore;
  /** Undefined in a single-process store, whose requests are counted in memory. */
  readonly slots?: RequestSlots;
  /** True if several processes use it at once. */
  readonly shared: boolean;
  /** Checks that the store is usable. @throws if it does not respond, or its file was replaced since opening */
  ping(): Promise<void>;
  /** Writes a consistent copy of the database to a new file. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** All persistent state of the service: its database and the files of its inspections. */
export interface Store extends RecordStore {
  readonly blobs: BlobStore;
}
