import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../src/storage/ports.ts';
import { account, endpoint, inspection, key, message } from '../../helpers/results/stored-records.ts';

const SAVED = '2026-01-02T00:00:00.000Z';

/** Registers what every store must do with reviews, sessions and uploads; as `testInspections` does. */
export function testReviews(opened: () => Store): void {
  let store: Store;
  beforeEach(() => {
    store = opened();
  });

  it('keeps a review by its revision, ends it once with its events, and opens it again by a change', async () => {
    await store.inspections.create(inspection('vis_1'));
    await store.webhooks.createEndpoint(endpoint);
    const save = (revision: number) =>
      store.reviews.save({
        inspectionId: 'vis_1',
        revision,
        reviewer: 'R',
        decisions: [{ a: 1 }],
        outcome: { b: 2 },
        savedAt: SAVED,
      });
    const finish = (revision: number) => store.reviews.finish('vis_1', revision, SAVED, [message('msg_1')]);
    const reviewed = async () => (await store.inspections.get('vis_1'))?.reviewedAt;
    expect([await save(2), await save(1), await save(1)]).toEqual([false, true, false]);
    const removed = { inspectionId: 'vis_removed', revision: 1, reviewer: '', decisions: [], outcome: {} };
    expect(await store.reviews.save({ ...removed, savedAt: SAVED })).toBe(false);
    expect([await finish(2), await save(2), await finish(1)]).toEqual([false, true, false]);
    expect(await reviewed()).toBeNull();
    expect([await finish(2), await finish(2)]).toEqual([true, false]);
    expect(await store.reviews.get('vis_1')).toMatchObject({ revision: 2, finishedAt: SAVED });
    expect([await reviewed(), (await store.webhooks.listMessages('whe_1', 9, 0)).total]).toEqual([SAVED, 1]);
    expect([await save(4), await save(3), await reviewed()]).toEqual([false, true, null]);
    expect(await store.reviews.get('vis_1')).toEqual({
      inspectionId: 'vis_1',
      revision: 3,
      reviewer: 'R',
      decisions: [{ a: 1 }],
      outcome: { b: 2 },
      savedAt: SAVED,
      finishedAt: null,
    });
  });

  it('names views made before a time, and forgets them', async () => {
    await store.inspections.create(inspection('vis_1'));
    const keep = (id: string, ms: number) => store.reviews.recordViews(id, ms);
    expect(await keep('vis_1', 5)).toBe(true);
    expect(await keep('vis_1', 10)).toBe(true);
    expect(await keep('removed', 10)).toBe(false);
    expect(await store.reviews.listViewsBefore(10)).toEqual([]);
    expect(await store.reviews.listViewsBefore(11)).toEqual(['vis_1']);
    await store.reviews.deleteViews(['vis_1']);
    expect(await store.reviews.listViewsBefore(11)).toEqual([]);
  });

  it('drops sessions by age and by rest', async () => {
    await store.accounts.create(account('acc_1'));
    await store.keys.create(key('key_1', 'acc_1'));
    const session = (sha256: string, createdAtMs: number, usedAtMs: number) =>
      store.sessions.create({ sha256, keyId: 'key_1', createdAtMs, usedAtMs });
    await Promise.all([session('old', 9, 30), session('idle', 20, 19), session('kept', 10, 20)]);
    await store.sessions.sweep(10, 20);
    const left = await Promise.all(['old', 'idle', 'kept'].map((one) => store.sessions.get(one)));
    expect(left.map((one) => one?.sha256)).toEqual([undefined, undefined, 'kept']);
    await store.sessions.touch('kept', 40);
    expect((await store.sessions.get('kept'))?.usedAtMs).toBe(40);
    await store.sessions.remove('kept');
    expect(await store.sessions.get('kept')).toBeUndefined();
  });

  it('counts uploads that wait, and removes those that are used or past their time', async () => {
    const upload = { accountId: 'acc_1', environment: 'sandbox', sha256: 'x' } as const;
    for (const ms of [1, 2, 3]) await store.uploads.create({ ...upload, id: `upl_${ms}`, createdAtMs: ms });
    const count = (afterMs: number) => store.uploads.count('acc_1', 'sandbox', afterMs);
    expect([await count(0), await count(1)]).toEqual([3, 2]);
    await store.uploads.remove(['upl_1']);
    expect([await count(0), (await store.uploads.listBefore(3)).sort()]).toEqual([2, ['upl_2']]);
    await store.uploads.remove(['upl_2', 'upl_3']);
    expect(await store.uploads.listBefore(9)).toEqual([]);
  });
}
