import { randomBytes } from 'node:crypto';
import { createAccounts, createKeys, createSessions } from './accounts.ts';
import type { SqlDatabase } from './database.ts';
import { createIdempotency } from './idempotency.ts';
import { type AssignTag, createInspections } from './inspections.ts';
import { createRequestCounts } from './request-counts.ts';
import { createReviews } from './reviews.ts';
import { createUploads } from './uploads.ts';
import { createWebhooks } from './webhooks.ts';

/** Creates the stores that both databases have, in SQL that both understand; `assignTag` if processes share them. */
export function createStores(db: SqlDatabase, assignTag?: AssignTag) {
  return {
    accounts: createAccounts(db),
    keys: createKeys(db),
    sessions: createSessions(db),
    inspections: createInspections(db, assignTag),
    idempotency: createIdempotency(db),
    requestCounts: createRequestCounts(db),
    webhooks: createWebhooks(db),
    uploads: createUploads(db),
    reviews: createReviews(db),
    async ensureSecret(name: string) {
      const generated = randomBytes(32).toString('base64url');
      await db.run('INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING', [name, generated]);
      return (await db.get('SELECT value FROM secrets WHERE name = ?', [name]))?.value as string;
    },
  };
}
