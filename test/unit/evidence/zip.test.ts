import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { zipFiles } from '../../../src/evidence/zip.ts';

test('a zip fails with the file that cannot be opened', async () => {
  const files = [
    { name: 'a', bytes: 1, open: async () => Buffer.from('a') },
    { name: 'b', bytes: 1, open: () => Promise.reject(new Error('no such photo')) },
  ];
  await expect(buffer(zipFiles(files))).rejects.toThrow('no such photo');
});
