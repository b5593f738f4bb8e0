import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageUnavailableError } from '../../../src/storage/ports.ts';
import { openDirectoryStore, openTemporaryStore } from '../../../src/storage/sqlite/store.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import {
  listen,
  photoHost,
  refusalOf,
  startService,
  type TestService,
  visualRequest,
} from '../helpers/service.ts';

let host: Awaited<ReturnType<typeof photoHost>>;
let service: TestService;
const VISUAL = '/v1/inspections/visual';
const good = () => Array.from({ length: 4 }, (_v, i) => `${host.url}/1920x1080-${i}.jpg`);

beforeAll(async () => {
  host = await photoHost();
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await host.close();
});

describe('idempotency', () => {
  const post = (key: string, body: object, more: object = {}) =>
    service.call('POST', VISUAL, { json: body, headers: { 'idempotency-key': key }, ...more });

  it('same key and body (in any order of keys): the stored answer; another body: 409', async () => {
    const body = visualRequest(good());
    const first = await post('k1', body);
    const again = await post('k1', { images: body.images, vehicle_id: body.vehicle_id });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers.location).toBe(first.headers.location);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    const other = await post('k1', visualRequest(good(), { vehicle_id: 'veh_2' }));
    expect(refusalOf(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT', 'Idempotency-Key']);
  });

  it('keys belong to their account and operation', async () => {
    const body = visualRequest(good());
    const first = await post('k2', body);
    const other = await post('k2', body, { as: service.otherKey });
    expect(other.body.data.inspection_id).not.toBe(first.body.data.inspection_id);
    const assessment = await service.call('POST', '/v1/inspections/damage-assessment', {
      json: { vehicle_id: 'v', damages: [{ damage_id: 'd', type: 'dent', location: 'hood' }] },
      headers: { 'idempotency-key': 'k2' },
    });
    expect(assessment.status).toBe(201);
  });

  it('keys belong to their environment', async () => {
    const headers = { 'idempotency-key': 'order-17' };
    const json = { vehicle_id: 'v', damages: [{ damage_id: 'd', type: 'dent', location: 'hood' }] };
    const path = '/v1/inspections/damage-assessment';
    const store = openTemporaryStore();
    const sandbox = await startService({}, { store });
    const production = await startService({ environment: 'production', sandbox: false }, { store });
    const tried = await sandbox.call('POST', path, { json, headers });
    const paid = await production.call('POST', path, { json, headers });
    expect([paid.status, paid.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect(paid.body.data.assessment_id).not.toBe(tried.body.data.assessment_id);
    expect((await production.call('GET', `${path}/${paid.body.data.assessment_id}`)).status).toBe(200);
    await sandbox.app.close();
    await production.close();
  });

  it('a refused request leaves its key free', async () => {
    expect((await post('k3', visualRequest([...good().slice(1), `${host.url}/640x480`]))).status).toBe(422);
    expect((await post('k3', visualRequest(good()))).status).toBe(201);
  });

  it('two at the same time make one inspection', async () => {
    const release = service.backend.fake.holdUp();
    const before = service.backend.fake.seen.length;
    const first = post('k4', visualRequest(good()));
    await expect.poll(() => service.backend.fake.seen.length).toBe(before + 1);
    const second = await post('k4', visualRequest(good()));
    expect(second.status).toBe(202);
    service.backend.fake.hold = undefined;
    release();
    expect((await first).body.data.inspection_id).toBe(second.body.data.inspection_id);
    expect(service.backend.fake.seen.length).toBe(before + 1);
  });

  it('a creation refused while the store is away leaves its key free once it is back', async () => {
    const { inspections, idempotency } = service.store;
    const { create } = inspections;
    const { release } = idempotency;
    const away = async () => {
      throw new StorageUnavailableError('the store is away');
    };
    Object.assign(inspections, { create: away });
    Object.assign(idempotency, { release: away });
    expect((await post('k5', visualRequest(good()))).status).toBe(503);
    expect((await post('k5', visualRequest(good()))).status).toBe(503);
    Object.assign(inspections, { create });
    Object.assign(idempotency, { release });
    const first = await post('k5', visualRequest(good()));
    expect(first.status).toBe(201);
    expect((await post('k5', visualRequest(good()))).body).toEqual(first.body);
  });

  it('a creation whose record was stored before the store went away is answered under its key', async () => {
    const { inspections } = service.store;
    const { create } = inspections;
    let stored = '';
    Object.assign(inspections, {
      create: async (...args: Parameters<typeof create>) => {
        await create(...args);
        stored = args[0].id;
        throw new StorageUnavailableError('the answer to COMMIT was lost');
      },
    });
    expect((await post('k6', visualRequest(good()))).status).toBe(503);
    Object.assign(inspections, { create });
    const again = await post('k6', visualRequest(good()));
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
    const { status, headers, body } = await post('k7', visualRequest(good()));
    blobs.publish = publish;
    expect([status, headers['retry-after'], body.error.message]).toEqual([
      ...[503, '1', 'The photos were lost on our side; send them again.'],
    ]);
    expect(await service.store.inspections.get(lost)).toBeUndefined();
    expect(await blobs.list(lost)).toEqual([]);
    expect((await post('k7', visualRequest(good()))).status).toBe(201);
  });

  it('refuses an invalid key', async () => {
    expect((await post('x'.repeat(256), visualRequest(good()))).status).toBe(400);
  });

  it('a creation refused under a write lock held elsewhere makes its inspection once the lock is gone', async () => {
    const directory = makeOwnFolder('claims');
    const service = await startService({}, { store: openDirectoryStore(directory) });
    const other = new DatabaseSync(join(directory, 'vehi.db'));
    let asked = 0;
    const photos = await listen((_request, response) => {
      // By now the creation has claimed its key, and has stored nothing.
      if (asked++ === 0) other.exec('BEGIN IMMEDIATE');
      response.end('photo 1920x1080');
    });
    const json = visualRequest(Array.from({ length: 4 }, (_v, i) => `${photos.url}/${i}`));
    const send = () => service.call('POST', VISUAL, { json, headers: { 'idempotency-key': 'refused' } });
    const refused = await send();
    other.close();
    const again = await send();
    await photos.close();
    await service.close();
    expect([refused.status, again.status]).toEqual([503, 201]);
  });
});
