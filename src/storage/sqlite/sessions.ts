import type { SessionStore } from '../ports.ts';
import { toSession } from '../rows.ts';
import type { Database } from './database.ts';

/** Creates the store of the page's sessions in SQLite. */
export function sqliteSessions(db: Database): SessionStore {
  return {
    async create({ sha256, keyId, createdAtMs, usedAtMs }) {
      await db.write(() =>
        db.run('INSERT INTO sessions VALUES (?, ?, ?, ?)', sha256, keyId, createdAtMs, usedAtMs),
      );
    },
    async get(sha256) {
      const row = db.row('SELECT * FROM sessions WHERE sha256 = ?', sha256);
      return row && toSession(row);
    },
    async touch(sha256, atMs) {
      await db.write(() => db.run('UPDATE sessions SET used_at_ms = ? WHERE sha256 = ?', atMs, sha256));
    },
    async remove(sha256) {
      await db.write(() => db.run('DELETE FROM sessions WHERE sha256 = ?', sha256));
    },
    async sweep(createdBeforeMs, usedBeforeMs) {
      await db.write(() =>
        db.run(
          'DELETE FROM sessions WHERE created_at_ms < ? OR used_at_ms < ?',
          createdBeforeMs,
          usedBeforeMs,
        ),
      );
    },
  };
}
