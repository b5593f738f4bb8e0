/** Files of an inspection or upload: photos, reports, pictures. Names are internal and never taken from a caller. */
export interface BlobStore {
  put(owner: string, name: string, bytes: Uint8Array): Promise<void>;
  get(owner: string, name: string): Promise<Buffer | undefined>;
  list(owner: string): Promise<string[]>;
  listOwners(): Promise<string[]>;
  remove(owner: string, name?: string): Promise<void>;
  /** Hides a file until `publish`, because its creation may still be refused. Each name is staged at most once. */
  stage(owner: string, name: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  getStaged(owner: string, name: string): Promise<Buffer | undefined>;
  /** Stages a copy of a stored file; false if it does not exist. */
  stageCopy(owner: string, name: string, source: { owner: string; name: string }): Promise<boolean>;
  /** Publishes the staged files of an owner. @throws StagedFilesLostError if one of the names is not staged */
  publish(owner: string, names: readonly string[]): Promise<void>;
  discardStaged(owner: string): Promise<void>;
  /** Removes files staged or partially written before a time; on startup, without a time, all of them. */
  clearStaged(beforeMs?: number): Promise<void>;
  /**
   * Returns owners of files older than a time that no record refers to, left by processes that died during a creation.
   * A single-process store finds them on startup.
   */
  listOrphans?(beforeMs: number): Promise<string[]>;
  /**
   * Moves an owner's files to `files-set-aside`; false if there are none. An object store has no such folder.
   */
  setAside?(owner: string): Promise<boolean>;
  clearSetAside?(beforeMs: number): Promise<void>;
}

/** Names of files and owners; those in a folder that do not match are not blobs. */
export const BLOB_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Checks that a name stays a file within its folder. @throws Error otherwise */
export function checkBlobName(name: string): string {
  if (!BLOB_NAME.test(name)) throw new Error(`not a blob name: ${JSON.stringify(name)}`);
  return name;
}

/** Thrown if files vanished between staging and publication; a new creation may succeed. */
export class StagedFilesLostError extends Error {
  override readonly name = 'StagedFilesLostError';
}

/** Checks that each name is among the staged ones. @throws StagedFilesLostError naming those that are not */
export function checkStaged(owner: string, names: readonly string[], staged: readonly string[]): void {
  const lost = names.filter((name) => !staged.includes(name));
  if (lost.length > 0)
    throw new StagedFilesLostError(`staged files of ${owner} are gone: ${lost.join(', ')}`);
}
