import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openBytes, zipFiles } from '../../../src/evidence/zip.ts';

test.each<[string, () => Promise<Readable>]>([
  ['cannot be opened', () => Promise.reject(new Error('no such photo'))],
  [
    'fails while it is read',
    async () =>
      new Readable({
        read() {
          this.destroy(new Error('no such photo'));
        },
      }),
  ],
])('a zip fails with the file that %s', async (_what, open) => {
  const files = [
    { name: 'a', bytes: 1, open: openBytes('a') },
    { name: 'b', bytes: 1, open },
  ];
  await expect(buffer(zipFiles(files))).rejects.toThrow('no such photo');
});
