import type { ReviewStore } from '../ports.ts';
import { toReview } from '../rows.ts';
import type { Database } from './database.ts';
import { insertMessages } from './webhooks.ts';

/** Creates the store of reviews in SQLite; `inspections.reviewed_at` is written in the same transaction. */
export function sqliteReviews(db: Database): ReviewStore {
  const revisionOf = (id: string) =>
    Number(db.row('SELECT revision FROM reviews WHERE inspection_id = ?', id)?.revision ?? 0);
  return {
    async get(inspectionId) {
      const row = db.row('SELECT * FROM reviews WHERE inspection_id = ?', inspectionId);
      return row && toReview(row);
    },
    save: ({ inspectionId, revision, reviewer, decisions, outcome, savedAt }) =>
      db.write(() => {
        if (revisionOf(inspectionId) !== revision - 1) return false;
        db.run(
          `INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?, NULL)
           ON CONFLICT DO UPDATE SET revision = excluded.revision, reviewer = excluded.reviewer,
             decisions = excluded.decisions, outcome = excluded.outcome, saved_at = excluded.saved_at,
             finished_at = NULL`,
          inspectionId,
          revision,
          reviewer,
          JSON.stringify(decisions),
          JSON.stringify(outcome),
          savedAt,
        );
        db.run('UPDATE inspections SET reviewed_at = NULL WHERE id = ?', inspectionId);
        return true;
      }),
    finish: (inspectionId, revision, at, messages) =>
      db.write(() => {
        const changed = db.run(
          'UPDATE reviews SET finished_at = ? WHERE inspection_id = ? AND revision = ? AND finished_at IS NULL',
          at,
          inspectionId,
          revision,
        );
        if (changed === 0) return false;
        db.run('UPDATE inspections SET reviewed_at = ? WHERE id = ?', at, inspectionId);
        insertMessages(db, messages);
        return true;
      }),
    async keepViews(inspectionId, atMs) {
      await db.write(() => db.run('INSERT OR REPLACE INTO views VALUES (?, ?)', inspectionId, atMs));
    },
    async viewsBefore(ms) {
      return db
        .rows('SELECT inspection_id AS id FROM views WHERE created_at_ms < ?', ms)
        .map((row) => row.id as string);
    },
    async forgetViews(inspectionIds) {
      await db.write(() => {
        for (const id of inspectionIds) db.run('DELETE FROM views WHERE inspection_id = ?', id);
      });
    },
  };
}
