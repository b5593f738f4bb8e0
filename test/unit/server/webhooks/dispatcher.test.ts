import { expect, test } from 'vitest';
import { createDispatcher } from '../../../../src/server/webhooks/dispatcher.ts';

type Options = Parameters<typeof createDispatcher>[0];
const create = (more: Pick<Options, 'store'> & Partial<Options>) =>
  createDispatcher({
    clock: { wallMs: () => 1_000_000 } as Options['clock'],
    self: { id: 'p1' },
    settings: { environment: 'sandbox', sendsWebhooks: true, webhookLeaseMs: 10_000 },
    send: async () => undefined,
    log: {} as Options['log'],
    ...more,
  });

test.each([
  ['is due', -1, ['m1']],
  ['was postponed after it was read ahead', 60_000, []],
])('a message that %s: sent %j', async (_name, inMs, expected) => {
  const sent: string[] = [];
  let asked = 0;
  const store = {
    processes: { acquireLease: async () => true },
    webhooks: {
      listDue: async () => [{ id: 'm1', endpointId: 'e1' }],
      getMessage: async () => {
        asked++;
        return { id: 'm1', endpointId: 'e1', status: 'pending', nextAttemptAtMs: 1_000_000 + inMs };
      },
      getEndpoint: async () => ({ status: 'enabled' }),
    },
  };
  const send: Options['send'] = async (_endpoint, { id }) => void sent.push(id);
  const dispatcher = create({ store: store as unknown as Options['store'], send });
  dispatcher.start();
  await expect.poll(() => asked).toBeGreaterThan(0);
  await dispatcher.stop();
  expect([...new Set(sent)]).toEqual(expected);
});

test('at most four messages of an endpoint are in flight, new ones and retries together', async () => {
  let ids = ['m1', 'm2', 'm3', 'm4'];
  const store = {
    processes: { acquireLease: async () => true },
    webhooks: {
      listDue: async () => ids.map((id) => ({ id, endpointId: 'e1' })),
      getMessage: async (id: string) => ({ id, endpointId: 'e1', status: 'pending', nextAttemptAtMs: 0 }),
      getEndpoint: async () => ({ status: 'enabled' }),
    },
  };
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  const sent: string[] = [];
  const send: Options['send'] = async (_endpoint, { id }) => {
    sent.push(id);
    await held;
  };
  const dispatcher = create({ store: store as unknown as Options['store'], send });
  dispatcher.start();
  await expect.poll(() => sent).toHaveLength(4);
  ids = ['m5', 'm6', 'm7', 'm8'];
  dispatcher.wake();
  await new Promise((done) => setTimeout(done, 30));
  expect(sent).toEqual(['m1', 'm2', 'm3', 'm4']);
  answer();
  await expect.poll(() => sent).toContain('m8');
  await dispatcher.stop();
});

test('a poll that fails while another is asked for is logged, and made again', async () => {
  const polls: ((error: Error) => void)[] = [];
  const logged: string[] = [];
  const acquireLease = () => new Promise((_resolve, reject) => polls.push(reject));
  const log = { error: (_fields: object, text: string) => logged.push(text) } as unknown as Options['log'];
  const dispatcher = create({ store: { processes: { acquireLease } } as unknown as Options['store'], log });
  dispatcher.start();
  await expect.poll(() => polls).toHaveLength(1);
  dispatcher.wake();
  // The poll that was asked for finds the first one running.
  await new Promise((done) => setTimeout(done, 5));
  polls[0]?.(new Error('the database does not answer'));
  await expect.poll(() => polls).toHaveLength(2);
  polls[1]?.(new Error('the database does not answer'));
  await dispatcher.stop();
  expect(new Set(logged)).toEqual(new Set(['due webhook messages could not be read']));
});
