import type { Environment } from '../../domain/account.ts';

/** A photo uploaded ahead of its inspection; its bytes are the file `photo` of the owner with this id. */
export interface UploadRecord {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly sha256: string;
  readonly createdAtMs: number;
}

/** Thrown for uploads of a record that do not exist or that another record has used. */
export class UploadsUsed extends Error {
  override readonly name = 'UploadsUsed';
  readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    super(`uploads that no longer exist: ${ids.join(', ')}`);
    this.ids = ids;
  }
}

export interface UploadStore {
  create(upload: UploadRecord): Promise<void>;
  /** Returns an upload; undefined if it was used. */
  get(id: string): Promise<UploadRecord | undefined>;
  /** Counts an account's unused uploads created after a time. */
  count(accountId: string, environment: Environment, afterMs: number): Promise<number>;
  /** Returns ids of uploads created before a time, used or not. */
  listBefore(ms: number): Promise<string[]>;
  /** Marks uploads as unused after the record that used them was removed. */
  release(ids: readonly string[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
}
