import { expect, it } from 'vitest';
import { mapPhotos } from '../../../../models/evaluate/photo-run.ts';
import { VehiError } from '../../../../src/lib/errors.ts';

const photos = ['a', 'b', 'c', 'd'].map((file) => ({ file }));

it('gives results in the order of the photos and lists those that fail', async () => {
  const reported: number[] = [];
  const work = async ({ file }: { file: string }, index: number) => {
    await new Promise((resolve) => setTimeout(resolve, 5 * (4 - index)));
    if (file === 'b') throw new Error('broken');
    return file.toUpperCase();
  };
  const outcome = await mapPhotos(
    photos,
    { concurrency: 3, onProgress: (done) => reported.push(done) },
    work,
  );
  expect(outcome).toEqual({ results: ['A', 'C', 'D'], failures: [{ file: 'b', reason: 'broken' }] });
  expect(reported).toEqual([1, 2, 3, 4]);
});

it('starts no photo after the models fail', async () => {
  const started: string[] = [];
  const work = async ({ file }: { file: string }) => {
    started.push(file);
    if (file === 'a') throw new VehiError('engine', 'MODEL_UNLOADABLE', 'no model');
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await expect(mapPhotos(photos, { concurrency: 2 }, work)).rejects.toThrow('no model');
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(started).toEqual(['a', 'b']);
});

it('ends after the photos in flight when asked to stop', async () => {
  const stop = new AbortController();
  const { results } = await mapPhotos(photos, { concurrency: 1, signal: stop.signal }, async ({ file }) => {
    if (file === 'b') stop.abort();
    return file;
  });
  expect(results).toEqual(['a', 'b']);
});
