import { expect, it } from 'vitest';
import { createChildStarter } from '../../../../src/cli/service/backend.ts';
import { readSettings } from '../../../../src/config/settings.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

it.each([
  [{}, {}, true],
  [{}, { VEHI_REDACT: 'off' }, false],
  [{ redact: 'off' }, {}, false],
  [{ redact: 'on' }, { VEHI_REDACT: 'off' }, true],
] as const)('the flags %j and the environment %j blur plates: %s', (flags, env, blurred) => {
  const cwd = makeOwnFolder('redact');
  const { redact } = readSettings(flags, { env: { ...env, XDG_CONFIG_HOME: cwd }, cwd });
  expect(redact.value === 'on').toBe(blurred);
});

it('a process that opens photos blurs as the service was set', () => {
  const { ctx } = fakeTerminal({ cwd: makeOwnFolder('redact') });
  const child = createChildStarter({ redact: 'off' }, ctx)();
  child.kill('SIGKILL');
  expect(JSON.parse(child.spawnargs.at(-1) ?? '')).toMatchObject({ redact: 'off' });
});
