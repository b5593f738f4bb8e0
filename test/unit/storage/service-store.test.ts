// @module-tag slow: locks are waited for
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireServiceLock } from '../../../src/storage/sqlite/service-lock.ts';
import { openServiceStore } from '../../../src/storage/sqlite/service-store.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'vehi-service-')), 'data');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

const version = () => {
  const db = new DatabaseSync(join(directory, 'vehi.db'));
  const found = db.prepare('PRAGMA user_version').get() as { user_version: number };
  db.close();
  return found.user_version;
};

describe('the store of a service', () => {
  it('is one per directory, until it is given back', async () => {
    const first = await openServiceStore(directory);
    await expect(openServiceStore(directory)).rejects.toMatchObject({ code: 'DATA_DIRECTORY_IN_USE' });
    await first.store.close();
    first.unlock();
    const second = await openServiceStore(directory);
    await second.store.close();
    second.unlock();
  });

  it('is not migrated by a service that is refused', async () => {
    await openDirectoryStore(directory).close();
    rmSync(join(directory, 'vehi.db'));
    const old = new DatabaseSync(join(directory, 'vehi.db'));
    old.exec('PRAGMA user_version = 0');
    old.close();
    const lock = acquireServiceLock(directory);
    await expect(openServiceStore(directory)).rejects.toThrow(/another vehi serve is running/);
    expect(version()).toBe(0);
    lock.release();
    const { store, unlock: end } = await openServiceStore(directory);
    await store.close();
    end();
    expect(version()).toBeGreaterThan(0);
  });

  it('is migrated once where two processes open it', async () => {
    await openDirectoryStore(directory).close();
    const db = new DatabaseSync(join(directory, 'vehi.db'));
    const newest = version();
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
    expect(version()).toBe(newest);
  });

  it.each([
    ['removed', () => rmSync(join(directory, 'serve.lock'))],
    [
      'replaced by another file',
      () => {
        rmSync(join(directory, 'serve.lock'));
        writeFileSync(join(directory, 'serve.lock'), '');
      },
    ],
  ])(
    'stays with the service that runs when its lock is %s',
    async (_how, take) => {
      const first = await openServiceStore(directory);
      take();
      await expect(openServiceStore(directory)).rejects.toMatchObject({ code: 'DATA_DIRECTORY_IN_USE' });
      // By now the first has locked the new file.
      expect(() => acquireServiceLock(directory)).toThrow(/another vehi serve is running/);
      await first.store.close();
      first.unlock();
      const second = await openServiceStore(directory);
      await second.store.close();
      second.unlock();
    },
    30_000,
  );

  it('informs a service that lost its directory to another', async () => {
    const first = await openServiceStore(directory);
    rmSync(join(directory, 'serve.lock'));
    const other = acquireServiceLock(directory);
    await expect(first.lockLost).resolves.toBeUndefined();
    await first.store.close();
    first.unlock();
    other.release();
  }, 30_000);

  it('gives the directory back when its database cannot be opened', async () => {
    const db = await openServiceStore(directory);
    await db.store.close();
    db.unlock();
    const newer = new DatabaseSync(join(directory, 'vehi.db'));
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    await expect(openServiceStore(directory)).rejects.toThrow(/schema version 99/);
    acquireServiceLock(directory).release();
  });

  it.skipIf(process.platform === 'win32')(
    'closes a database that others could read, and says which files',
    async () => {
      const before = openDirectoryStore(directory);
      const file = join(directory, 'vehi.db');
      for (const suffix of ['', '-wal', '-shm']) chmodSync(file + suffix, 0o644);
      const { store, securedFiles, unlock } = await openServiceStore(directory);
      expect(securedFiles).toEqual([file, `${file}-wal`, `${file}-shm`]);
      for (const one of securedFiles) expect(statSync(one).mode & 0o777).toBe(0o600);
      await before.close();
      await store.close();
      unlock();
      const again = await openServiceStore(directory);
      expect(again.securedFiles).toEqual([]);
      await again.store.close();
      again.unlock();
    },
  );
});
