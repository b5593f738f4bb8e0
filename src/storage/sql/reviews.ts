import type { ReviewStore } from '../ports.ts';
import { toReview } from '../rows.ts';
import { type SqlDatabase, tx } from './database.ts';
import { insertMessages } from './webhooks.ts';

/** Creates the store of reviews; `inspections.reviewed_at` is written in the same transaction. */
export function createReviews(db: SqlDatabase): ReviewStore {
  return {
    async get(inspectionId) {
      const row = await db.get('SELECT * FROM reviews WHERE inspection_id = ?', inspectionId);
      return row && toReview(row);
    },
    save: ({ inspectionId, revision, reviewer, decisions, outcome, savedAt }) =>
      db.transaction(function* () {
        const values = [reviewer, JSON.stringify(decisions), JSON.stringify(outcome), savedAt];
        const changes =
          revision === 1
            ? yield* tx.run(
                'INSERT INTO reviews VALUES (?, 1, ?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING',
                ...[inspectionId, ...values],
              )
            : yield* tx.run(
                `UPDATE reviews SET revision = revision + 1, reviewer = ?, decisions = ?, outcome = ?, saved_at = ?,
                   finished_at = NULL WHERE inspection_id = ? AND revision = ?`,
                ...[...values, inspectionId, revision - 1],
              );
        if (changes === 0) return false;
        yield* tx.run('UPDATE inspections SET reviewed_at = NULL WHERE id = ?', inspectionId);
        return true;
      }),
    finish: (inspectionId, revision, finishedAt, messages) =>
      db.transaction(function* () {
        const changes = yield* tx.run(
          'UPDATE reviews SET finished_at = ? WHERE inspection_id = ? AND revision = ? AND finished_at IS NULL',
          ...[finishedAt, inspectionId, revision],
        );
        if (changes === 0) return false;
        yield* tx.run('UPDATE inspections SET reviewed_at = ? WHERE id = ?', finishedAt, inspectionId);
        yield* insertMessages(messages);
        return true;
      }),
    async recordViews(inspectionId, atMs) {
      const changes = await db.run(
        `INSERT INTO views SELECT id, CAST(? AS bigint) FROM inspections WHERE id = ?
         ON CONFLICT (inspection_id) DO UPDATE SET created_at_ms = excluded.created_at_ms`,
        ...[atMs, inspectionId],
      );
      return changes > 0;
    },
    async listViewsBefore(beforeMs) {
      const rows = await db.all('SELECT inspection_id AS id FROM views WHERE created_at_ms < ?', beforeMs);
      return rows.map((row) => row.id as string);
    },
    async deleteViews(inspectionIds) {
      await db.run('DELETE FROM views WHERE inspection_id = ANY(?)', inspectionIds);
    },
  };
}
