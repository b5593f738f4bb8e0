import { expect, it } from 'vitest';
import { redactsPlates } from '../../../../src/cli/service/programs.ts';
import { readSettings } from '../../../../src/config/settings.ts';
import { makeOwnFolder } from '../../../helpers/own-folder.ts';

it.each([
  [{}, {}, true],
  [{}, { VEHI_REDACT: 'off' }, false],
  [{ redact: 'off' }, {}, false],
  [{ redact: 'on' }, { VEHI_REDACT: 'off' }, true],
] as const)('the flags %j and the environment %j blur plates: %s', (flags, env, blurred) => {
  const cwd = makeOwnFolder('redact');
  expect(redactsPlates(flags, readSettings(flags, { env: { ...env, XDG_CONFIG_HOME: cwd }, cwd }))).toBe(
    blurred,
  );
});
