import { expect, it, onTestFinished } from 'vitest';
import { sweepLeftovers } from '../../src/server/jobs/leftovers.ts';
import { createAmidKills } from '../server/helpers/kills.ts';
import { clusterMissing, type Member, startCluster } from './cluster.ts';

/** CI does the small form; `VEHI_CHAOS=500 npx vitest run test/cluster/chaos.test.ts` the large one. */
const CREATIONS = Number(process.env.VEHI_CHAOS ?? 72);
/** Kills, spread over the creations; at these PostgreSQL is killed instead of a process. */
const KILLS = CREATIONS < 500 ? 6 : 12;
const POSTGRES_KILLED = KILLS === 6 ? [3, 5] : [4, 6, 9];

const name = 'processes lose and double nothing while they and PostgreSQL are killed';
it.skipIf(clusterMissing)(
  name,
  async () => {
    // A test that is tried again would count what the first left on the same one.
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop(), 120_000);
    const kinds = ['serve', 'serve', 'work', 'work', 'work'] as const;
    const members = await Promise.all(kinds.map((kind) => cluster.addMember(kind)));
    const { store, postgres } = cluster;
    const ids = await createAmidKills({
      store,
      count: CREATIONS,
      kills: KILLS,
      refusals: 20,
      key: await cluster.makeKey(),
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
  },
  900_000,
);
