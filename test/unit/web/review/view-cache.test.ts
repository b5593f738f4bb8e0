import { expect, test } from 'vitest';
import { cacheViews } from '../../../../src/web/review/view-cache.ts';

/** Pictures that open when they are let. */
function openings() {
  const opened: string[] = [];
  const waiting = new Map<string, (failed?: boolean) => void>();
  const open = (address: string) => {
    opened.push(address);
    const ready = new Promise<void>((done, fail) => {
      waiting.set(address, (failed) => (failed ? fail(new Error('gone')) : done()));
    });
    return { ready };
  };
  const finish = async (address: string, failed = false) => {
    waiting.get(address)?.(failed);
    await new Promise((done) => setImmediate(done));
  };
  return { opened, open, finish };
}

test('pictures are opened one after the other, the wanted ones once', async () => {
  const { opened, open, finish } = openings();
  const views = cacheViews(open);
  views.prefetch(['a', 'b', 'c']);
  expect(opened).toEqual(['a']);
  await finish('a');
  expect(opened).toEqual(['a', 'b']);
  // The next photo is looked at before all is there: what is held or under way is not opened again.
  views.prefetch(['b', 'c', 'd', 'a']);
  await finish('b');
  await finish('c');
  await finish('d');
  expect(opened).toEqual(['a', 'b', 'c', 'd']);
});

test('what is no longer wanted is given up, and opened again when it is', async () => {
  const { opened, open, finish } = openings();
  const views = cacheViews(open);
  views.prefetch(['a']);
  await finish('a');
  views.prefetch(['b']);
  await finish('b');
  views.prefetch(['a']);
  expect(opened).toEqual(['a', 'b', 'a']);
});

test('one that cannot be had does not keep the others from being opened', async () => {
  const { opened, open, finish } = openings();
  cacheViews(open).prefetch(['a', 'b']);
  await finish('a', true);
  expect(opened).toEqual(['a', 'b']);
});
