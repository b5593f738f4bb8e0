import type { Environment } from './accounts.ts';

/** A photo that waits for an inspection; its bytes are the file `photo` of the owner with this id. */
export interface UploadRecord {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly sha256: string;
  readonly createdAtMs: number;
}

export interface UploadStore {
  create(upload: UploadRecord): Promise<void>;
  get(id: string): Promise<UploadRecord | undefined>;
  /** How many of an account wait that were made after this time. */
  count(accountId: string, environment: Environment, afterMs: number): Promise<number>;
  /** Ids of those that were made before this time. */
  before(ms: number): Promise<string[]>;
  remove(ids: readonly string[]): Promise<void>;
}
