import { expect, test } from 'vitest';
import { readServerSettings, type ServeFlags } from '../../../../src/cli/service/serve-settings.ts';
import type { CliContext } from '../../../../src/cli/terminal/context.ts';

const flags = { keepViews: 7, workers: 1, queue: 1, inlineImages: 1, inlineSeconds: 1 };
const settingsOf = (env: Record<string, string>, more: Partial<ServeFlags> = {}) =>
  readServerSettings(
    { ...flags, ...more } as unknown as ServeFlags,
    { env: { XDG_CONFIG_HOME: '/nonexistent', ...env }, cwd: '/' } as unknown as CliContext,
  );

test('an address of --trust-proxy that is none is named', () => {
  const read = (trustProxy: string) => settingsOf({}, { trustProxy }).trustProxy;
  expect(() => read('10.0.0.1,foo,10.0.0.3')).toThrow('--trust-proxy: "foo" is not an address of a proxy.');
  for (const wrong of ['10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/', '10.0.0.0/8/8', 'fe80::/129', ''])
    expect(() => read(wrong)).toThrow(`"${wrong}" is not an address`);
  const right = '10.0.0.5, 10.0.0.0/8,fe80::/128,loopback';
  expect(read(right)).toBe(right);
});

test.each([
  [{}, undefined],
  [{ VEHI_CERTAIN_FROM: '0.6' }, { certain: 0.6 }],
  [
    { VEHI_CERTAIN_FROM: '0.6', VEHI_TO_CHECK_FROM: '0' },
    { certain: 0.6, toCheck: 0 },
  ],
])('a service takes the limits of its own that are set: %j', (env, wanted) => {
  expect(settingsOf(env as Record<string, string>).ownLimits).toEqual(wanted);
});
