import { expect, it, vi } from 'vitest';
import { runServiceProcess } from '../../../../src/cli/service/service-process.ts';
import { createClock } from '../../../../src/server/clock.ts';
import type { ServiceStore } from '../../../../src/storage/sqlite/service-store.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';

vi.mock('../../../../src/cli/service/backend.ts', () => ({
  createChildStarter: () => () => expect.fail('no child is needed'),
  openBackend: async () => ({
    close: async () => {
      throw new Error('the backend does not close');
    },
  }),
}));

it.each(['closes', 'does not close'])('unlocks a store that %s, if the backend does not', async (how) => {
  const close = vi.fn(async () => {
    if (how === 'does not close') throw new Error('the store does not close');
  });
  const unlock = vi.fn();
  const opened = { store: { close }, securedFiles: [], unlock } as unknown as ServiceStore;
  const { ctx } = fakeTerminal({});
  const run = runServiceProcess(
    {
      flags: { sandbox: true, work: false } as never,
      shared: undefined,
      clock: createClock(),
      openStore: async () => opened,
      create: async () => expect.fail('the process does not start'),
    },
    ctx,
  );
  await expect(run).rejects.toThrow();
  expect(close).toHaveBeenCalledOnce();
  expect(unlock).toHaveBeenCalledOnce();
});
