import { expect, test } from 'vitest';
import { readServerSettings, type ServeFlags } from '../../../../src/cli/service/serve-settings.ts';
import type { CliContext } from '../../../../src/cli/terminal/context.ts';

const flags = { keepViews: 7, workers: 1, queue: 1, inlineImages: 1, inlineSeconds: 1 };
const settingsOf = (env: Record<string, string>) =>
  readServerSettings(
    flags as unknown as ServeFlags,
    {
      env: { XDG_CONFIG_HOME: '/nonexistent', ...env },
      cwd: '/',
    } as unknown as CliContext,
  );

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
