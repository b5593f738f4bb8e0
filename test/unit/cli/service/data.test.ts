import { expect, it } from 'vitest';
import { runDataPurge } from '../../../../src/cli/data/data.run.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { makeOwnFolder } from '../../../helpers/own-folder.ts';

it.each(['1.5', '-1', 'many'])('refuses --older-than-days %s', async (olderThanDays) => {
  const { ctx } = fakeTerminal({ cwd: makeOwnFolder('data') });
  await expect(
    runDataPurge(
      { data: '.', yes: true, olderThanDays } as unknown as Parameters<typeof runDataPurge>[0],
      ctx,
    ),
  ).rejects.toThrow(`--older-than-days is "${olderThanDays}"; a whole number is needed.`);
});
