import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toReason, VehiError } from '../../lib/errors.ts';
import { makeFolderSync } from '../../lib/files.ts';
import { createDirectoryBlobs } from '../directory-blobs.ts';
import type { BlobStore, Store } from '../ports.ts';
import { createStores } from '../sql/stores.ts';
import { openDatabase, type SqliteDatabase } from './database.ts';
import { createSqliteProcesses } from './processes.ts';

/** Creates an empty owner-only file, because a copy of the database contains the webhook signing secrets. */
function makePrivateFile(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new VehiError('usage', 'FILE_EXISTS', `${file} already exists.`, {
        hint: 'Name a file that does not exist.',
        cause,
      });
    }
    throw new VehiError('usage', 'FILE_UNWRITABLE', `${file}: cannot be written (${message}).`, {
      hint: 'Name a file in a directory that exists and that you may write to.',
      cause,
    });
  }
}

function createStore(db: SqliteDatabase, blobs: BlobStore): Store {
  return {
    ...createStores(db),
    processes: createSqliteProcesses(db),
    shared: false,
    blobs,
    async ping() {
      db.checkNotReplaced();
      await db.get('SELECT count(*) AS n FROM secrets');
    },
    async backup(file) {
      makePrivateFile(file);
      try {
        await db.backup(file);
      } catch (error) {
        rmSync(file, { force: true });
        throw error;
      }
    },
    close: db.close,
  };
}

export const DATABASE_FILE = 'vehi.db';

/**
 * Creates a data directory with `vehi.db` and `files/` if absent, accessible only to its owner.
 * @throws VehiError usage/DATA_DIRECTORY.
 */
export function makeDataDirectory(directory: string): void {
  try {
    makeFolderSync(join(directory, 'files'), 0o700);
    // An existing directory may be world-readable; SQLite's auxiliary files inherit this file's permissions.
    closeSync(openSync(join(directory, DATABASE_FILE), 'a', 0o600));
  } catch (error) {
    throw new VehiError(
      'usage',
      'DATA_DIRECTORY',
      `${directory}: cannot be used as data directory (${toReason(error)}).`,
      { hint: 'Name a directory you may write to with --data or VEHI_DATA_DIR.', cause: error },
    );
  }
}

/**
 * Opens the store of a data directory, creating it if absent.
 * @throws VehiError usage/DATA_DIRECTORY, usage/DATABASE_TOO_NEW, usage/DATABASE_UNREADABLE.
 */
export function openDirectoryStore(directory: string): Store {
  makeDataDirectory(directory);
  return createStore(openDatabase(join(directory, DATABASE_FILE)), createDirectoryBlobs(directory));
}

/** Opens a store in a temporary data directory, which is removed on closing. */
export function openTemporaryStore(): Store {
  const directory = mkdtempSync(join(tmpdir(), 'vehi-'));
  const store = openDirectoryStore(directory);
  return {
    ...store,
    async close() {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
