/** Thrown if a storage server is unreachable, starting, stopping or out of resources; a later retry may succeed. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
}
