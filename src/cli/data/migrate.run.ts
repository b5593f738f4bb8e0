import { VehiError } from '../../lib/errors.ts';
import { loadOptional } from '../../lib/optional-package.ts';
import { readDatabaseAddress, type SharedFlags, warnOfPassword } from '../service/shared-addresses.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';

/** Runs `vehi admin data migrate`. */
export async function runDataMigrate(flags: SharedFlags, ctx: CliContext): Promise<void> {
  const url = readDatabaseAddress(flags, ctx);
  if (url === undefined) {
    throw new VehiError('usage', 'INVALID_OPTION', '--database is missing.', {
      hint: 'For example --database postgres://vehi@db.example.com/vehi (or VEHI_DATABASE).',
    });
  }
  await warnOfPassword(flags, ctx);
  const { openMigratedDatabase } = await import('../../storage/postgres/store.ts');
  const { db, from, to } = await openMigratedDatabase(url, 1);
  await db.close();
  const { migrateQueue } = await loadOptional(() => import('../../server/work/shared-queue.ts'));
  await migrateQueue(url);
  const done = from === to ? 'was up to date' : from === 0 ? 'made' : `brought up from version ${from}`;
  await write(ctx.stdout, `schema version ${to}, ${done}\n`);
}
