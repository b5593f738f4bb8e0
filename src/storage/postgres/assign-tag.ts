import { computeTag, type UnfinishedTags } from '../fair-order.ts';
import { tx } from '../sql/database.ts';
import type { AssignTag } from '../sql/inspections.ts';

/** Assigns tags. Creations of one account take turns here, so no two get the same. */
export const assignTag: AssignTag = function* ({ accountId, environment }, cost) {
  yield* tx.get('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [accountId]);
  const tags = yield* tx.get(
    `SELECT max(tag) FILTER (WHERE account_id = ?) AS own, max(tag) FILTER (WHERE attempts > 0) AS started,
       min(tag) FILTER (WHERE attempts = 0) AS next
     FROM inspections WHERE environment = ? AND status = 'processing' AND NOT parked`,
    [accountId, environment],
  );
  return computeTag(tags as unknown as UnfinishedTags, cost);
};
