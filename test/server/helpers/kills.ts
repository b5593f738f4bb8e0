import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Store } from '../../../src/storage/ports.ts';
import { ask } from './client.ts';
import { startReceiver } from './listen.ts';
import { good, visualRequest } from './photo-host.ts';
import { VISUAL } from './service.ts';

/**
 * Creates inspections, each with an `Idempotency-Key` of its own, amid kills that are spread over all creations. A client
 * sends a request again, with its key, until it has an answer, as clients should. In the end each key must have one
 * inspection, which is completed and reported by one message, and nothing else may be stored.
 * @returns the ids of the inspections
 */
export async function createAmidKills(options: {
  readonly store: Store;
  readonly count: number;
  readonly kills: number;
  /** Deliveries that the receiver refuses. */
  readonly refusals: number;
  /** Whom a client asks, by number of the try. */
  readonly serving: (turn: number) => { readonly address: string };
  readonly key: string;
  readonly kill: (number: number) => Promise<void>;
}): Promise<readonly string[]> {
  const { store, count, kills, serving, key, kill } = options;
  let { refusals } = options;
  const heard = new Map<string, Set<string>>();
  const receiver = await startReceiver((response, { headers, body }) => {
    if (refusals-- > 0) return response.writeHead(500).end();
    const { inspection_id: id } = JSON.parse(body).data;
    heard.set(id, (heard.get(id) ?? new Set()).add(headers['webhook-id'] ?? ''));
    response.end();
  });
  await ask(serving(0), 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
  const made = new Map<string, string>();
  let next = 0;
  const client = async () => {
    while (next < count) {
      const name = `key-${next++}`;
      const headers = { 'idempotency-key': name, prefer: next % 2 === 0 ? 'respond-async' : '' };
      const body = visualRequest(good(), { vehicle_id: name });
      for (let turn = next; !made.has(name); turn++) {
        const answer = await ask(serving(turn), 'POST', VISUAL, { key, body, headers }).catch(() => null);
        if (answer && answer.status < 300) made.set(name, answer.body.data.inspection_id);
        else await sleep(50);
      }
    }
  };
  const killer = async () => {
    for (let number = 1; number <= kills; number++) {
      // Each at another moment of a creation.
      while (made.size < (count * number) / (kills + 1)) await sleep(5);
      await sleep((number * 7) % 40);
      await kill(number);
    }
  };
  try {
    await Promise.all([killer(), ...Array.from({ length: 10 }, client)]);
    const ids = [...made.values()];
    const wait = { timeout: 400_000, interval: 250 };
    const unfinished = async () => (await store.inspections.listUnfinished('sandbox')).length;
    await expect.poll(unfinished, wait).toBe(0);
    await expect.poll(() => ids.filter((id) => heard.get(id)?.size !== 1), wait).toEqual([]);
    // One after another: the pool has few connections, and waits five seconds for one.
    for (const [name, id] of made)
      expect(await store.inspections.get(id)).toMatchObject({ vehicleId: name, status: 'completed' });
    const accountId = (await store.inspections.get(ids[0] ?? ''))?.accountId ?? '';
    expect(await countByStatus(store, accountId)).toEqual({ processing: 0, completed: count, failed: 0 });
    return ids;
  } finally {
    await receiver.close();
  }
}

/** The number of an account's inspections in each status, as its lists state it. */
async function countByStatus(store: Store, accountId: string) {
  const statuses = ['processing', 'completed', 'failed'] as const;
  const query = { accountId, environment: 'sandbox', limit: 1, offset: 0 } as const;
  const totals = statuses.map(async (status) => [
    status,
    (await store.inspections.list({ ...query, status })).total,
  ]);
  return Object.fromEntries(await Promise.all(totals));
}
