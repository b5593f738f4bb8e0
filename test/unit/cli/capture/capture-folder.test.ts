import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { openCaptureFolder } from '../../../../src/cli/capture/capture-folder.ts';
import { makeOwnFolder, openFiles } from '../../../helpers/temporary-folder.ts';

/** Changes of the file system that still succeed; then all fail, as on a full disk or in a killed process. */
const disk = vi.hoisted(() => ({ changesLeft: Number.POSITIVE_INFINITY }));
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  const limit =
    <A extends unknown[], R>(change: (...args: A) => Promise<R>) =>
    async (...args: A) => {
      if (disk.changesLeft-- <= 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      return change(...args);
    };
  return { ...real, writeFile: limit(real.writeFile), rename: limit(real.rename), rm: limit(real.rm) };
});

/** Opens a folder that has these files, each with its name as content. */
async function open(...names: readonly string[]) {
  const files = openFiles(makeOwnFolder('capture-folder'));
  for (const name of names) files.write(name, name);
  const folder = await openCaptureFolder(files.folder);
  const store = (slot: string, text: string, takesSeveral = false, format: 'jpeg' | 'heic' = 'jpeg') =>
    folder.store(slot, { bytes: Buffer.from(text), format }, takesSeveral);
  /** Returns the contents of the replaced photos. */
  const readReplaced = () =>
    existsSync(files.at('replaced'))
      ? readdirSync(files.at('replaced'))
          .filter((name) => name.endsWith('.jpg'))
          .map((name) => files.read(`replaced/${name}`))
          .sort()
      : [];
  return { ...files, folder, path: files.folder, store, readReplaced };
}

describe('openCaptureFolder', () => {
  test('a photo taken again replaces the first, which is kept', async () => {
    const { folder, read, readReplaced, store } = await open();
    expect(await store('front', 'one')).toBe('front.jpg');
    expect(await store('front', 'two')).toBe('front.jpg');
    expect(await store('front', 'three', false, 'heic')).toBe('front.heic');
    expect(folder.list('front')).toEqual(['front.heic']);
    expect(read('front.heic')).toBe('three');
    expect(readReplaced()).toEqual(['one', 'two']);
  });

  test('the same bytes again change nothing, whatever answer was lost', async () => {
    const { folder, path, store } = await open();
    for (let turn = 0; turn < 2; turn++) {
      expect(await store('damage', 'a dent', true)).toBe('damage_1.jpg');
      expect(await store('rear', 'the rear')).toBe('rear.jpg');
    }
    expect(await store('damage', 'a scratch', true)).toBe('damage_2.jpg');
    expect(readdirSync(path).sort()).toEqual(['damage_1.jpg', 'damage_2.jpg', 'rear.jpg']);
    expect(folder.photoCount).toBe(3);
  });

  test('a photo in the folder, of any extension that inspect reads, has been taken; other files stay as they are', async () => {
    const names = ['front_left.jpg', 'known_3.jpg', 'known_31.jpg', 'damage_9.png', 'left.heif', 'rear.JPE'];
    const { folder, at, read, store } = await open(...names, 'vehi.json', 'notes.txt');
    expect(folder.photoCount).toBe(names.length);
    for (const [slot, listed] of Object.entries({
      front_left: ['front_left.jpg'],
      front: [],
      known_3: ['known_3.jpg'],
      left: ['left.heif'],
      rear: ['rear.JPE'],
    }))
      expect(folder.list(slot)).toEqual(listed);
    expect(await store('damage', 'new', true)).toBe('damage_10.jpg');
    expect(read('vehi.json')).toBe('vehi.json');
    expect(existsSync(at('replaced'))).toBe(false);
  });

  test.each(['jpeg', 'heic'] as const)('an end at any step of replacing by %s loses none', async (format) => {
    let isStored = false;
    for (let steps = 0; !isStored; steps++) {
      const { path, read, readReplaced, store } = await open();
      await store('front', 'one');
      disk.changesLeft = steps;
      isStored = await store('front', 'two', false, format).then(
        () => true,
        () => false,
      );
      disk.changesLeft = Number.POSITIVE_INFINITY;
      const shown = (await openCaptureFolder(path)).list('front').map(read);
      expect(shown, `after ${steps} steps`).not.toEqual([]);
      if (isStored) expect(shown).toEqual(['two']);
      expect([...shown, ...readReplaced()]).toContain('one');
    }
  });
});
