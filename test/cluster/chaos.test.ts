import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { removeLeftovers } from '../../src/server/jobs/leftovers.ts';
import { listen, photoHost, visualRequest } from '../server/helpers/service.ts';
import { ask, clusterMissing, type Member, startCluster } from './cluster.ts';

const VISUAL = '/v1/inspections/visual';
const CREATIONS = 500;
const CLIENTS = 10;
/** Receivers refuse that many deliveries. */
const REFUSALS = 20;
/** Kills, spread over the creations; at these Redis or PostgreSQL is hit instead of a process. */
const KILLS = 12;
const REDIS_LOST = [4, 9];
const POSTGRES_RESTART = 6;

it.skipIf(clusterMissing)(
  'nothing is lost or doubled while processes are killed, Redis is lost and PostgreSQL restarted',
  async () => {
    const photos = await photoHost();
    const told = new Map<string, Set<string>>();
    let refused = 0;
    const receiver = await listen((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        if (refused++ < REFUSALS) return response.writeHead(500).end();
        const { inspection_id: id } = JSON.parse(text).data;
        told.set(id, (told.get(id) ?? new Set()).add(String(request.headers['webhook-id'])));
        response.end();
      });
    });
    const cluster = await startCluster();
    try {
      const key = await cluster.makeKey();
      const members = await Promise.all(
        (['serve', 'serve', 'work', 'work', 'work'] as const).map((kind) => cluster.addMember(kind)),
      );
      const serving = members.filter(({ kind }) => kind === 'serve') as [Member, Member];
      await ask(serving[0], 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
      const urls = Array.from({ length: 4 }, (_v, i) => `${photos.url}/1920x1080-${i}.jpg`);
      const made = new Map<string, string>();
      let next = 0;
      const client = async () => {
        while (next < CREATIONS) {
          const name = `key-${next++}`;
          const headers = { 'idempotency-key': name, prefer: 'respond-async' };
          for (let turn = next; !made.has(name); turn++) {
            const member = serving[turn % serving.length] as Member;
            const body = visualRequest(urls, { vehicle_id: name });
            const answer = await ask(member, 'POST', VISUAL, { key, body, headers });
            // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
            if (answer && answer.status < 300) made.set(name, (answer.body as any).data.inspection_id);
            else await sleep(50);
          }
        }
      };
      const killer = async () => {
        for (let kill = 1; kill <= KILLS; kill++) {
          // Spread over all creations, each at another moment of one.
          while (made.size < (CREATIONS * kill) / (KILLS + 1)) await sleep(5);
          await sleep((kill * 7) % 40);
          if (REDIS_LOST.includes(kill)) await cluster.redis.restart();
          else if (kill === POSTGRES_RESTART) cluster.postgres.restart();
          else {
            const member = members[(kill * 3) % members.length] as Member;
            await member.kill();
            await member.start();
          }
        }
      };
      await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]);

      const ids = [...made.values()];
      expect(new Set(ids).size).toBe(CREATIONS);
      const wait = { timeout: 120_000, interval: 500 };
      const open = async () => (await cluster.store.inspections.unfinished('sandbox')).length;
      await expect.poll(open, wait).toBe(0);
      await expect.poll(() => ids.filter((id) => told.get(id) === undefined).length, wait).toBe(0);
      expect(ids.filter((id) => told.get(id)?.size !== 1)).toEqual([]);
      expect(refused).toBeGreaterThanOrEqual(CREATIONS + REFUSALS);

      const facts = await cluster.store.facts('sandbox');
      expect(facts.inspections.filter(({ count }) => count > 0)).toEqual([
        { kind: 'visual', status: 'completed', count: CREATIONS },
      ]);
      const account = (await cluster.store.accounts.list())[0]?.id ?? '';
      const days = await cluster.store.usage.days(account, 'sandbox', '2000-01-01', '2999-01-01');
      expect(days.reduce((sum, one) => sum + one.inspections, 0)).toBe(CREATIONS);

      // What was left by a creation that was cut off before its record, and by an analysis right after its result;
      // housekeeping does it after an hour.
      await removeLeftovers(cluster.store, { keepPhotos: false });
      for (const owner of await cluster.store.blobs.orphans(Date.now()))
        await cluster.store.blobs.remove(owner);
      await cluster.store.blobs.clearStaged(Date.now());
      expect(await cluster.store.blobs.owners()).toEqual([...ids].sort());
      const wrong: string[] = [];
      for (const id of ids) {
        const record = await cluster.store.inspections.get(id);
        const { images, reports } = (record?.document ?? {}) as {
          images: { annotated_url: string | null }[];
          reports: { pdf_url: string };
        };
        const named = [...images.flatMap((one) => one.annotated_url ?? []), reports.pdf_url].sort();
        const kept = await cluster.store.blobs.list(id);
        if (named.join() !== kept.join()) wrong.push(`${id}: ${kept.join()} for ${named.join()}`);
      }
      expect(wrong).toEqual([]);
    } finally {
      await cluster.stop();
      await photos.close();
      await receiver.close();
    }
  },
  600_000,
);
