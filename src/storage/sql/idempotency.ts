import { CLAIM_TTL_MS, type IdempotencyEntry, type IdempotencyRef, type StoredResponse } from '../records.ts';
import type { SqlDatabase } from './database.ts';
import { readRecord } from './rows.ts';

export function createIdempotency(db: SqlDatabase) {
  const { sqlNowMs: now } = db;
  const whereKey = 'account_id = ? AND environment = ? AND operation = ? AND key = ?';
  const whereUnresolved = 'claim = ANY(?) AND resource_id IS NULL AND answer IS NULL';
  const listKeyValues = (ref: IdempotencyRef) => [ref.accountId, ref.environment, ref.operation, ref.key];
  return {
    /**
     * Claims the key. If it is taken, changes nothing and returns the existing entry. A claim without resource and
     * answer expires `CLAIM_TTL_MS` after its creation or renewal; it and entries created at `expiredMs` or earlier are
     * replaced.
     */
    async claim(ref: IdempotencyRef, fingerprint: string, createdAtMs: number, expiredMs = -1) {
      for (;;) {
        const inserted = await db.runReturning(
          `INSERT INTO idempotency AS held
             (account_id, environment, operation, key, fingerprint, created_at_ms, claim, until_ms)
           VALUES (?, ?, ?, ?, ?, ?, ?, ${now} + ?) ON CONFLICT (account_id, environment, operation, key) DO UPDATE SET
             fingerprint = excluded.fingerprint, created_at_ms = excluded.created_at_ms, claim = excluded.claim,
             until_ms = excluded.until_ms, resource_id = NULL, answer = NULL
           WHERE held.created_at_ms <= ? OR (held.resource_id IS NULL AND held.answer IS NULL
             AND held.until_ms < ${now}) RETURNING 1`,
          [...listKeyValues(ref), fingerprint, createdAtMs, ref.claim, CLAIM_TTL_MS, expiredMs],
        );
        if (inserted) return undefined;
        const select = `SELECT fingerprint, resource_id, answer FROM idempotency WHERE ${whereKey}`;
        const entry = await readRecord<IdempotencyEntry>(db, select, listKeyValues(ref));
        // The key was released in between, so it is free now.
        if (entry) return entry;
      }
    },
    async saveAnswer(ref: IdempotencyRef, answer: StoredResponse) {
      const values = [JSON.stringify(answer), ...listKeyValues(ref), ref.claim];
      await db.run(`UPDATE idempotency SET answer = ? WHERE ${whereKey} AND claim = ?`, values);
    },
    /** Extends claims that have neither resource nor answer yet, counting from now. */
    async renew(claims: readonly string[], ttlMs = CLAIM_TTL_MS) {
      await db.run(`UPDATE idempotency SET until_ms = ${now} + ? WHERE ${whereUnresolved}`, [ttlMs, claims]);
    },
    /** Releases claims that have neither resource nor answer. */
    async release(claims: readonly string[]) {
      await db.run(`DELETE FROM idempotency WHERE ${whereUnresolved}`, [claims]);
    },
    async sweep(beforeMs: number) {
      await db.run('DELETE FROM idempotency WHERE created_at_ms < ?', [beforeMs]);
    },
  };
}
