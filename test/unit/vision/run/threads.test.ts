import { expect, it } from 'vitest';
import { readQuota } from '../../../../src/vision/run/threads.ts';

it.each([
  ['max 100000\n', undefined],
  ['250000 100000', 2],
  ['50000 100000', 1],
  ['', undefined],
  ['0 0', undefined],
])('a quota of %j allows %s processors', (text, processors) => {
  expect(readQuota(text)).toBe(processors);
});
