import { expect, test } from 'vitest';
import { listChosenFiles, listDroppedFiles } from '../../../../src/web/app/new/dropped-files.ts';

/** Returns what a browser makes of a dropped file, or of a folder with files. */
function makeEntry(fullPath: string, names: readonly string[] = []): FileSystemEntry {
  const lists = [names.map((name) => makeEntry(`${fullPath}/${name}`)), []];
  return {
    fullPath,
    isFile: names.length === 0,
    file: (done: (one: File) => void) => done(new File([], fullPath)),
    createReader: () => ({ readEntries: (done: (entries: unknown) => void) => done(lists.shift()) }),
  } as never;
}

const listDropped = async (...entries: readonly FileSystemEntry[]) => {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  return (await listDroppedFiles({ items } as never)).map(({ name }) => name);
};

test.each([
  ['.photos', ['b.jpg', 'a.jpg'], ['a.jpg', 'b.jpg']],
  ['car', ['IMG_10.jpg', 'IMG_9.jpg', '.thumb.jpg'], ['IMG_9.jpg', 'IMG_10.jpg']],
])('the folder %s with %j has %j, chosen or dropped', async (folder, names, listed) => {
  const files = names.map((name) =>
    Object.assign(new File([], name), { webkitRelativePath: `${folder}/${name}` }),
  );
  expect(listChosenFiles(files as never).map(({ name }) => name)).toEqual(listed);
  expect(await listDropped(makeEntry(`/${folder}`, names))).toEqual(
    listed.map((name) => `/${folder}/${name}`),
  );
});

test('a file and a folder that cannot be read are listed empty, and the others in full', async () => {
  const fail = (_done: unknown, failed: (error: Error) => void) => failed(new Error('NotReadableError'));
  const broken = { ...makeEntry('/b.jpg'), name: 'b.jpg', file: fail };
  const closed = { ...makeEntry('/c', ['d.jpg']), name: 'c', createReader: () => ({ readEntries: fail }) };
  expect(await listDropped(makeEntry('/a.jpg'), broken as never, closed as never)).toEqual([
    '/a.jpg',
    'b.jpg',
    'c',
  ]);
});

test('dropped files are sorted, and one with a hidden name stays, because the user chose it', async () => {
  const dropped = await listDropped(...['/b10.jpg', '/b9.jpg', '/.a.jpg'].map((path) => makeEntry(path)));
  expect(dropped).toEqual(['/.a.jpg', '/b9.jpg', '/b10.jpg']);
});
