import { join, resolve } from 'node:path';
import { findDataDirectory, readSettings } from '../../config/settings.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { makeUsageError } from '../../lib/errors.ts';
import { defined } from '../../lib/objects.ts';
import { removeInspections } from '../../storage/removal.ts';
import type { FlagsOf } from '../commands.ts';
import { createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { write, writeStatus } from '../terminal/output.ts';
import { readDatabaseAddress } from './shared-addresses.ts';
import { withFiles, withRecords } from './store.ts';

/** Copies the database of a data directory, even while the service runs. */
export async function runDataBackup(file: string, flags: FlagsOf<'admin data backup'>, ctx: CliContext) {
  if (readDatabaseAddress(flags, ctx) !== undefined)
    throw makeUsageError(
      'a PostgreSQL database is not backed up by vehi.',
      'Use pg_dump, or the backups of its provider; copy the files too.',
    );
  await withRecords(flags, ctx, (store) => store.backup(resolve(ctx.cwd, file)));
  const files = join(findDataDirectory(readSettings(flags, ctx), ctx), 'files');
  const missing = `photos and reports are not in it, copy ${files} too`;
  await writeStatus(ctx, `vehi: the database is copied to ${file}; ${missing}`);
}

/** Removes the inspections and assessments that meet all conditions, and prints their ids. */
export async function runDataPurge(flags: FlagsOf<'admin data purge'>, ctx: CliContext): Promise<void> {
  const { olderThanDays: days, vehicle: vehicleId, account: accountId } = flags;
  const before = days === undefined ? undefined : new Date(ctx.now().getTime() - days * DAY_MS).toISOString();
  const filter = defined({ before, vehicleId, accountId });
  if (Object.keys(filter).length === 0)
    throw makeUsageError('say what to remove.', 'Give --older-than-days, --vehicle or --account.');
  if (!(await confirmDeletion(flags, ctx))) return;
  const ids = await withFiles(flags, ctx, (store) => removeInspections(store, filter));
  await write(ctx.stdout, ids.map((id) => `${id}\n`).join(''));
  await writeStatus(ctx, `vehi: ${ids.length} removed`);
}

/** Returns true if the removal is confirmed. @throws VehiError usage if prompting is impossible */
async function confirmDeletion({ yes }: FlagsOf<'admin data purge'>, ctx: CliContext): Promise<boolean> {
  if (yes) return true;
  if (!ctx.interactive) throw makeUsageError('removal must be confirmed.', 'Add --yes.');
  return (await createTerminalAsker(ctx)).confirm('Remove them for good?', false);
}
