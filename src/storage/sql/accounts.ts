import type { AccountStore, KeyStore, SessionStore } from '../ports.ts';
import { toAccount, toApiKey, toJoinedAccount, toSession } from '../rows.ts';
import { type SqlDatabase, tx } from './database.ts';

/** Creates the store of accounts. */
export function createAccounts(db: SqlDatabase): AccountStore {
  return {
    async create(a) {
      await db.run(
        'INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...[a.id, a.name, a.plan, a.status, a.requestsPerHour, a.concurrentRequests, a.createdAt],
      );
    },
    async get(id) {
      const row = await db.get('SELECT * FROM accounts WHERE id = ?', id);
      return row && toAccount(row);
    },
    async list() {
      const rows = await db.all('SELECT * FROM accounts ORDER BY created_at, id');
      return rows.map(toAccount);
    },
    update: (id, change) =>
      db.transaction(function* () {
        const row = yield* tx.get('SELECT * FROM accounts WHERE id = ? FOR UPDATE', id);
        if (!row) return false;
        const next = { ...toAccount(row), ...change };
        yield* tx.run(
          'UPDATE accounts SET name = ?, plan = ?, status = ?, requests_per_hour = ?, concurrent_requests = ? WHERE id = ?',
          ...[next.name, next.plan, next.status, next.requestsPerHour, next.concurrentRequests, id],
        );
        return true;
      }),
  };
}

/** Creates the store of keys; their text is never stored. */
export function createKeys(db: SqlDatabase): KeyStore {
  return {
    async create(k) {
      await db.run(
        'INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[k.id, k.accountId, k.environment, k.sha256, k.hint, k.name, JSON.stringify(k.permissions)],
        ...[k.createdAt, k.expiresAt, k.revokedAt, k.lastUsedAt],
      );
    },
    async get(id) {
      const row = await db.get('SELECT * FROM api_keys WHERE id = ?', id);
      return row && toApiKey(row);
    },
    async list(accountId) {
      const rows = await db.all(
        'SELECT * FROM api_keys WHERE account_id = coalesce(?, account_id) ORDER BY created_at, id',
        accountId ?? null,
      );
      return rows.map(toApiKey);
    },
    async find(sha256) {
      const row = await db.get(
        `SELECT k.*, a.id AS a_id, a.name AS a_name, a.plan AS a_plan, a.status AS a_status,
           a.requests_per_hour AS a_requests_per_hour, a.concurrent_requests AS a_concurrent_requests,
           a.created_at AS a_created_at
         FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.sha256 = ?`,
        sha256,
      );
      return row && { key: toApiKey(row), account: toJoinedAccount(row) };
    },
    revoke: async (id, at) =>
      (await db.run('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id)) === 1,
    expire: async (id, at) => (await db.run('UPDATE api_keys SET expires_at = ? WHERE id = ?', at, id)) === 1,
    async touch(id, at) {
      await db.run('UPDATE api_keys SET last_used_at = ? WHERE id = ?', at, id);
    },
  };
}

/** Creates the store of browser sessions. */
export function createSessions(db: SqlDatabase): SessionStore {
  return {
    async create({ sha256, keyId, createdAtMs, usedAtMs }) {
      await db.run('INSERT INTO sessions VALUES (?, ?, ?, ?)', sha256, keyId, createdAtMs, usedAtMs);
    },
    async get(sha256) {
      const row = await db.get('SELECT * FROM sessions WHERE sha256 = ?', sha256);
      return row && toSession(row);
    },
    async touch(sha256, atMs) {
      await db.run('UPDATE sessions SET used_at_ms = ? WHERE sha256 = ?', atMs, sha256);
    },
    async remove(sha256) {
      await db.run('DELETE FROM sessions WHERE sha256 = ?', sha256);
    },
    async sweep(createdBeforeMs, usedBeforeMs) {
      await db.run(
        'DELETE FROM sessions WHERE created_at_ms < ? OR used_at_ms < ?',
        createdBeforeMs,
        usedBeforeMs,
      );
    },
  };
}
