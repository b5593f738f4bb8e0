import type { NewWebhookMessage, ReviewRecord, SavedReview } from '../records.ts';
import { type SqlDatabase, type Statements, tx } from './database.ts';
import { makeInsert, readRecord } from './rows.ts';
import { recount } from './totals.ts';
import { insertMessages } from './webhooks.ts';

const setReviewedAt = (id: string, at: string | null) =>
  recount([id], () => tx.run('UPDATE inspections SET reviewed_at = ? WHERE id = ?', [at, id]));

/** Locks an inspection before its review, the order of a removal; returns false if it was removed. */
function* lockInspection(id: string): Statements<boolean> {
  return (yield* tx.get('SELECT id FROM inspections WHERE id = ? FOR UPDATE', [id])) !== undefined;
}

/** Creates the store of reviews; `inspections.reviewed_at` is written in the same transaction. */
export function createReviews(db: SqlDatabase) {
  return {
    get: (inspectionId: string) =>
      readRecord<ReviewRecord>(db, 'SELECT * FROM reviews WHERE inspection_id = ?', [inspectionId]),
    /** Stores the next revision; false, storing nothing, if the latest is another (0: none) or the inspection is gone. */
    save: (review: Omit<SavedReview, 'finishedAt'>) =>
      db.transaction(function* () {
        const { inspectionId, revision, reviewer, savedAt } = review;
        if (!(yield* lockInspection(inspectionId))) return false;
        const [decisions, outcome] = [JSON.stringify(review.decisions), JSON.stringify(review.outcome)];
        const changes =
          revision === 1
            ? yield* tx.run(...makeInsert('reviews', review, 'ON CONFLICT DO NOTHING'))
            : yield* tx.run(
                `UPDATE reviews SET revision = revision + 1, reviewer = ?, decisions = ?, outcome = ?, saved_at = ?,
                   finished_at = NULL WHERE inspection_id = ? AND revision = ?`,
                [reviewer, decisions, outcome, savedAt, inspectionId, revision - 1],
              );
        if (changes === 0) return false;
        yield* setReviewedAt(inspectionId, null);
        return true;
      }),
    /** Finishes a review with its events; false, storing nothing, if `revision` is not the latest or is finished. */
    finish: (
      inspectionId: string,
      revision: number,
      finishedAt: string,
      messages: readonly NewWebhookMessage[],
    ) =>
      db.transaction(function* () {
        if (!(yield* lockInspection(inspectionId))) return false;
        const changes = yield* tx.run(
          'UPDATE reviews SET finished_at = ? WHERE inspection_id = ? AND revision = ? AND finished_at IS NULL',
          [finishedAt, inspectionId, revision],
        );
        if (changes === 0) return false;
        yield* setReviewedAt(inspectionId, finishedAt);
        yield* insertMessages(messages);
        return true;
      }),
    /** Records that views of an inspection's photos are stored; returns false if the inspection was removed. */
    async recordViews(inspectionId: string, atMs: number) {
      const changes = await db.run(
        `INSERT INTO views SELECT id, CAST(? AS bigint) FROM inspections WHERE id = ?
         ON CONFLICT (inspection_id) DO UPDATE SET created_at_ms = excluded.created_at_ms`,
        [atMs, inspectionId],
      );
      return changes > 0;
    },
    /** Returns inspections whose views were created before a time. */
    async listViewsBefore(beforeMs: number) {
      const rows = await db.all('SELECT inspection_id AS id FROM views WHERE created_at_ms < ?', [beforeMs]);
      return rows.map((row) => row.id as string);
    },
    async deleteViews(inspectionIds: readonly string[]) {
      await db.run('DELETE FROM views WHERE inspection_id = ANY(?)', [inspectionIds]);
    },
  };
}
