import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/storage/sqlite/database.ts';
import { groupWrites } from '../../../src/storage/sqlite/group-commit.ts';

let directory: string;
let db: Database;
/** Another connection: sees what is committed. */
let reader: Database;
let transactions: number;
let inGroup: (work: () => void) => Promise<void>;
const put = (name: string) => db.run('INSERT INTO secrets VALUES (?, ?)', name, '');
const stored = () => reader.all('SELECT name FROM secrets ORDER BY name').map(({ name }) => name);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vehi-group-'));
  db = openDatabase(join(directory, 'a.db'));
  reader = openDatabase(join(directory, 'a.db'));
  transactions = 0;
  inGroup = groupWrites({
    ...db,
    transaction(work) {
      transactions++;
      return db.transaction(work);
    },
  });
});
afterEach(() => {
  db.close();
  reader.close();
  rmSync(directory, { recursive: true });
});

describe('what one turn of the event loop asks for', () => {
  it('is committed together and reported when it is: another connection sees it by then, and not before', async () => {
    const all = ['a', 'b', 'c'].map((name) => inGroup(() => put(name)));
    expect(stored()).toEqual([]);
    await all[0];
    expect([stored(), transactions]).toEqual([['a', 'b', 'c'], 1]);
    await Promise.all(all);
  });

  it('is committed a few at a time, in order', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `n${String(i).padStart(2, '0')}`);
    const order: string[] = [];
    const all = names.map((name) => inGroup(() => put(name)).then(() => order.push(name)));
    await Promise.race(all);
    expect(stored()).toEqual(names.slice(0, 16));
    await Promise.all(all);
    expect([stored(), order, transactions]).toEqual([names, names, 3]);
  });

  it('fails alone where it fails, with all it did', async () => {
    const half = () => {
      put('half');
      put('a');
    };
    const ends = await Promise.allSettled([inGroup(() => put('a')), inGroup(half), inGroup(() => put('b'))]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((ends[1] as PromiseRejectedResult).reason.message).toMatch(/UNIQUE/);
    expect(stored()).toEqual(['a', 'b']);
  });

  it('fails together where the whole transaction ends, and what comes later does not', async () => {
    const ends = await Promise.allSettled([
      inGroup(() => put('a')),
      inGroup(() => {
        // What SQLite does by itself when the disk is full.
        db.run('ROLLBACK');
        throw new Error('database or disk is full');
      }),
      inGroup(() => put('b')),
    ]);
    expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual(
      Array.from({ length: 3 }, () => 'database or disk is full'),
    );
    expect(stored()).toEqual([]);
    await inGroup(() => put('c'));
    expect(stored()).toEqual(['c']);
  });
});
