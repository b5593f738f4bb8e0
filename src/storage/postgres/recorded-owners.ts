import { type BlobStore, checkBlobName } from '../blobs.ts';
import type { SqlDatabase } from '../sql/database.ts';

const MAX_ORPHANS = 1_000;

/**
 * Wraps an object store to record the owners of its files in PostgreSQL before the first byte is written there. This
 * finds files of interrupted creations without listing the bucket.
 */
export function withRecordedOwners(db: SqlDatabase, blobs: BlobStore): BlobStore {
  // Each time, because another process may have removed the owner.
  const recordOwner = (owner: string) =>
    db.run('INSERT INTO blob_owners VALUES (?) ON CONFLICT DO NOTHING', [checkBlobName(owner)]);
  return {
    ...blobs,
    async put(owner, name, bytes) {
      await recordOwner(owner);
      await blobs.put(owner, name, bytes);
    },
    async stage(owner, name, bytes) {
      // A stream is read and removed by the process that staged it.
      if (bytes instanceof Uint8Array) await recordOwner(owner);
      await blobs.stage(owner, name, bytes);
    },
    async stageCopy(owner, name, source) {
      await recordOwner(owner);
      return blobs.stageCopy(owner, name, source);
    },
    async publish(owner, names) {
      await recordOwner(owner);
      await blobs.publish(owner, names);
    },
    async remove(owner, name) {
      await blobs.remove(owner, name);
      if (name !== undefined) return;
      await db.run('DELETE FROM blob_owners WHERE owner = ?', [owner]);
    },
    async listOrphans(beforeMs) {
      const rows = await db.all(
        `SELECT owner FROM blob_owners b WHERE created_at < to_timestamp(?::float8 / 1000)
           AND NOT EXISTS (SELECT 1 FROM inspections WHERE id = b.owner)
           AND NOT EXISTS (SELECT 1 FROM uploads WHERE id = b.owner)
         ORDER BY owner LIMIT ?`,
        [beforeMs, MAX_ORPHANS],
      );
      return rows.map((row) => row.owner as string);
    },
  };
}
