import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openCaptureFolder } from '../../../../src/cli/capture/capture-folder.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

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

const dir = makeOwnFolder('capture-folder');
let count = 0;
const makePath = () => join(dir, `car-${++count}`);
const photo = (text: string, format: 'jpeg' | 'heic' = 'jpeg') => ({ bytes: Buffer.from(text), format });

describe('openCaptureFolder', () => {
  test('a photo taken again replaces the first, which is kept', async () => {
    const path = makePath();
    const folder = await openCaptureFolder(path);
    expect(await folder.store('front', photo('one'), false)).toBe('front.jpg');
    expect(await folder.store('front', photo('two'), false)).toBe('front.jpg');
    expect(await folder.store('front', photo('three', 'heic'), false)).toBe('front.heic');
    expect(folder.list('front')).toEqual(['front.heic']);
    expect(readFileSync(join(path, 'front.heic'), 'utf8')).toBe('three');
    expect(
      readdirSync(join(path, 'replaced'))
        .map((name) => readFileSync(join(path, 'replaced', name), 'utf8'))
        .sort(),
    ).toEqual(['one', 'two']);
  });

  test('the same bytes again change nothing, whatever answer was lost', async () => {
    const path = makePath();
    const folder = await openCaptureFolder(path);
    for (let turn = 0; turn < 3; turn++) {
      expect(await folder.store('damage', photo('a dent'), true)).toBe('damage_1.jpg');
      expect(await folder.store('rear', photo('the rear'), false)).toBe('rear.jpg');
    }
    expect(await folder.store('damage', photo('a scratch'), true)).toBe('damage_2.jpg');
    expect(readdirSync(path).sort()).toEqual(['damage_1.jpg', 'damage_2.jpg', 'rear.jpg']);
    expect(folder.photoCount).toBe(3);
  });

  test('what lies in the folder has been taken; other files stay as they are', async () => {
    const path = makePath();
    mkdirSync(path);
    for (const name of ['front_left.jpg', 'known_3.jpg', 'known_31.jpg', 'damage_9.png', 'vehi.json'])
      writeFileSync(join(path, name), name);
    const folder = await openCaptureFolder(path);
    expect(folder.list('front_left')).toEqual(['front_left.jpg']);
    expect(folder.list('front')).toEqual([]);
    expect(folder.list('known_3')).toEqual(['known_3.jpg']);
    expect(await folder.store('damage', photo('new'), true)).toBe('damage_10.jpg');
    expect(readFileSync(join(path, 'vehi.json'), 'utf8')).toBe('vehi.json');
    expect(existsSync(join(path, 'replaced'))).toBe(false);
  });

  test('a photo of any extension that inspect reads fills its slot', async () => {
    const path = makePath();
    mkdirSync(path);
    for (const name of ['front.heif', 'rear.JPE', 'notes.txt']) writeFileSync(join(path, name), name);
    const folder = await openCaptureFolder(path);
    expect(folder.list('front')).toEqual(['front.heif']);
    expect(folder.list('rear')).toEqual(['rear.JPE']);
    expect(folder.photoCount).toBe(2);
  });

  test.each([['jpeg'], ['heic']] as const)(
    'an end at any step of replacing by a %s loses no photo',
    async (format) => {
      let isStored = false;
      for (let steps = 0; !isStored; steps++) {
        const path = makePath();
        const folder = await openCaptureFolder(path);
        await folder.store('front', photo('one'), false);
        disk.changesLeft = steps;
        isStored = await folder.store('front', photo('two', format), false).then(
          () => true,
          () => false,
        );
        disk.changesLeft = Number.POSITIVE_INFINITY;
        const names = (await openCaptureFolder(path)).list('front');
        const shown = names.map((name) => readFileSync(join(path, name), 'utf8'));
        expect(shown, `after ${steps} steps`).not.toEqual([]);
        if (isStored) expect(shown).toEqual(['two']);
        const aside = existsSync(join(path, 'replaced')) ? readdirSync(join(path, 'replaced')) : [];
        const kept = aside.filter((name) => name.endsWith('.jpg'));
        expect([
          ...shown,
          ...kept.map((name) => readFileSync(join(path, 'replaced', name), 'utf8')),
        ]).toContain('one');
      }
    },
  );
});
