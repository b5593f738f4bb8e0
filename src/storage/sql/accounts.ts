import type { Account, ApiKey, Session } from '../records.ts';
import { type SqlDatabase, tx } from './database.ts';
import { insertRecord, makeInsert, makeUpdate, readRecord, readRecords, toRecord } from './rows.ts';

export function createAccounts(db: SqlDatabase) {
  return {
    create: (account: Account) => insertRecord(db, 'accounts', account),
    get: (id: string) => readRecord<Account>(db, 'SELECT * FROM accounts WHERE id = ?', [id]),
    list: () => readRecords<Account>(db, 'SELECT * FROM accounts ORDER BY created_at, id'),
    update: async (id: string, change: Partial<Omit<Account, 'id' | 'createdAt'>>) =>
      (await db.run(...makeUpdate('accounts', change, id))) === 1,
  };
}

/** Creates the store of keys; their text is never stored. */
export function createKeys(db: SqlDatabase) {
  return {
    create: (key: ApiKey) => insertRecord(db, 'api_keys', key),
    get: (id: string) => readRecord<ApiKey>(db, 'SELECT * FROM api_keys WHERE id = ?', [id]),
    list(accountId?: string) {
      const [where, values] = accountId === undefined ? ['', []] : ['WHERE account_id = ?', [accountId]];
      return readRecords<ApiKey>(db, `SELECT * FROM api_keys ${where} ORDER BY created_at, id`, values);
    },
    /** Returns the key with this SHA-256 and its account. */
    async find(sha256: string) {
      const row = await db.get(
        `SELECT k.*, a.id AS "account.id", a.name AS "account.name", a.plan AS "account.plan",
           a.status AS "account.status", a.requests_per_hour AS "account.requests_per_hour",
           a.concurrent_requests AS "account.concurrent_requests", a.created_at AS "account.created_at"
         FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.sha256 = ?`,
        [sha256],
      );
      return row && { key: toRecord<ApiKey>(row), account: toRecord<Account>(row, 'account') };
    },
    /** Revokes a key; false if it does not exist or is already revoked. */
    revoke: async (id: string, at: string) =>
      (await db.run('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', [at, id])) ===
      1,
    /** Stores the successor of a key and changes the key; false, storing nothing, if it has one already. */
    replace: (id: string, change: Pick<ApiKey, 'replacedAt' | 'expiresAt'>, successor: ApiKey) =>
      db.transaction(function* () {
        const [sql, values] = makeUpdate('api_keys', change, id);
        if ((yield* tx.run(`${sql} AND replaced_at IS NULL`, values)) === 0) return false;
        yield* tx.run(...makeInsert('api_keys', successor));
        return true;
      }),
    async touch(id: string, lastUsedAt: string) {
      await db.run(...makeUpdate('api_keys', { lastUsedAt }, id));
    },
  };
}

export function createSessions(db: SqlDatabase) {
  return {
    create: (session: Session) => insertRecord(db, 'sessions', session),
    get: (sha256: string) => readRecord<Session>(db, 'SELECT * FROM sessions WHERE sha256 = ?', [sha256]),
    async touch(sha256: string, atMs: number) {
      await db.run('UPDATE sessions SET used_at_ms = ? WHERE sha256 = ?', [atMs, sha256]);
    },
    async remove(sha256: string) {
      await db.run('DELETE FROM sessions WHERE sha256 = ?', [sha256]);
    },
    /** Removes sessions created, or last used, before these times. */
    async sweep(createdBeforeMs: number, usedBeforeMs: number) {
      const sql = 'DELETE FROM sessions WHERE created_at_ms < ? OR used_at_ms < ?';
      await db.run(sql, [createdBeforeMs, usedBeforeMs]);
    },
  };
}
