import { expect, test } from 'vitest';
import { tryHeic } from '../../../../src/images/read/heic-decoder.ts';

const answering = (reason: string) => ({
  decode: async () => ({ ok: false as const, reason }),
  close: async () => undefined,
});

test('the HEIC decoder answers that rubbish is no picture', async () => {
  await expect(tryHeic()).resolves.toBeUndefined();
});

test.each([
  ['that cannot start', 'data that stops libheif (Error: Cannot find module)'],
  ['whose WASM does not load', 'data that libheif refuses (Error: not a module)'],
])('a decoder %s does not count as one that works', async (_, reason) => {
  await expect(tryHeic(answering(reason))).rejects.toThrowError(reason);
});
