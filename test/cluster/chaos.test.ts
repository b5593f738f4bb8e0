import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweepLeftovers } from '../../src/server/jobs/leftovers.ts';
import { startReceiver } from '../server/helpers/listen.ts';
import { good, photoUrl, visualRequest } from '../server/helpers/photo-host.ts';
import { LATER, VISUAL } from '../server/helpers/service.ts';
import { ask, type Cluster, clusterMissing, type Member, startCluster } from './cluster.ts';

/** CI does the small form; `VEHI_CHAOS=500 npx vitest run test/cluster/chaos.test.ts` the large one. */
const CREATIONS = Number(process.env.VEHI_CHAOS ?? 72);
const CLIENTS = 10;
/** Receivers refuse that many deliveries. */
const REFUSALS = 20;
/** Kills, spread over the creations; at these PostgreSQL is killed instead of a process. */
const KILLS = CREATIONS < 500 ? 6 : 12;
const POSTGRES_KILLED = KILLS === 6 ? [3, 5] : [4, 6, 9];

describe.skipIf(clusterMissing)('processes that serve and that work', () => {
  let cluster: Cluster;

  // Each on a cluster of its own: one that is tried again would count what the first left.
  beforeEach(async () => {
    cluster = await startCluster();
  }, 120_000);
  afterEach(async () => {
    await cluster.stop();
  }, 120_000);

  /** The number of the account's inspections in each status, as its lists state it. */
  const countByStatus = async (accountId: string) => {
    const statuses = ['processing', 'completed', 'failed'] as const;
    const query = { accountId, environment: 'sandbox', limit: 1, offset: 0 } as const;
    const list = (status: (typeof statuses)[number]) => cluster.store.inspections.list({ ...query, status });
    return Object.fromEntries(
      await Promise.all(statuses.map(async (status) => [status, (await list(status)).total])),
    );
  };

  it('lose and double nothing while they and PostgreSQL are killed', async () => {
    const kinds = ['serve', 'serve', 'work', 'work', 'work'] as const;
    const members = await Promise.all(kinds.map((kind) => cluster.addMember(kind)));
    const serving = members.filter(({ kind }) => kind === 'serve') as [Member, Member];
    const heard = new Map<string, Set<string>>();
    let refused = 0;
    const receiver = await startReceiver((response, { headers, body }) => {
      if (refused++ < REFUSALS) return response.writeHead(500).end();
      const { inspection_id: id } = JSON.parse(body).data;
      heard.set(id, (heard.get(id) ?? new Set()).add(headers['webhook-id'] ?? ''));
      response.end();
    });
    try {
      const key = await cluster.makeKey({ id: 'acc_chaos' });
      await ask(serving[0], 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
      const made = new Map<string, string>();
      const refusedKeys = new Set<string>();
      const send = async (name: string, turn: number, headers: Record<string, string>) => {
        const member = serving[turn % serving.length] as Member;
        const body = visualRequest(good(), { vehicle_id: name });
        const answer = await ask(member, 'POST', VISUAL, { key, body, headers });
        // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
        if (answer && answer.status < 300) made.set(name, (answer.body as any).data.inspection_id);
        return answer;
      };
      let next = 0;
      const client = async () => {
        while (next < CREATIONS) {
          const name = `key-${next++}`;
          const headers = { 'idempotency-key': name, ...LATER };
          for (let turn = next; !made.has(name) && !refusedKeys.has(name); turn++) {
            const answer = await send(name, turn, headers);
            if (answer && answer.status >= 500) refusedKeys.add(name);
            else if (!made.has(name)) await sleep(50);
          }
        }
      };
      const killer = async () => {
        for (let kill = 1; kill <= KILLS; kill++) {
          // Spread over all creations, each at another moment of one.
          while (made.size + refusedKeys.size < (CREATIONS * kill) / (KILLS + 1)) await sleep(5);
          await sleep((kill * 7) % 40);
          if (POSTGRES_KILLED.includes(kill)) cluster.postgres.restart();
          else {
            const member = members[(kill * 3) % members.length] as Member;
            await member.kill();
            await member.start();
          }
        }
      };
      await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]);
      // What was answered 5xx is sent again once all is over, as a client does that was asked to wait.
      for (const name of refusedKeys) {
        const headers = { 'idempotency-key': name, ...LATER };
        const repeat = async () => (await send(name, 0, headers)) && made.has(name);
        await expect.poll(repeat, { timeout: 30_000 }).toBe(true);
      }

      const ids = [...made.values()];
      expect(new Set(ids).size).toBe(CREATIONS);
      const wait = { timeout: 400_000, interval: 500 };
      const open = async () => (await cluster.store.inspections.listUnfinished('sandbox')).length;
      await expect.poll(open, wait).toBe(0);
      // One after another: the pool has four connections, and waits five seconds for one.
      const ended: Awaited<ReturnType<typeof cluster.store.inspections.get>>[] = [];
      for (const id of ids) ended.push(await cluster.store.inspections.get(id));
      expect(ended.filter((one) => one?.status !== 'completed')).toEqual([]);
      await expect.poll(() => ids.filter((id) => heard.get(id) === undefined).length, wait).toBe(0);
      expect(ids.filter((id) => heard.get(id)?.size !== 1)).toEqual([]);
      expect(refused).toBeGreaterThanOrEqual(CREATIONS + REFUSALS);

      process.stdout.write(
        `chaos: ${ids.length} of ${CREATIONS} completed, ${refusedKeys.size} keys refused and repeated, ${KILLS} disturbances\n`,
      );
      expect(await countByStatus('acc_chaos')).toEqual({ processing: 0, completed: CREATIONS, failed: 0 });

      // What was left by a creation that was cut off before its record, and by an analysis right after its result;
      // housekeeping does it after an hour.
      await sweepLeftovers(cluster.store);
      for (const owner of (await cluster.store.blobs.listOrphans?.(Date.now())) ?? [])
        await cluster.store.blobs.remove(owner);
      await cluster.store.blobs.clearStaged(Date.now());
      expect(await cluster.store.blobs.listOwners()).toEqual([...ids].sort());
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
      await receiver.close();
    }
  }, 900_000);

  it('lose to photos that end the process only these photos', async () => {
    const kinds = ['serve', 'work', 'work'] as const;
    const [serving, ...workers] = (await Promise.all(kinds.map((kind) => cluster.addMember(kind)))) as [
      Member,
      ...Member[],
    ];
    const accountId = 'acc_crashing';
    const mine = await cluster.makeKey({ id: accountId });
    const [innocents, photos] = [42, ['1920x1080-0.jpg', '1920x1080-1.jpg', '1920x1080-2.jpg']];
    const send = async (names: readonly string[], options: object = {}) => {
      const body = visualRequest(names.map(photoUrl), { options });
      // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
      const answer = (await ask(serving, 'POST', VISUAL, { key: mine, body, headers: LATER })) as any;
      return answer.body.data.inspection_id as string;
    };
    const read = async (id: string) =>
      // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
      ((await ask(serving, 'GET', `${VISUAL}/${id}`, { key: mine })) as any)?.body.data;
    const skip = { skip_unusable_images: true };
    const ids: string[] = [];
    const poisons: string[] = [];
    for (let made = 0; made < innocents; made += 14) {
      ids.push(
        ...(await Promise.all(Array.from({ length: 14 }, () => send([...photos, '1920x1080-3.jpg'])))),
      );
      if (made === 14) poisons.push(await send([...photos, '1920x1080-abort.jpg'], skip));
      if (made === 28)
        poisons.push(await send(['1920x1080-abort-1.jpg', ...photos, '1920x1080-abort-2.jpg'], skip));
    }
    const settled = async (all: readonly string[]) => {
      for (const one of workers)
        if (one.child.exitCode !== null || one.child.signalCode !== null) await one.start();
      return (await cluster.store.inspections.filterNotProcessing(all)).length;
    };
    await expect
      .poll(() => settled([...ids, ...poisons]), { timeout: 180_000, interval: 250 })
      .toBe(innocents + 2);
    const statuses = await Promise.all(ids.map(async (id) => (await read(id)).status));
    expect(statuses.filter((status) => status !== 'completed')).toEqual([]);
    const [one, two] = await Promise.all(poisons.map((id) => read(id)));
    expect([one.status, one.images.length]).toEqual(['completed', 3]);
    expect(one.rejected_images).toMatchObject([
      { code: 'IMAGE_CRASHES_DECODER', url: photoUrl('1920x1080-abort.jpg') },
    ]);
    expect(two).toMatchObject({
      status: 'failed',
      failure: { code: 'INTERRUPTED', message: expect.stringMatching(/images\[0\], images\[4\]/) },
    });
    expect(await cluster.store.inspections.countRecentCrashes(accountId)).toBe(3);
    // After three crashes the account begins in quarantine: no more process ends than the child.
    const pids = workers.map(({ child }) => child.pid);
    const third = await send(['1920x1080-abort.jpg', ...photos]);
    await expect.poll(async () => (await read(third)).status, { timeout: 180_000 }).toBe('failed');
    expect((await read(third)).failure).toMatchObject({ code: 'IMAGE_UNREADABLE' });
    expect(workers.map(({ child }) => child.exitCode ?? child.signalCode ?? child.pid)).toEqual(pids);
    expect(await countByStatus(accountId)).toMatchObject({ completed: innocents + 1, failed: 2 });
  }, 600_000);
});
