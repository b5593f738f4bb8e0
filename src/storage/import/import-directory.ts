import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { VehiError } from '../../lib/errors.ts';
import { createDirectoryBlobs } from '../directory-blobs.ts';
import type { BlobStore } from '../ports.ts';
import { noteOwners } from '../postgres/blobs.ts';
import type { Database as Target } from '../postgres/database.ts';
import { createPostgresProcesses } from '../postgres/processes.ts';
import { openMigrated } from '../postgres/store.ts';
import { openDatabase, type Row, type Database as Source } from '../sqlite/database.ts';
import { lockForService } from '../sqlite/service-lock.ts';
import { DATABASE_FILE } from '../sqlite/store.ts';
import { copyTable, type TableReport } from './copy-table.ts';
import { MOVED_TABLES } from './tables.ts';

/** Result of an import. */
export interface ImportReport {
  readonly tables: readonly TableReport[];
  readonly files: { readonly found: number; readonly added: number };
  /** Data that was not imported, as sentences for an operator. */
  readonly left: readonly string[];
}

/** Maximum concurrent file copies. */
const FILES_AT_ONCE = 8;

/** Copies the secrets. If a service has used the database, its own secrets stay, because they sign its links. */
async function copySecrets(source: Source, target: Target): Promise<{ report: TableReport; kept: number }> {
  const rows = source.rows('SELECT name, value FROM secrets');
  const used = await target.row('SELECT 1 AS used FROM inspections LIMIT 1');
  const conflict = used ? 'NOTHING' : 'UPDATE SET value = excluded.value';
  let added = 0;
  let kept = 0;
  for (const { name, value } of rows) {
    const before = await target.row('SELECT value FROM secrets WHERE name = ?', name as string);
    await target.run(
      `INSERT INTO secrets VALUES (?, ?) ON CONFLICT (name) DO ${conflict}`,
      ...[name as string, value as string],
    );
    const now = await target.row('SELECT value FROM secrets WHERE name = ?', name as string);
    if (now?.value !== value) kept++;
    else if (before?.value !== value) added++;
  }
  const found = rows.length;
  return { report: { table: 'secrets', found, added, present: found }, kept };
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
  keptSecrets: number,
): Promise<string[]> {
  const hasRecord = (owner: string) =>
    source.row(
      'SELECT 1 AS known FROM inspections WHERE id = ? UNION ALL SELECT 1 FROM uploads WHERE id = ?',
      ...[owner, owner],
    ) !== undefined;
  const unknown = (await blobs.owners()).filter((owner) => !hasRecord(owner)).length;
  const aside = join(directory, 'files-set-aside');
  const asideCount = existsSync(aside) ? readdirSync(aside).length : 0;
  return [
    'counts of requests in this hour: they start again at zero',
    ...(unknown > 0 ? [`files of ${unknown} owners that the directory has no record of`] : []),
    ...(asideCount > 0 ? [`files of ${asideCount} owners in files-set-aside`] : []),
    ...(keptSecrets > 0
      ? [`${keptSecrets} secrets: the database has its own; links to files issued earlier expire now`]
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
  const lock = lockForService(directory);
  try {
    const source = openDatabase(join(directory, DATABASE_FILE));
    const close = () => {
      source.close();
      lock.release();
    };
    return { source, blobs: createDirectoryBlobs(directory), close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Checks that no process uses the target, whose secrets and jobs change. @throws VehiError usage/DATABASE_IN_USE */
async function refuseRunning(target: Target): Promise<void> {
  const living = await createPostgresProcesses(target).living();
  if (living.length === 0) return;
  const names = living.map(({ kind, host }) => `vehi ${kind} on ${host}`).join(', ');
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
    const { db: target } = await openMigrated(options.url, 2);
    try {
      await refuseRunning(target);
      const objects = noteOwners(target, options.objects);
      const files = { found: 0, added: 0 };
      const copyOwnerFiles = (owner: string) => async (rows: readonly Row[]) => {
        const copy = async (row: Row) => copyFiles(String(row[owner]), blobs, objects);
        const limit = pLimit(FILES_AT_ONCE);
        // No further copy starts after a failure.
        for (const one of await limit.map(rows, copy).finally(() => limit.clearQueue())) {
          files.found += one.found;
          files.added += one.added;
        }
      };
      const secrets = await copySecrets(source, target);
      const tables = [secrets.report];
      options.onProgress(secrets.report);
      for (const table of MOVED_TABLES) {
        const before = table.owner === undefined ? async () => undefined : copyOwnerFiles(table.owner);
        const report = await copyTable(table, source, target, before);
        tables.push(report);
        options.onProgress(report);
      }
      const left = await describeNotImported(options.directory, source, blobs, secrets.kept);
      return { tables, files, left };
    } finally {
      await target.close();
    }
  } finally {
    close();
  }
}
