import type { Environment } from '../../domain/choices.ts';

/** A photo that waits for an inspection; its bytes are the file `photo` of the owner with this id. */
export interface UploadRecord {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly sha256: string;
  readonly createdAtMs: number;
}

/** Thrown for uploads of a record that another record has used or that do not exist. */
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
  /** Undefined also for one that was used. */
  get(id: string): Promise<UploadRecord | undefined>;
  /** How many of an account wait that were made after this time and are not used. */
  count(accountId: string, environment: Environment, afterMs: number): Promise<number>;
  /** Ids of those that were made before this time, used or not. */
  before(ms: number): Promise<string[]>;
  /** Removes those that are used up. */
  use(ids: readonly string[]): Promise<void>;
  /** Lets those be used once more that a record used which is removed again. */
  release(ids: readonly string[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
}
