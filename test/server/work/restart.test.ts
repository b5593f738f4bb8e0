import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { useQueueServices, VISUAL } from '../helpers/queue-services.ts';
import { visualRequest } from '../helpers/service.ts';
import { startStandInChild } from '../helpers/stand-in.ts';

const use = useQueueServices();
const { start, hold, good, photo, begin } = use;
const open = () => ({ store: openDirectoryStore(use.directory) });

describe('restart', () => {
  it('takes up what was processing, once, with its photos in order', async () => {
    const first = await start({}, open());
    hold(first);
    const headers = { prefer: 'respond-async', 'idempotency-key': 'k' };
    const { body } = await first.call('POST', VISUAL, { json: visualRequest(good(5)), headers });
    await begin(first, visualRequest(good(), { vehicle_id: 'veh_2' }));
    await expect.poll(() => first.backend.fake.seen.length).toBe(1);
    // As after kill -9: the first process is left where it is, a second one opens the same directory.
    const second = await start({}, open());
    const path = `${VISUAL}/${body.data.inspection_id}`;
    await expect
      .poll(async () => (await second.call('GET', `${VISUAL}?status=completed`)).body.data.pagination.total)
      .toBe(2);
    expect((await second.call('GET', path)).body.data.results.damages).toHaveLength(1);
    // What was cut off comes after what was not.
    const urls = second.backend.fake.seen.map(({ photos }) => photos.map(({ url }) => url));
    expect(urls).toEqual([good(), good(5)]);
    const replayed = await second.call('POST', VISUAL, { json: visualRequest(good(5)), headers });
    expect(replayed.body.data.inspection_id).toBe(body.data.inspection_id);
    first.backend.fake.hold = undefined;
  });

  it('does work by the settings of the service that took it', async () => {
    const own = { region: 'EU_GERMANY', currency: 'EUR', minConfidence: 0.4 };
    const first = await start({ ...own, workers: 0, keepPhotos: true, keepViewsDays: 7 }, open());
    const id = await begin(first, visualRequest(good()));
    const second = await start({ keepPhotos: false, keepViewsDays: 0, housekeepingDelayMs: 600_000 }, open());
    await expect
      .poll(async () => (await second.call('GET', `${VISUAL}/${id}`)).body.data.status)
      .toBe('completed');
    expect(second.backend.fake.seen[0]?.options).toMatchObject(own);
    await expect.poll(() => second.store.inspections.listPendingCleanups()).toEqual([]);
    expect(await second.store.blobs.list(id)).toEqual(
      expect.arrayContaining(['photo-0', 'thumbnail-0.jpg', 'view-0.jpg']),
    );
  });

  it.each([
    ['puts work back that was cut off three times with its process', 3, false, 'completed', undefined],
    ['gives up what was cut off ten times', 10, false, 'failed', 'INTERRUPTED'],
    ['does not count what was cut off while its child lived', 20, true, 'completed', undefined],
    ['gives up what cuts off a service and its child again and again', 30, true, 'failed', 'INTERRUPTED'],
  ])('%s', async (_name, attempts, apart, status, code) => {
    const first = await start({}, open());
    hold(first);
    const id = await begin(first, visualRequest(good()));
    for (let i = 0; i < attempts; i++) await first.store.inspections.startAttempt(id, apart);
    const second = await start({}, open());
    const path = `${VISUAL}/${id}`;
    await expect.poll(async () => (await second.call('GET', path)).body.data.status).toBe(status);
    expect((await second.call('GET', path)).body.data.failure?.code).toBe(code);
  });

  it('opens the photos of work that was cut off in a process of their own, and leaves out what ends it', async () => {
    const first = await start({}, open());
    hold(first);
    const photos = [...good(3), photo('1920x1080-abort.jpg')];
    const id = await begin(first, visualRequest(photos, { options: { skip_unusable_images: true } }));
    await expect.poll(() => first.backend.fake.seen.length).toBe(1);
    const startChild = () => startStandInChild(0);
    const second = await start({}, { store: openDirectoryStore(use.directory), parts: { startChild } });
    const path = `${VISUAL}/${id}`;
    const read = async () => (await second.call('GET', path)).body.data;
    await expect.poll(async () => (await read()).status, { timeout: 150_000 }).toBe('completed');
    const { images, rejected_images: rejected, reports } = await read();
    expect(images).toHaveLength(3);
    expect(rejected).toMatchObject([{ code: 'IMAGE_CRASHES_DECODER', url: photo('1920x1080-abort.jpg') }]);
    expect(reports.pdf_url).toContain('report-try3.pdf');
    // Neither this process nor the first one opened them.
    expect([first, second].map(({ backend }) => backend.fake.seen.length)).toEqual([1, 0]);
  }, 180_000);

  it('fails work in the end that there is no such process for', async () => {
    const first = await start({}, open());
    hold(first);
    const id = await begin(first, visualRequest(good()));
    await expect.poll(() => first.backend.fake.seen.length).toBe(1);
    const startChild = () => spawn('false', { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const store = openDirectoryStore(use.directory);
    const second = await start({ jobRetryMs: 10 }, { store, parts: { startChild } });
    const path = `${VISUAL}/${id}`;
    const read = async () => (await second.call('GET', path)).body.data;
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('failed');
    expect((await read()).failure.code).toBe('QUARANTINE_UNAVAILABLE');
  }, 120_000);

  it('an attempt that was overtaken stores nothing and leaves no file; the last one has files of its own', async () => {
    const first = await start({}, open());
    const release = hold(first);
    const id = await begin(first, visualRequest(good()));
    await expect.poll(() => first.backend.fake.seen.length).toBe(1);
    // As another process does that took the first for dead.
    const second = await first.store.inspections.startAttempt(id);
    const third = await first.store.inspections.startAttempt(id);
    expect([second?.number, third?.number]).toEqual([2, 3]);
    release();
    await first.app.close();
    expect(await first.store.inspections.get(id)).toMatchObject({ status: 'processing', attempts: 3 });
    const names = () => first.store.blobs.list(id);
    expect((await names()).filter((name) => /^(annotated|report)/.test(name))).toEqual([]);
    await first.store.inspections.revertAttempt(id, third ?? { token: '', inChild: false });
    // What an attempt left that was killed.
    await first.store.blobs.put(id, 'annotated-7-try2.jpg', Buffer.from('half'));
    const next = await start({}, open());
    await expect
      .poll(async () => (await next.call('GET', `${VISUAL}/${id}`)).body.data.status)
      .toBe('completed');
    await expect
      .poll(async () => (await names()).filter((name) => !name.startsWith('photo')))
      .toEqual([
        'annotated-0-try3.jpg',
        'report-try3.pdf',
        'thumbnail-0.jpg',
        'thumbnail-1.jpg',
        'thumbnail-2.jpg',
        'thumbnail-3.jpg',
        'view-0.jpg',
        'view-1.jpg',
        'view-2.jpg',
        'view-3.jpg',
      ]);
    const { reports } = (await next.call('GET', `${VISUAL}/${id}`)).body.data;
    const { pathname, search } = new URL(reports.pdf_url);
    expect((await next.app.inject(`${pathname}${search}`)).body).toBe('%PDF-inspection');
  });

  it('ends as failed when its photos are gone', async () => {
    const first = await start({}, open());
    hold(first);
    const id = await begin(first, visualRequest(good()));
    await first.store.blobs.remove(id);
    const second = await start({}, open());
    const path = `${VISUAL}/${id}`;
    await expect
      .poll(async () => (await second.call('GET', path)).body.data.failure?.code)
      .toBe('PHOTOS_LOST');
  });

  it('closing finishes what runs and leaves what waits for the next start', async () => {
    const first = await start({ workers: 1 }, open());
    const release = hold(first);
    const running = first.call('POST', VISUAL, { json: visualRequest(good(), { vehicle_id: 'running' }) });
    await expect.poll(() => first.backend.fake.seen.length).toBe(1);
    const waiting = first.call('POST', VISUAL, { json: visualRequest(good(), { vehicle_id: 'waiting' }) });
    await expect.poll(async () => (await first.store.inspections.listUnfinished('sandbox')).length).toBe(2);
    const closed = first.app.close();
    expect((await waiting).status).toBe(202);
    release();
    expect((await running).body.data.status).toBe('completed');
    await closed;
    const second = await start({}, open());
    await expect
      .poll(async () => (await second.call('GET', `${VISUAL}?status=completed`)).body.data.pagination.total)
      .toBe(2);
  });
});
