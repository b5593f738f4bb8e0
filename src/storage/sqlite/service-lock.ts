import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { VehiError } from '../../lib/errors.ts';

/**
 * Takes the data directory, which must exist, for one running service; the function returned gives it back. Two services
 * would take up each other's unfinished inspections. The lock is the one that SQLite holds on `serve.lock` while a
 * transaction is open: the system lets go of it when the process ends, however it ends, and there is no stale file to
 * remove. `vehi keys`, `accounts` and `data` need no lock: they work while a service is running.
 * @throws VehiError usage/DATA_DIRECTORY_IN_USE.
 */
export function lockForService(directory: string): () => void {
  const db = new DatabaseSync(join(directory, 'serve.lock'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    if (!/lock|busy/i.test((cause as Error).message)) throw cause;
    throw new VehiError(
      'usage',
      'DATA_DIRECTORY_IN_USE',
      `${directory}: another vehi serve is running with this data directory`,
      { hint: 'Stop it first, or name another directory with --data.', cause },
    );
  }
  return () => db.close();
}
