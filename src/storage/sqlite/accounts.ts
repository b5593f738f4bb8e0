import type { AccountStore, KeyStore } from '../ports.ts';
import { toAccount, toApiKey } from '../rows.ts';
import type { Database } from './database.ts';

/** Creates the store of accounts in SQLite. */
export function sqliteAccounts(db: Database): AccountStore {
  return {
    async create(a) {
      await db.write(() =>
        db.run(
          'INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?)',
          a.id,
          a.name,
          a.plan,
          a.status,
          a.requestsPerHour,
          a.concurrentRequests,
          a.createdAt,
        ),
      );
    },
    async get(id) {
      const row = db.row('SELECT * FROM accounts WHERE id = ?', id);
      return row && toAccount(row);
    },
    async list() {
      return db.rows('SELECT * FROM accounts ORDER BY created_at, id').map((row) => toAccount(row));
    },
    update: (id, change) =>
      db.write(() => {
        const row = db.row('SELECT * FROM accounts WHERE id = ?', id);
        if (!row) return false;
        const next = { ...toAccount(row), ...change };
        db.run(
          'UPDATE accounts SET name = ?, plan = ?, status = ?, requests_per_hour = ?, concurrent_requests = ? WHERE id = ?',
          next.name,
          next.plan,
          next.status,
          next.requestsPerHour,
          next.concurrentRequests,
          id,
        );
        return true;
      }),
  };
}

/** Creates the store of keys in SQLite; their text is never stored. */
export function sqliteKeys(db: Database): KeyStore {
  return {
    async create(k) {
      await db.write(() =>
        db.run(
          'INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          k.id,
          k.accountId,
          k.environment,
          k.sha256,
          k.hint,
          k.name,
          JSON.stringify(k.permissions),
          k.createdAt,
          k.expiresAt,
          k.revokedAt,
          k.lastUsedAt,
        ),
      );
    },
    async get(id) {
      const row = db.row('SELECT * FROM api_keys WHERE id = ?', id);
      return row && toApiKey(row);
    },
    async list(accountId) {
      const rows =
        accountId === undefined
          ? db.rows('SELECT * FROM api_keys ORDER BY created_at, id')
          : db.rows('SELECT * FROM api_keys WHERE account_id = ? ORDER BY created_at, id', accountId);
      return rows.map(toApiKey);
    },
    async find(sha256) {
      const row = db.row(
        `SELECT k.*, a.id AS a_id, a.name AS a_name, a.plan AS a_plan, a.status AS a_status,
           a.requests_per_hour AS a_requests_per_hour, a.concurrent_requests AS a_concurrent_requests,
           a.created_at AS a_created_at
         FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.sha256 = ?`,
        sha256,
      );
      return row && { key: toApiKey(row), account: toAccount(row, 'a_') };
    },
    revoke: (id, at) =>
      db.write(
        () => db.run('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id) === 1,
      ),
    expire: (id, at) =>
      db.write(() => db.run('UPDATE api_keys SET expires_at = ? WHERE id = ?', at, id) === 1),
    async touch(id, at) {
      await db.write(() => db.run('UPDATE api_keys SET last_used_at = ? WHERE id = ?', at, id));
    },
  };
}
