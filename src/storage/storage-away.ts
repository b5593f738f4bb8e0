/** Thrown by a store whose server cannot be reached, starts, stops, or has no room: the work may be done when it is back. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway';
}
