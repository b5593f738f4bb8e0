import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../src/storage/ports.ts';
import { endpoint, inspection, message, storeMessages } from '../../helpers/results/stored-records.ts';

const OWNER = { accountId: 'acc_1', environment: 'sandbox' } as const;
/** The first claim of an idempotency key. */
export const ref = { ...OWNER, operation: 'visual', key: 'k', claim: 'c1' };
const ENDED = { status: 'failed', completedAt: 'z', document: {}, meta: {}, messages: [] } as const;

/** Registers what every store must do with inspections; `opened` returns the store of the running test. */
export function testInspections(opened: () => Store): void {
  let store: Store;
  beforeEach(() => {
    store = opened();
  });
  const startAttempt = async (id: string, apart = false) => {
    const attempt = await store.inspections.startAttempt(id, apart);
    if (!attempt) throw new Error(`${id} cannot be started`);
    return attempt;
  };

  it('lists newest first within the filters, and counts all that match', async () => {
    for (const day of ['01', '02', '03', '04', '05']) {
      const createdAt = `2026-01-${day}T00:00:00.000Z`;
      const vehicleId = day > '03' ? 'veh_2' : 'veh_1';
      await store.inspections.create(inspection(`vis_${day}`, { createdAt, vehicleId }));
    }
    await store.inspections.create(inspection('vis_other', { accountId: 'acc_2' }));
    await store.inspections.create(inspection('vis_prod', { environment: 'production' }));
    const list = async (more: object) => {
      const page = await store.inspections.list({ ...OWNER, limit: 10, offset: 0, ...more });
      expect(page.hasMore).toBe('limit' in more);
      return [page.total, page.records.map((r) => r.id.slice(4))];
    };
    expect(await list({})).toEqual([5, ['05', '04', '03', '02', '01']]);
    expect(await list({ limit: 2, offset: 1 })).toEqual([5, ['04', '03']]);
    expect((await store.inspections.list({ ...OWNER, limit: 2, offset: 3 })).hasMore).toBe(false);
    expect(await list({ vehicleId: 'veh_1' })).toEqual([3, ['03', '02', '01']]);
    expect(
      await list({ createdAfter: '2026-01-02T00:00:00.000Z', createdBefore: '2026-01-04T00:00:00.000Z' }),
    ).toEqual([2, ['03', '02']]);
    expect(await list({ status: 'failed' })).toEqual([0, []]);
    expect(await list({ kind: 'damage_assessment' })).toEqual([0, []]);
  });

  it('ends an inspection once, with its events', async () => {
    await store.webhooks.createEndpoint(endpoint);
    await store.inspections.create(inspection('vis_1'));
    const outcome = { completedAt: 'z', document: { done: true }, meta: {}, messages: [message('msg_1')] };
    const first = await store.inspections.startAttempt('vis_1');
    expect(first).toEqual({
      number: 1,
      token: expect.any(String),
      inChild: false,
      interruptions: 0,
      crashedPhotos: [],
      lastOpenedPhoto: null,
    });
    const { token = '' } = first ?? {};
    expect(await store.inspections.listUnfinished('sandbox')).toEqual([
      { id: 'vis_1', accountId: 'acc_1', attempts: 1, createdAt: '2026-01-01T00:00:00.000Z', tag: null },
    ]);
    expect(await store.inspections.finish('vis_1', token, { ...outcome, status: 'completed' })).toBe(true);
    const late = { ...outcome, status: 'failed', messages: [message('msg_2')] } as const;
    expect(await store.inspections.finish('vis_1', token, late)).toBe(false);
    expect(await store.inspections.startAttempt('vis_1')).toBeUndefined();
    expect(await store.inspections.get('vis_1')).toMatchObject({
      status: 'completed',
      document: { done: true },
    });
    expect(await store.inspections.listUnfinished('sandbox')).toEqual([]);
    expect((await store.webhooks.listMessages('whe_1', 10, 0)).total).toBe(1);
  });

  it('takes the result of the last attempt only, and counts no attempt that is given back', async () => {
    await store.webhooks.createEndpoint(endpoint);
    await store.inspections.create(inspection('vis_1'));
    const [first, second] = [await startAttempt('vis_1'), await startAttempt('vis_1')];
    expect([first.number, second.number]).toEqual([1, 2]);
    const finish = (token: string, id: string) =>
      store.inspections.finish('vis_1', token, { ...ENDED, messages: [message(id)] });
    expect(await finish(first.token, 'msg_1')).toBe(false);
    await store.inspections.revertAttempt('vis_1', first);
    expect(await store.inspections.get('vis_1')).toMatchObject({ status: 'processing', attempts: 2 });
    await store.inspections.revertAttempt('vis_1', second);
    expect(await finish(second.token, 'msg_2')).toBe(false);
    const third = await startAttempt('vis_1');
    expect(third.number).toBe(2);
    expect(await finish(third.token, 'msg_3')).toBe(true);
    expect((await store.webhooks.listMessages('whe_1', 9, 0)).messages.map(({ id }) => id)).toEqual([
      'msg_3',
    ]);
  });

  it('remembers of ended work that it may have leftovers, until they are tidied or it is removed', async () => {
    for (const id of ['vis_1', 'vis_2', 'vis_3']) {
      await store.inspections.create(inspection(id));
      const attempt = await startAttempt(id);
      if (id === 'vis_3') await store.inspections.revertAttempt(id, attempt);
      else await store.inspections.finish(id, attempt.token, ENDED);
      // Ended work has the attempt that ended it.
      await store.inspections.revertAttempt(id, attempt);
    }
    expect((await store.inspections.get('vis_1'))?.attempts).toBe(1);
    expect(await store.inspections.listPendingCleanups(Date.now() - 60_000)).toEqual([]);
    expect(await store.inspections.listPendingCleanups(Date.now() + 60_000)).toEqual(['vis_1', 'vis_2']);
    await store.inspections.markCleanedUp(['vis_2']);
    expect(await store.inspections.listPendingCleanups()).toEqual(['vis_1']);
    await store.inspections.purge({ id: 'vis_1' }, 9);
    expect(await store.inspections.listPendingCleanups()).toEqual([]);
  });

  it('remembers which photos ended a process, and how often an account did', async () => {
    await store.inspections.create(inspection('vis_1'));
    const first = await startAttempt('vis_1');
    await store.inspections.recordOpening('vis_1', first.token, 2);
    await store.inspections.recordCrash('vis_1', first.token, 2);
    const second = await startAttempt('vis_1');
    expect(second).toMatchObject({ number: 2, crashedPhotos: [2], lastOpenedPhoto: 2 });
    // Overtaken by the second.
    await store.inspections.recordOpening('vis_1', first.token, 3);
    await store.inspections.recordCrash('vis_1', first.token, 3);
    await store.inspections.recordCrash('vis_1', second.token, undefined);
    await store.inspections.recordOpening('vis_1', second.token, 0);
    await store.inspections.recordCrash('vis_1', second.token, 0);
    expect(await startAttempt('vis_1')).toMatchObject({
      number: 3,
      crashedPhotos: [2, 0],
      lastOpenedPhoto: 0,
    });
    expect(await store.inspections.countRecentCrashes('acc_1')).toBe(3);
    expect(await store.inspections.countRecentCrashes('acc_2')).toBe(0);
  });

  it('counts as cut off by its photos what began in the process of a service, and what its child died of', async () => {
    await store.inspections.create(inspection('vis_1'));
    const begin = async (apart: boolean) => {
      const attempt = await startAttempt('vis_1', apart);
      return { attempt, counts: [attempt.number, attempt.interruptions] };
    };
    expect((await begin(false)).counts).toEqual([1, 0]);
    expect((await begin(true)).counts).toEqual([2, 1]);
    // Its child lived when the service died.
    const { attempt, counts } = await begin(true);
    expect(counts).toEqual([3, 1]);
    await store.inspections.recordCrash('vis_1', attempt.token, undefined);
    const after = await begin(true);
    expect(after.counts).toEqual([4, 2]);
    await store.inspections.revertAttempt('vis_1', after.attempt);
    const own = await begin(false);
    expect(own.counts).toEqual([4, 2]);
    await store.inspections.revertAttempt('vis_1', own.attempt);
    expect((await begin(true)).counts).toEqual([4, 2]);
  });

  it('stores nothing of a creation that fails half-way', async () => {
    await store.webhooks.createEndpoint(endpoint);
    await storeMessages(store, [message('msg_1')]);
    await expect(
      store.inspections.create(inspection('vis_1'), { messages: [message('msg_1')] }),
    ).rejects.toThrow(/UNIQUE|unique/);
    expect(await store.inspections.get('vis_1')).toBeUndefined();
  });

  it('purges by age, vehicle or id with events and idempotency keys, and nothing without a filter', async () => {
    await store.webhooks.createEndpoint(endpoint);
    await store.idempotency.claim(ref, 'f', 1);
    await store.inspections.create(inspection('vis_1'), {
      idempotency: ref,
      messages: [message('msg_1', 1, 'vis_1')],
    });
    await store.inspections.create(inspection('visX1', { vehicleId: 'veh_2' }), {
      messages: [message('msg_2', 1, 'visX1')],
    });
    expect(await store.inspections.purge({}, 9)).toEqual([]);
    expect(await store.inspections.purge({ before: '2025-01-01' }, 9)).toEqual([]);
    expect(await store.inspections.purge({ vehicleId: 'veh_1' }, 9)).toEqual(['vis_1']);
    expect((await store.webhooks.listMessages('whe_1', 10, 0)).messages.map((m) => m.id)).toEqual(['msg_2']);
    expect(await store.idempotency.claim(ref, 'g', 2)).toBeUndefined();
  });

  it('lists the files of a record that was removed amid its analysis until the attempt is over', async () => {
    await store.inspections.create(inspection('vis_1'));
    await store.inspections.create(inspection('vis_2'));
    await store.inspections.finish('vis_1', (await startAttempt('vis_1')).token, ENDED);
    for (let i = 0; i < 2; i++)
      expect(await store.inspections.purge({ vehicleId: 'veh_1' }, 1)).toHaveLength(1);
    expect(await store.inspections.listRemovals()).toHaveLength(2);
    await store.inspections.markFilesRemoved(['vis_1', 'vis_2']);
    expect(await store.inspections.listRemovals()).toEqual(['vis_2']);
  });

  it('counts by every filter as many as it lists, whatever was created, ended, reviewed or removed', async () => {
    const times = ['00:00:00.000', '06:30:00.000', '23:59:59.999'];
    const ids = Array.from({ length: 24 }, (_v, i) => `vis_${i}`);
    for (const [i, id] of ids.entries()) {
      await store.inspections.create(
        inspection(id, {
          createdAt: `2026-01-0${1 + (i % 4)}T${times[i % 3]}Z`,
          kind: i % 5 === 0 ? 'damage_assessment' : 'visual',
          vehicleId: `veh_${i % 7}`,
        }),
      );
    }
    const review = { reviewer: 'r', decisions: [], outcome: null, savedAt: 'z' };
    for (const [i, id] of ids.entries()) {
      if (i % 3 === 0) continue;
      const { token } = await startAttempt(id);
      const status = i % 8 === 1 ? 'failed' : 'completed';
      expect(await store.inspections.finish(id, 'another', { ...ENDED, status })).toBe(false);
      await store.inspections.finish(id, token, { ...ENDED, status });
      await store.reviews.save({ ...review, inspectionId: id, revision: 1 });
      if (i % 2 === 0) await store.reviews.finish(id, 1, 'z', []);
      if (i % 4 === 0) await store.reviews.save({ ...review, inspectionId: id, revision: 2 });
    }
    const bounds = times.slice(1).map((time) => `2026-01-02T${time}Z`);
    const filters = [
      ...[{}, { kind: 'visual' }, { status: 'failed' }, { status: 'completed', kind: 'visual' }],
      ...[{ reviewed: true }, { reviewed: false, status: 'completed' }, { vehicleId: 'veh_2' }],
    ] as const;
    const ranges = [undefined, ...bounds].flatMap((from) => [undefined, ...bounds].map((to) => [from, to]));
    const count = async () => {
      for (const filter of filters) {
        for (const [from, to] of ranges) {
          const query = {
            ...({ ...OWNER, limit: 99, offset: 0, ...filter } as const),
            ...(from === undefined ? {} : { createdAfter: from }),
            ...(to === undefined ? {} : { createdBefore: to }),
          };
          const { records, total } = await store.inspections.list(query);
          expect([total, JSON.stringify(query)]).toEqual([records.length, JSON.stringify(query)]);
        }
      }
    };
    await count();
    await store.inspections.purge({ vehicleId: 'veh_3' }, 99);
    await store.inspections.purge({ before: '2026-01-02T12:00:00.000Z' }, 99);
    await count();
  });
}
