import { afterAll, expect, it } from 'vitest';
import { openTemporaryStore } from '../../../src/storage/sqlite/store.ts';
import { good, photoUrl, visualRequest } from '../helpers/photo-host.ts';
import { ASSESSMENT, away, openService, refusalOf, startService, VISUAL } from '../helpers/service.ts';

const service = await startService();
afterAll(() => service.close());

const post = (key: string, json: object = visualRequest(good()), more: object = {}) =>
  service.call('POST', VISUAL, { json, headers: { 'idempotency-key': key }, ...more });
const DAMAGE = { vehicle_id: 'v', damages: [{ damage_id: 'd', type: 'dent', location: 'hood' }] };

it('same key and body (in any order of keys): the stored answer; another body: 409', async () => {
  const body = visualRequest(good());
  const first = await post('k1', body);
  const again = await post('k1', { images: body.images, vehicle_id: body.vehicle_id });
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  expect(again.headers.location).toBe(first.headers.location);
  const replayed = [first, again].map(({ headers }) => headers['idempotency-replayed']);
  expect(replayed).toEqual([undefined, 'true']);
  const other = await post('k1', { ...body, vehicle_id: 'veh_2' });
  expect(refusalOf(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT', 'Idempotency-Key']);
});

it('keys belong to their account and operation', async () => {
  const body = visualRequest(good());
  const first = await post('k2', body);
  const other = await post('k2', body, { as: service.otherKey });
  expect(other.body.data.inspection_id).not.toBe(first.body.data.inspection_id);
  const headers = { 'idempotency-key': 'k2' };
  const assessment = await service.call('POST', ASSESSMENT, { json: DAMAGE, headers });
  expect(assessment.status).toBe(201);
});

it('keys belong to their environment', async () => {
  const headers = { 'idempotency-key': 'order-17' };
  const store = openTemporaryStore();
  const sandbox = await openService({}, { store });
  const production = await openService({ environment: 'production', sandbox: false }, { store });
  const tried = await sandbox.call('POST', ASSESSMENT, { json: DAMAGE, headers });
  const paid = await production.call('POST', ASSESSMENT, { json: DAMAGE, headers });
  expect([paid.status, paid.headers['idempotency-replayed']]).toEqual([201, undefined]);
  expect(paid.body.data.assessment_id).not.toBe(tried.body.data.assessment_id);
  expect((await production.call('GET', `${ASSESSMENT}/${paid.body.data.assessment_id}`)).status).toBe(200);
});

it('a refused request leaves its key free', async () => {
  expect((await post('k3', visualRequest([...good().slice(1), photoUrl('640x480')]))).status).toBe(422);
  expect((await post('k3')).status).toBe(201);
});

it('two at the same time make one inspection', async () => {
  const { fake } = service.backend;
  const release = fake.holdUp();
  const before = fake.seen.length;
  const first = post('k4');
  await expect.poll(() => fake.seen.length).toBe(before + 1);
  const second = await post('k4');
  expect(second.status).toBe(202);
  release();
  expect((await first).body.data.inspection_id).toBe(second.body.data.inspection_id);
  expect(fake.seen.length).toBe(before + 1);
});

it('a creation refused while the store is away leaves its key free once it is back', async () => {
  const { inspections, idempotency } = service.store;
  const { create } = inspections;
  const { release } = idempotency;
  Object.assign(inspections, { create: away });
  Object.assign(idempotency, { release: away });
  for (const _try of [1, 2]) expect((await post('k5')).status).toBe(503);
  Object.assign(inspections, { create });
  Object.assign(idempotency, { release });
  const first = await post('k5');
  expect(first.status).toBe(201);
  expect((await post('k5')).body).toEqual(first.body);
});

it('a creation whose record was stored before the store went away is answered under its key', async () => {
  const { inspections } = service.store;
  const { create } = inspections;
  let stored = '';
  Object.assign(inspections, {
    create: async (...args: Parameters<typeof create>) => {
      await create(...args);
      stored = args[0].id;
      return away();
    },
  });
  expect((await post('k6')).status).toBe(503);
  Object.assign(inspections, { create });
  const again = await post('k6');
  expect([again.status, again.body.data.inspection_id]).toEqual([202, stored]);
  expect(await service.store.blobs.list(stored)).toContain('photo-0');
});

it('a creation whose staged photos were lost is answered 503, stores nothing and leaves its key free', async () => {
  const { blobs } = service.store;
  const { publish } = blobs;
  let lost = '';
  blobs.publish = async (owner, names) => {
    lost = owner;
    await blobs.discardStaged(owner);
    await publish(owner, names);
  };
  const { status, headers, body } = await post('k7');
  blobs.publish = publish;
  expect([status, headers['retry-after'], body.error.message]).toEqual([
    ...[503, '1', 'The photos were lost on our side; send them again.'],
  ]);
  expect(await service.store.inspections.get(lost)).toBeUndefined();
  expect(await blobs.list(lost)).toEqual([]);
  expect((await post('k7')).status).toBe(201);
});

it('refuses an invalid key', async () => {
  expect((await post('x'.repeat(256))).status).toBe(400);
});
