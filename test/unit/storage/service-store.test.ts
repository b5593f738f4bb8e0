// @module-tag slow: locks are waited for
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeEach, expect, it } from 'vitest';
import { lockDirectory, openServiceStore } from '../../../src/storage/sqlite/service-store.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

let directory: string;
beforeEach(() => {
  directory = join(makeOwnFolder('service'), 'data');
});

/** Runs SQL on the database of the directory, and returns its version. */
function alter(sql = ''): number {
  const db = new DatabaseSync(join(directory, 'vehi.db'));
  db.exec(sql);
  const found = db.prepare('PRAGMA user_version').get() as { user_version: number };
  db.close();
  return found.user_version;
}
/** Opens and closes the store of a service; returns the files that it restricted. */
async function openOnce(): Promise<readonly string[]> {
  const { store, securedFiles, unlock } = openServiceStore(directory);
  await store.close();
  unlock();
  return securedFiles;
}

it('a store is one per directory until it is given back, and migrated by no service that is refused', async () => {
  await openDirectoryStore(directory).close();
  rmSync(join(directory, 'vehi.db'));
  const unlock = lockDirectory(directory);
  await expect(openOnce).rejects.toThrow(/another vehi serve is running/);
  expect(alter()).toBe(0);
  unlock();
  await openOnce();
  expect(alter()).toBeGreaterThan(0);
  await openOnce();
});

it('a store is migrated once where two processes open it', async () => {
  await openDirectoryStore(directory).close();
  const db = new DatabaseSync(join(directory, 'vehi.db'));
  const newest = alter();
  db.exec('PRAGMA user_version = 0');
  db.exec('BEGIN IMMEDIATE');
  db.exec(`PRAGMA user_version = ${newest}`);
  const store = new URL('../../../src/storage/sqlite/store.ts', import.meta.url);
  const code = `const { openDirectoryStore } = await import('${store}');
    process.stdout.write('opening');
    await openDirectoryStore(${JSON.stringify(directory)}).close();`;
  const flags = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', code];
  const other = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  // It has read the version by then, and waits for the lock.
  await sleep(300);
  db.exec('COMMIT');
  db.close();
  expect(await once(other, 'exit')).toEqual([0, null]);
  expect(alter()).toBe(newest);
});

it('a store gives the directory back when its database cannot be opened', async () => {
  await openOnce();
  alter('PRAGMA user_version = 99');
  expect(() => openServiceStore(directory)).toThrow(/schema version 99, this vehi knows \d+\.$/);
  lockDirectory(directory)();
});

it.skipIf(process.platform === 'win32')(
  'closes a database that others could read, and says which files',
  async () => {
    const before = openDirectoryStore(directory);
    const file = join(directory, 'vehi.db');
    for (const suffix of ['', '-wal', '-shm']) chmodSync(file + suffix, 0o644);
    const { store, securedFiles, unlock } = openServiceStore(directory);
    expect(securedFiles).toEqual([file, `${file}-wal`, `${file}-shm`]);
    for (const one of securedFiles) expect(statSync(one).mode & 0o777).toBe(0o600);
    await before.close();
    await store.close();
    unlock();
    expect(await openOnce()).toEqual([]);
  },
);
