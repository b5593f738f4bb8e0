import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweepLeftovers } from '../../src/server/jobs/leftovers.ts';
import { ask } from '../server/helpers/client.ts';
import { countByStatus, createAmidKills } from '../server/helpers/kills.ts';
import { photoUrl, visualRequest } from '../server/helpers/photo-host.ts';
import { LATER, VISUAL } from '../server/helpers/service.ts';
import { type Cluster, clusterMissing, type Member, startCluster } from './cluster.ts';

/** CI does the small form; `VEHI_CHAOS=500 npx vitest run test/cluster/chaos.test.ts` the large one. */
const CREATIONS = Number(process.env.VEHI_CHAOS ?? 72);
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

  it('lose and double nothing while they and PostgreSQL are killed', async () => {
    const kinds = ['serve', 'serve', 'work', 'work', 'work'] as const;
    const members = await Promise.all(kinds.map((kind) => cluster.addMember(kind)));
    const { store, postgres } = cluster;
    const ids = await createAmidKills({
      ...{ store, count: CREATIONS, kills: KILLS, refusals: 20, key: await cluster.makeKey() },
      serving: (turn) => members[turn % 2] as Member,
      async kill(number) {
        if (POSTGRES_KILLED.includes(number)) return postgres.restart();
        const member = members[(number * 3) % members.length] as Member;
        await member.kill();
        await member.start();
      },
    });
    // What was left by a creation that was cut off before its record, and by an analysis right after its result;
    // housekeeping does it after an hour.
    await sweepLeftovers(store);
    for (const owner of (await store.blobs.listOrphans?.(Date.now())) ?? []) await store.blobs.remove(owner);
    await store.blobs.clearStaged(Date.now());
    expect(await store.blobs.listOwners()).toEqual([...ids].sort());
    for (const id of ids) {
      const { images, reports } = ((await store.inspections.get(id))?.document ?? {}) as {
        images: { annotated_url: string | null }[];
        reports: { pdf_url: string };
      };
      const named = [...images.flatMap((one) => one.annotated_url ?? []), reports.pdf_url].sort();
      expect(await store.blobs.list(id)).toEqual(named);
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
    const send = async (names: readonly string[], options: object = {}): Promise<string> => {
      const body = visualRequest(names.map(photoUrl), { options });
      const answer = await ask(serving, 'POST', VISUAL, { key: mine, body, headers: LATER });
      return answer.body.data.inspection_id;
    };
    const read = async (id: string) =>
      (await ask(serving, 'GET', `${VISUAL}/${id}`, { key: mine })).body.data;
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
    expect(await countByStatus(cluster.store, accountId)).toMatchObject({
      completed: innocents + 1,
      failed: 2,
    });
  }, 600_000);
});
