import { spawn } from 'node:child_process';
import { beforeEach, expect, it } from 'vitest';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { inspection } from '../../helpers/results/stored-records.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { good, photoUrl } from '../helpers/photo-host.ts';
import { begin, LATER, openService, type TestService, VISUAL, waitFor } from '../helpers/service.ts';
import { startStandInChild } from '../helpers/stand-in.ts';

let directory: string;
beforeEach(() => {
  directory = makeOwnFolder('restart');
});
/** Starts one more service on the folder of the test: as after kill -9, the one before is left where it is. */
const start = (...[settings, parts = {}]: [object?, object?]) =>
  openService(settings, { store: openDirectoryStore(directory), parts });
const startWithChild = () => start({}, { startChild: () => startStandInChild(0) });
const untilBegun = ({ backend }: TestService) =>
  expect.poll(() => backend.fake.seen.length, { interval: 10 }).toBe(1);
const countCompleted = (service: TestService) => async () =>
  (await service.read(`${VISUAL}?status=completed`)).pagination.total;

/** A service that was cut off in its first analysis, and the id of the inspection. */
async function cutOff(more: Parameters<typeof begin>[1] = {}) {
  const first = await start();
  const release = first.backend.fake.holdUp();
  const id = await begin(first, more);
  await untilBegun(first);
  return { first, id, release };
}

it('takes up what was processing, once, with its photos in order', async () => {
  const first = await start();
  first.backend.fake.holdUp();
  const five = { urls: good(5), headers: { ...LATER, 'idempotency-key': 'k' } };
  const { inspection_id: id } = (await first.inspect(five)).body.data;
  await begin(first, { vehicle_id: 'veh_2' });
  await untilBegun(first);
  const second = await start();
  await expect.poll(countCompleted(second)).toBe(2);
  expect((await second.read(`${VISUAL}/${id}`)).results.damages).toHaveLength(1);
  // What was cut off comes after what was not.
  const urls = second.backend.fake.seen.map(({ photos }) => photos.map(({ url }) => url));
  expect(urls).toEqual([good(), good(5)]);
  expect((await second.inspect(five)).body.data.inspection_id).toBe(id);
});

it('does work by the settings of the service that took it', async () => {
  const own = { region: 'EU_GERMANY', currency: 'EUR', minConfidence: 0.4 };
  const first = await start({ ...own, workers: 0, keepPhotos: true, keepViewsDays: 7 });
  const id = await begin(first);
  const second = await start({ keepPhotos: false, keepViewsDays: 0, housekeepingDelayMs: 600_000 });
  await waitFor(second, id);
  expect(second.backend.fake.seen[0]?.options).toMatchObject(own);
  await expect.poll(() => second.store.inspections.listPendingCleanups()).toEqual([]);
  const kept = ['photo-0', 'thumbnail-0.jpg', 'view-0.jpg'];
  expect(await second.store.blobs.list(id)).toEqual(expect.arrayContaining(kept));
});

it.each([
  ['puts work back that was cut off three times with its process', 3, false, 'completed', undefined],
  ['gives up what was cut off ten times', 10, false, 'failed', 'INTERRUPTED'],
  ['does not count what was cut off while its child lived', 20, true, 'completed', undefined],
  ['gives up what cuts off a service and its child again and again', 30, true, 'failed', 'INTERRUPTED'],
])('%s', async (_name, attempts, apart, status, code) => {
  const { first, id } = await cutOff();
  for (let i = 1; i < attempts; i++) await first.store.inspections.startAttempt(id, apart);
  expect((await waitFor(await start(), id, status)).failure?.code).toBe(code);
});

it('opens the photos of work that was cut off in a process of their own, and leaves out what ends it', async () => {
  const abort = photoUrl('1920x1080-abort.jpg');
  const { first, id } = await cutOff({ urls: [...good(3), abort], options: { skip_unusable_images: true } });
  const second = await startWithChild();
  const { images, rejected_images: rejected, reports } = await waitFor(second, id);
  expect(images).toHaveLength(3);
  expect(rejected).toMatchObject([{ code: 'IMAGE_CRASHES_DECODER', url: abort }]);
  expect(reports.pdf_url).toContain('report-try3.pdf');
  // Neither this process nor the first one opened them.
  expect([first, second].map(({ backend }) => backend.fake.seen.length)).toEqual([1, 0]);
}, 180_000);

it('fails work of which two photos end their process, naming both', async () => {
  const urls = [photoUrl('1920x1080-abort-1.jpg'), ...good(3), photoUrl('1920x1080-abort-2.jpg')];
  const { id } = await cutOff({ urls, options: { skip_unusable_images: true } });
  const { failure } = await waitFor(await startWithChild(), id, 'failed');
  expect(failure).toMatchObject({ code: 'INTERRUPTED' });
  expect(failure.message).toMatch(/images\[0\], images\[4\]/);
}, 180_000);

it.each([
  ['three crashes', 3, 0],
  ['two crashes', 2, 1],
])(
  'an account with %s within an hour: %i, photos opened in the service: %i',
  async (_name, crashes, seen) => {
    const service = await startWithChild();
    const { inspections } = service.store;
    await inspections.create(inspection('vis_crashing', { accountId: service.account.id }), { parked: true });
    const { token = '' } = (await inspections.startAttempt('vis_crashing')) ?? {};
    for (let i = 0; i < crashes; i++) await inspections.recordCrash('vis_crashing', token, undefined);
    await waitFor(service, await begin(service));
    expect(service.backend.fake.seen).toHaveLength(seen);
  },
  180_000,
);

it('fails work in the end that there is no such process for', async () => {
  const { id } = await cutOff();
  const startChild = () => spawn('false', { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const { failure } = await waitFor(await start({ jobRetryMs: 10 }, { startChild }), id, 'failed');
  expect(failure.code).toBe('QUARANTINE_UNAVAILABLE');
}, 120_000);

it('an attempt that was overtaken stores nothing and leaves no file; the last one has files of its own', async () => {
  const { first, id, release } = await cutOff();
  const { inspections, blobs } = first.store;
  // As another process does that took the first for dead.
  const second = await inspections.startAttempt(id);
  const third = await inspections.startAttempt(id);
  expect([second?.number, third?.number]).toEqual([2, 3]);
  release();
  await first.app.close();
  expect(await inspections.get(id)).toMatchObject({ status: 'processing', attempts: 3 });
  expect((await blobs.list(id)).filter((name) => /^(annotated|report)/.test(name))).toEqual([]);
  await inspections.revertAttempt(id, third ?? { token: '', inChild: false });
  // What an attempt left that was killed.
  await blobs.put(id, 'annotated-7-try2.jpg', Buffer.from('half'));
  const next = await start();
  const { reports } = await waitFor(next, id);
  const ofPhotos = ['thumbnail', 'view'].flatMap((kind) => [0, 1, 2, 3].map((i) => `${kind}-${i}.jpg`));
  const wanted = ['annotated-0-try3.jpg', 'report-try3.pdf', ...ofPhotos];
  await expect
    .poll(async () => (await blobs.list(id)).filter((name) => !name.startsWith('photo')))
    .toEqual(wanted);
  const { pathname, search } = new URL(reports.pdf_url);
  expect((await next.app.inject(`${pathname}${search}`)).body).toBe('%PDF-inspection');
});

it('ends as failed when its photos are gone', async () => {
  const { first, id } = await cutOff();
  await first.store.blobs.remove(id);
  expect((await waitFor(await start(), id, 'failed')).failure.code).toBe('PHOTOS_LOST');
});

it('closing finishes what runs and leaves what waits for the next start', async () => {
  const first = await start({ workers: 1 });
  const release = first.backend.fake.holdUp();
  const running = first.inspect({ vehicle_id: 'running' });
  await untilBegun(first);
  const waiting = first.inspect({ vehicle_id: 'waiting' });
  const unfinished = () => first.store.inspections.listUnfinished('sandbox');
  await expect.poll(unfinished).toHaveLength(2);
  const closed = first.app.close();
  expect((await waiting).status).toBe(202);
  release();
  expect((await running).body.data.status).toBe('completed');
  await closed;
  await expect.poll(countCompleted(await start())).toBe(2);
});
