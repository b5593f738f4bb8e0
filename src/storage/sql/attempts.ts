import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../lib/durations.ts';
import type { Attempt } from '../records.ts';
import { type SqlDatabase, tx } from './database.ts';

/** Time for which a crash counts against its account, in milliseconds. */
const CRASH_WINDOW_MS = HOUR_MS;

/** SQL condition for the record of the latest attempt, by id and token. */
export const CURRENT_ATTEMPT = "id = ? AND status = 'processing' AND token = ?";

/**
 * Creates the store of attempts at jobs. `spared` counts the attempts in a child process that did not crash, `at_photo`
 * is the photo that the child has open, and `skip_photos` lists the photos that crashed it.
 */
export function createAttempts(db: SqlDatabase) {
  const { sqlNowMs } = db;
  return {
    /** Starts another attempt at a `processing` record, in a child process if `inChild`; undefined for others. */
    async startAttempt(id: string, inChild = false): Promise<Attempt | undefined> {
      const token = randomUUID();
      const row = await db.runReturning(
        `UPDATE inspections SET attempts = attempts + 1, spared = spared + ?, token = ?
         WHERE id = ? AND status = 'processing' RETURNING attempts, attempts - spared AS counted, skip_photos, at_photo`,
        [Number(inChild), token, id],
      );
      return (
        row && {
          number: row.attempts as number,
          token,
          inChild,
          interruptions: (row.counted as number) - Number(!inChild),
          crashedPhotos: JSON.parse(row.skip_photos as string),
          lastOpenedPhoto: row.at_photo as number | null,
        }
      );
    },
    async recordOpening(id: string, token: string, photo: number) {
      await db.run('UPDATE inspections SET at_photo = ? WHERE id = ? AND token = ?', [photo, id, token]);
    },
    /** Records that an attempt crashed its child, and the open photo, as a crash of its account. */
    recordCrash: (id: string, token: string, photo: number | undefined) =>
      db.transaction(function* () {
        const select = `SELECT account_id, skip_photos FROM inspections WHERE ${CURRENT_ATTEMPT} FOR UPDATE`;
        const row = yield* tx.get(select, [id, token]);
        yield* tx.run(`DELETE FROM crashes WHERE at_ms < ${sqlNowMs} - ?`, [CRASH_WINDOW_MS]);
        if (!row) return;
        yield* tx.run(`INSERT INTO crashes VALUES (?, ${sqlNowMs})`, [row.account_id as string]);
        const photos = [...JSON.parse(row.skip_photos as string), ...(photo === undefined ? [] : [photo])];
        const sql = 'UPDATE inspections SET spared = spared - 1, skip_photos = ? WHERE id = ?';
        yield* tx.run(sql, [JSON.stringify(photos), id]);
      }),
    async countRecentCrashes(accountId: string) {
      const sql = `SELECT count(*) AS n FROM crashes WHERE account_id = ? AND at_ms >= ${sqlNowMs} - ?`;
      return Number((await db.get(sql, [accountId, CRASH_WINDOW_MS]))?.n);
    },
    /** Reverts the latest attempt at an unfinished job that failed for a reason outside the job. */
    async revertAttempt(id: string, { token, inChild }: Pick<Attempt, 'token' | 'inChild'>) {
      const change = 'attempts = attempts - 1, spared = spared - ?, token = NULL';
      const sql = `UPDATE inspections SET ${change} WHERE ${CURRENT_ATTEMPT}`;
      await db.run(sql, [Number(inChild), id, token]);
    },
  };
}
