import { expect, it } from 'vitest';
import { createChildStarter } from '../../../../src/cli/service/backend.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

it('a process that opens photos blurs as the service was set', () => {
  const { ctx } = fakeTerminal({ cwd: makeOwnFolder('redact') });
  const child = createChildStarter({ redact: 'off' }, ctx)();
  child.kill('SIGKILL');
  expect(JSON.parse(child.spawnargs.at(-1) ?? '')).toMatchObject({ redact: 'off' });
});
