import { expect, it } from 'vitest';
import { countDefaultThreads, readQuota } from '../../../../src/vision/run/threads.ts';

it.each([
  ['max 100000\n', undefined],
  ['200000 100000\n', 2],
  ['250000 100000', 2],
  ['50000 100000', 1],
  ['', undefined],
  ['nonsense', undefined],
  ['0 0', undefined],
])('a quota of %j allows %s processors', (text, processors) => {
  expect(readQuota(text)).toBe(processors);
});

it('uses at least one thread', async () => {
  expect(await countDefaultThreads()).toBeGreaterThanOrEqual(1);
});
