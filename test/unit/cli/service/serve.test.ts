import { expect, it } from 'vitest';
import { createChildStarter } from '../../../../src/cli/service/backend.ts';
import { createSandboxKey } from '../../../../src/cli/service/sandbox.ts';
import { formatStart } from '../../../../src/cli/service/serve.run.ts';
import { readServerSettings, type ServeFlags } from '../../../../src/cli/service/serve-settings.ts';
import { createClock } from '../../../../src/server/clock.ts';
import type { ApiKey } from '../../../../src/storage/ports.ts';
import { openTemporaryStore } from '../../../../src/storage/sqlite/store.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';

const flags = { keepViews: 7, workers: 1, queue: 1, inlineImages: 1, inlineSeconds: 1 };
const readWith = (env: Record<string, string>, more: Partial<ServeFlags> = {}) =>
  readServerSettings({ ...flags, ...more } as unknown as ServeFlags, fakeTerminal({ env }).ctx);

it('an address of --trust-proxy that is none is named', () => {
  const read = (trustProxy: string) => readWith({}, { trustProxy }).trustProxy;
  expect(() => read('10.0.0.1,foo,10.0.0.3')).toThrow('--trust-proxy: "foo" is not an address of a proxy.');
  for (const wrong of ['10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/', '10.0.0.0/8/8', 'fe80::/129', ''])
    expect(() => read(wrong)).toThrow(`"${wrong}" is not an address`);
  const right = '10.0.0.5, 10.0.0.0/8,fe80::/128,loopback';
  expect(read(right)).toBe(right);
});

it('a service takes the limits of its own that are set', () => {
  const limits = { VEHI_CERTAIN_FROM: '0.6', VEHI_TO_CHECK_FROM: '0' };
  expect(readWith({}).ownLimits).toBeUndefined();
  expect(readWith({ VEHI_CERTAIN_FROM: '0.6' }).ownLimits).toEqual({ certain: 0.6 });
  expect(readWith(limits).ownLimits).toEqual({ certain: 0.6, toCheck: 0 });
});

it('the start is two lines in a terminal, and one line of JSON without what is unknown to a program', () => {
  const start = { address: 'http://vehi:8080', metrics: undefined, api_key: 'dev_x', demo_photos: ['a'] };
  expect(formatStart(start, true)).toBe('Open  http://vehi:8080/app/\nKey   dev_x\n');
  expect(formatStart({ address: start.address }, true)).toBe(
    'Open  http://vehi:8080/app/\nKey   as shown when it was created; another: vehi admin keys create\n',
  );
  expect(formatStart(start, false)).toBe(
    '{"address":"http://vehi:8080","api_key":"dev_x","demo_photos":["a"]}\n',
  );
});

it('a process that opens photos blurs as the service was set', () => {
  const child = createChildStarter({ redact: 'off' }, fakeTerminal({}).ctx)();
  child.kill('SIGKILL');
  expect(JSON.parse(child.spawnargs.at(-1) ?? '')).toMatchObject({ redact: 'off' });
});

it('a sandbox makes a key where none is valid, also where one has expired', async () => {
  const store = openTemporaryStore();
  const clock = createClock();
  expect(await createSandboxKey(store, clock)).toMatch(/^dev_/);
  expect(await createSandboxKey(store, clock)).toBeUndefined();
  const [key] = (await store.keys.list()) as [ApiKey];
  const now = new Date().toISOString();
  const expired = { ...key, id: 'key_2', sha256: 'another', expiresAt: now };
  await store.keys.replace(key.id, { replacedAt: now, expiresAt: now }, expired);
  expect(await createSandboxKey(store, clock)).toMatch(/^dev_/);
  await store.close();
});
