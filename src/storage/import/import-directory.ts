import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { VehiError } from '../../lib/errors.ts';
import { createDirectoryBlobs } from '../directory-blobs.ts';
import type { BlobStore } from '../ports.ts';
import { withRecordedOwners } from '../postgres/blobs.ts';
import type { Database as Target } from '../postgres/database.ts';
import { createPostgresProcesses } from '../postgres/processes.ts';
import { openMigratedDatabase } from '../postgres/store.ts';
import { openDatabase, type Row, type Database as Source } from '../sqlite/database.ts';
import { lockDirectory } from '../sqlite/service-store.ts';
import { DATABASE_FILE } from '../sqlite/store.ts';
import { copyTable, type TableReport } from './copy-table.ts';
import { IMPORTED_TABLES } from './tables.ts';

/** Result of an import. */
export interface ImportReport {
  readonly tables: readonly TableReport[];
  readonly files: { readonly found: number; readonly added: number };
  /** Data that was not imported, as sentences for an operator. */
  readonly left: readonly string[];
}

/** Maximum concurrent file copies. */
const MAX_CONCURRENT_COPIES = 8;

/** Copies the secrets. If a service has used the database, its own secrets stay, because they sign its links. */
async function copySecrets(source: Source, target: Target) {
  const rows = source.all('SELECT name, value FROM secrets');
  const firstRecord = await target.get('SELECT 1 AS used FROM inspections LIMIT 1');
  const onConflict = firstRecord ? 'NOTHING' : 'UPDATE SET value = excluded.value';
  let added = 0;
  let conflictCount = 0;
  for (const { name, value } of rows) {
    const previous = await target.get('SELECT value FROM secrets WHERE name = ?', name as string);
    await target.run(
      `INSERT INTO secrets VALUES (?, ?) ON CONFLICT (name) DO ${onConflict}`,
      ...[name as string, value as string],
    );
    const stored = await target.get('SELECT value FROM secrets WHERE name = ?', name as string);
    if (stored?.value !== value) conflictCount++;
    else if (previous?.value !== value) added++;
  }
  const found = rows.length;
  return { report: { table: 'secrets', found, added, present: found }, conflictCount };
}

/** Copies the files of one owner that are missing in the target. */
async function copyFiles(
  owner: string,
  from: BlobStore,
  to: BlobStore,
): Promise<{ found: number; added: number }> {
  const names = await from.list(owner);
  if (names.length === 0) return { found: 0, added: 0 };
  const existing = new Set(await to.list(owner));
  let added = 0;
  for (const name of names) {
    const bytes = existing.has(name) ? undefined : await from.get(owner, name);
    if (!bytes) continue;
    await to.put(owner, name, bytes);
    added++;
  }
  return { found: names.length, added };
}

async function describeNotImported(
  directory: string,
  source: Source,
  blobs: BlobStore,
  conflictCount: number,
): Promise<string[]> {
  const hasRecord = (owner: string) =>
    source.get(
      'SELECT 1 AS known FROM inspections WHERE id = ? UNION ALL SELECT 1 FROM uploads WHERE id = ?',
      ...[owner, owner],
    ) !== undefined;
  const unknownCount = (await blobs.listOwners()).filter((owner) => !hasRecord(owner)).length;
  const setAsideFolder = join(directory, 'files-set-aside');
  const setAsideCount = existsSync(setAsideFolder) ? readdirSync(setAsideFolder).length : 0;
  return [
    'counts of requests in this hour: they start again at zero',
    ...(unknownCount > 0 ? [`files of ${unknownCount} owners that the directory has no record of`] : []),
    ...(setAsideCount > 0 ? [`files of ${setAsideCount} owners in files-set-aside`] : []),
    ...(conflictCount > 0
      ? [`${conflictCount} secrets: the database has its own; links to files issued earlier expire now`]
      : []),
  ];
}

/**
 * Opens the database of a directory whose service is not running.
 * @throws VehiError usage/NO_DATA, usage/DATA_DIRECTORY_IN_USE
 */
function openSource(directory: string): { source: Source; blobs: BlobStore; close(): void } {
  if (!existsSync(join(directory, DATABASE_FILE))) {
    throw new VehiError('usage', 'NO_DATA', `${directory}: there is no service data here.`, {
      hint: 'Name the data directory of the service with --from.',
    });
  }
  const unlock = lockDirectory(directory);
  try {
    const source = openDatabase(join(directory, DATABASE_FILE));
    const close = () => {
      source.close();
      unlock();
    };
    return { source, blobs: createDirectoryBlobs(directory), close };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Checks that no process uses the target, whose secrets and jobs change. @throws VehiError usage/DATABASE_IN_USE */
async function checkNotInUse(target: Target): Promise<void> {
  const running = await createPostgresProcesses(target).listLive();
  if (running.length === 0) return;
  const names = running.map(({ kind, host }) => `vehi ${kind} on ${host}`).join(', ');
  throw new VehiError('usage', 'DATABASE_IN_USE', `the database is in use by ${names}`, {
    hint: 'Stop them; a killed process stops counting half a minute after its last heartbeat.',
  });
}

/**
 * Copies a data directory into a PostgreSQL database and a blob store. Existing data is left alone, so an interrupted
 * run can be repeated. Files of a record are copied before the record.
 * @param onProgress is called with the report of each completed table
 */
export async function importDirectory(options: {
  readonly directory: string;
  readonly url: string;
  readonly objects: BlobStore;
  readonly onProgress: (report: TableReport) => void;
}): Promise<ImportReport> {
  const { source, blobs, close } = openSource(options.directory);
  try {
    const { db: target } = await openMigratedDatabase(options.url, 2);
    try {
      await checkNotInUse(target);
      const objects = withRecordedOwners(target, options.objects);
      const files = { found: 0, added: 0 };
      const copyOwnerFiles = (owner: string) => async (rows: readonly Row[]) => {
        const copy = async (row: Row) => copyFiles(String(row[owner]), blobs, objects);
        const limit = pLimit(MAX_CONCURRENT_COPIES);
        // No further copy starts after a failure.
        for (const counts of await limit.map(rows, copy).finally(() => limit.clearQueue())) {
          files.found += counts.found;
          files.added += counts.added;
        }
      };
      const secrets = await copySecrets(source, target);
      const tables = [secrets.report];
      options.onProgress(secrets.report);
      for (const table of IMPORTED_TABLES) {
        const beforeBatch = table.owner === undefined ? async () => undefined : copyOwnerFiles(table.owner);
        const report = await copyTable(table, source, target, beforeBatch);
        tables.push(report);
        options.onProgress(report);
      }
      const notImported = await describeNotImported(options.directory, source, blobs, secrets.conflictCount);
      return { tables, files, left: notImported };
    } finally {
      await target.close();
    }
  } finally {
    close();
  }
}
