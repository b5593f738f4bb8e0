import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { endpoint, message, storeMessages } from '../helpers/results/stored-records.ts';
import type { Cluster } from './cluster.ts';
import { startReceivers } from './receivers.ts';

/**
 * Sends events to receivers that are quick, refuse, never answer or ask for a later attempt by two processes, of which
 * one is killed.
 */
export async function deliverWhileSendersDie(cluster: Cluster): Promise<void> {
  const refuse = (response: ServerResponse, headers = {}) => response.writeHead(503, headers).end();
  const receivers = await startReceivers({
    quick: (response) => void setTimeout(() => response.end(), 20),
    refusing: (response, before) => void (before < 2 ? refuse(response) : response.end()),
    never: () => undefined,
    later: (response, before) =>
      void (before === 0 ? refuse(response, { 'retry-after': '3' }) : response.end()),
  });
  // Of their own, so that the test can be tried again.
  const run = randomUUID();
  const account = { id: `acc_${run}` };
  await cluster.makeKey(account);
  const { webhooks } = cluster.store;
  const send = async (name: keyof typeof receivers.received, count: number) => {
    const endpointId = `whe_${name}_${run}`;
    const url = receivers.url(name);
    await webhooks.createEndpoint({ ...endpoint, id: endpointId, accountId: account.id, url });
    const ids = Array.from({ length: count }, (_v, i) => `msg_${name}_${i}_${run}`);
    const createdAt = new Date().toISOString();
    const messages = ids.map((id) => ({ ...message(id, 0), endpointId, createdAt }));
    await storeMessages(cluster.store, messages);
    return ids;
  };
  const read = (ids: readonly string[]) => Promise.all(ids.map((id) => webhooks.getMessage(id)));
  const settings = { webhookTimeoutMs: 1_000, webhookRetrySeconds: [0.5, 0.5] };
  const [dying, living] = await Promise.all([1, 2].map(() => cluster.addMember('work', { settings })));
  const sent = {
    quick: await send('quick', 60),
    refusing: await send('refusing', 12),
    never: await send('never', 6),
  };
  // Nobody handed them over but the sweep.
  await expect.poll(() => receivers.countOf('quick'), { timeout: 60_000 }).toBeGreaterThan(5);
  await dying?.kill();
  const later = await send('later', 4);
  const isRefused = async () => (await read(later)).every((one) => one?.attempts === 1);
  await expect.poll(isRefused, { timeout: 60_000 }).toBe(true);
  const pending = async () => (await webhooks.getBacklog('sandbox')).pending;
  await expect.poll(pending, { timeout: 120_000 }).toBe(0);

  for (const [name, seen] of Object.entries(receivers.received)) expect(seen.atOnce, name).toBeLessThan(5);
  const each = (count: number, status: string, attempts: number) =>
    Array.from({ length: count }, () => expect.objectContaining({ status, attempts }));
  expect(await read(sent.never)).toEqual(each(6, 'failed', 3));
  expect(await read(later)).toEqual(each(4, 'delivered', 2));
  expect(await read(sent.quick)).toEqual(each(60, 'delivered', 1));
  for (const id of later) {
    const [first = 0, second = 0] = receivers.received.later.timesMs.get(id) ?? [];
    expect(second - first).toBeGreaterThan(2_990);
  }
  // What a process had sent and not logged when it died was sent once more, as the same message.
  expect(await read(sent.refusing)).toSatisfy((all: Awaited<ReturnType<typeof read>>) =>
    all.every((one) => one?.status === 'delivered' && one.attempts <= 3),
  );
  const times = [...receivers.received.refusing.timesMs.values()];
  expect(times.map(({ length }) => Math.min(3, length))).toEqual(Array.from({ length: 12 }, () => 3));
  await living?.kill('SIGTERM');
  await receivers.close();
}
