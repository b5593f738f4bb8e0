import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import { photo } from '../helpers/programs.ts';
import { startService, type TestService, visualRequest } from '../helpers/service.ts';
import { createUploader, hashSha256 } from '../helpers/uploads.ts';

let service: TestService;
let laterMs = 0;
beforeAll(async () => {
  const clock = createClock();
  service = await startService({}, { parts: { clock: { ...clock, wallMs: () => Date.now() + laterMs } } });
});
afterAll(async () => {
  await service.close();
});

const { send, sendFour, announce, sendTo, inspect } = createUploader(() => service);

describe('uploads', () => {
  it('are described, inspected by their address, and gone after', async () => {
    const sent = await sendFour();
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(sent.map(({ body }) => body.data.angle)).toEqual(['front', 'rear', 'left_side', 'right_side']);
    const { data } = sent[0]?.body ?? {};
    expect(data).toMatchObject({ bytes: 15, url: `upload:${data.upload_id}/front.jpg` });
    const urls = sent.map(({ body }) => body.data.url);
    const done = await inspect(urls);
    expect([done.status, done.body.data.images.map((one: { url: string }) => one.url)]).toEqual([201, urls]);
    const again = await inspect(urls);
    // All are looked up at once; none is there any more.
    expect([again.status, again.body.error.code, again.body.error.field]).toEqual([
      422,
      'IMAGE_FETCH_FAILED',
      expect.stringMatching(/^images\[\d\]\.url$/),
    ]);
    expect(await service.store.blobs.list(data.upload_id)).toEqual([]);
  });

  it('say from where the vehicle is seen, where the picture shows it', async () => {
    const view = (id: string, more: object = {}) => service.call('GET', `/v1/uploads/${id}/view`, more);
    const ids = await Promise.all(
      ['photo 1920x1080 rear_left', 'photo 1920x1080'].map(async (text) => {
        const { body } = await send('IMG_0001.jpg', { bytes: Buffer.from(text) });
        expect(body.data.angle).toBeNull();
        return body.data.upload_id as string;
      }),
    );
    const views = await Promise.all(ids.map((id) => view(id)));
    expect(views.map(({ status, body }) => [status, body.data])).toEqual([
      [200, { upload_id: ids[0], angle: 'rear_left' }],
      [200, { upload_id: ids[1], angle: null }],
    ]);
    for (const answer of [await view(ids[0] ?? '', { as: service.otherKey }), await view('upl_none')])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'UPLOAD_NOT_FOUND']);
  });

  it.each([
    ['hello', 'UNSUPPORTED_IMAGE_FORMAT'],
    ['photo 640x480', 'IMAGE_QUALITY_TOO_LOW'],
    ['photo', 'IMAGE_UNREADABLE'],
  ])('a bad photo is reported before the others are there: %s', async (text, code) => {
    const before = await service.store.uploads.before(Date.now() + 1e9);
    const answer = await send('x.jpg', { bytes: Buffer.from(text) });
    expect([answer.status, answer.body.error.code]).toEqual([422, code]);
    expect(await service.store.uploads.before(Date.now() + 1e9)).toEqual(before);
  });

  it('refuses what is no photo, too much, or nothing', async () => {
    const text = await send('x.jpg', { headers: { 'content-type': 'text/plain' } });
    expect(text.status).toBe(415);
    const large = await send('x.jpg', { bytes: Buffer.concat([photo(), Buffer.alloc(10 * 1024 * 1024)]) });
    expect([large.status, large.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await send('x.jpg', { bytes: Buffer.alloc(0) })).status).toBe(400);
    expect((await send('')).status).toBe(400);
    const { text: reader } = await service.makeKey({ permissions: ['inspections:read'] });
    expect((await send('x.jpg', { as: reader })).status).toBe(403);
  });

  it('refuses too much that announces no length, keeps nothing of it, nor of one that is cut off', async () => {
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const kept = async () => (await service.store.blobs.owners()).length;
    const before = await kept();
    const post = (body: ReadableStream) =>
      fetch(`${address}/v1/uploads`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'image/jpeg' },
        body,
        duplex: 'half',
      } as RequestInit);
    async function* megabytes(count: number, then?: Error) {
      for (let i = 0; i < count; i++) yield new Uint8Array(1024 * 1024);
      if (then) throw then;
    }
    const large = await post(ReadableStream.from(megabytes(12)));
    expect([large.status, ((await large.json()) as { error: { code: string } }).error.code]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ]);
    await expect(post(ReadableStream.from(megabytes(2, new Error('cut'))))).rejects.toThrow();
    await expect
      .poll(async () => (await service.app.inject('/metrics')).body)
      .toContain('vehi_upload_bytes 0');
    await expect.poll(kept).toBe(before);
  });

  it('names lead nowhere', async () => {
    const { url, upload_id: id } = (await send('../../etc/passwd\n ü?.jpg')).body.data;
    expect(url).toBe(`upload:${id}/.._.._etc_passwd_ü_.jpg`);
  });

  it('have a small picture, for their account only', async () => {
    const { upload_id: id } = (await send('front.heic')).body.data;
    const ask = (key: string) =>
      service.app.inject({
        url: `/v1/uploads/${id}/picture`,
        headers: { authorization: `Bearer ${key}` },
      });
    const own = await ask(service.key);
    expect([own.statusCode, own.headers['content-type'], own.body]).toEqual([
      ...[200, 'image/jpeg', `small ${photo()}`],
    ]);
    const foreign = await ask(service.otherKey);
    expect([foreign.statusCode, foreign.json().error.code]).toEqual([404, 'UPLOAD_NOT_FOUND']);
  });

  it("another account's uploads do not exist", async () => {
    const urls = (await sendFour()).map(({ body }) => body.data.url);
    const as = service.otherKey;
    expect((await inspect(urls, as)).body.error.code).toBe('IMAGE_FETCH_FAILED');
    const id = urls[0].slice('upload:'.length).split('/')[0];
    const foreign = await service.call('DELETE', `/v1/uploads/${id}`, { as });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'UPLOAD_NOT_FOUND']);
    expect((await service.call('DELETE', `/v1/uploads/${id}`)).status).toBe(204);
    expect((await service.call('DELETE', `/v1/uploads/${id}`)).status).toBe(404);
  });

  it('are used by the first of several inspections at once', async () => {
    const urls = (await sendFour()).map(({ body }) => body.data.url);
    const answers = await Promise.all([inspect(urls), inspect(urls), inspect(urls)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    const reasons = answers.flatMap(({ body }) => body.error?.details.reason ?? []);
    expect(reasons).toEqual(['no_such_upload', 'no_such_upload']);
  });

  it('stay for the next try of a request that is refused', async () => {
    const urls = (await sendFour()).map(({ body }) => body.data.url);
    expect((await inspect([...urls.slice(0, 3), 'upload:upl_none'])).status).toBe(422);
    expect((await inspect(urls)).status).toBe(201);
  });

  it('the same Idempotency-Key gives the same upload', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await send('a.jpg', { headers });
    const second = await send('a.jpg', { headers });
    expect([second.status, second.body, second.headers['idempotency-replayed']]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect((await send('b.jpg', { headers })).body.error.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('lapse after an hour', async () => {
    const urls = (await sendFour()).map(({ body }) => body.data.url);
    laterMs = 3_600_001;
    expect((await inspect(urls)).body.error.code).toBe('IMAGE_FETCH_FAILED');
    laterMs = 0;
  });
});

describe('uploads with an address of their own', () => {
  it('are sent without a key, inspected once, and take nothing after', async () => {
    const photos = ['one', 'two', 'three', 'four'].map((word) => photo(`photo 1920x1080 ${word}`));
    const made = await Promise.all(photos.map((bytes) => announce(bytes)));
    const { data } = made[0]?.body ?? {};
    expect([made[0]?.status, data]).toMatchObject([
      201,
      {
        bytes: photos[0]?.byteLength,
        sha256: hashSha256(photos[0] as Buffer),
        angle: 'front',
        put: { headers: { 'content-length': String(photos[0]?.byteLength) } },
      },
    ]);
    expect(data.put.url).not.toContain(service.key);
    for (const [i, bytes] of photos.entries()) {
      const answer = await sendTo(made[i]?.body.data.put.url, bytes);
      expect([answer.statusCode, answer.body]).toEqual([200, '']);
    }
    // Whoever lost the answer sends again.
    expect((await sendTo(data.put.url, photos[0] as Buffer)).statusCode).toBe(200);
    const urls = made.map(({ body }) => body.data.url);
    expect((await inspect(urls)).status).toBe(201);
    expect((await inspect(urls)).body.error.details.reason).toBe('no_such_upload');
    const late = await sendTo(data.put.url, photos[0] as Buffer);
    expect([late.statusCode, late.json().error.code]).toEqual([404, 'UPLOAD_NOT_FOUND']);
    expect(await service.store.blobs.list(data.upload_id)).toEqual([]);
  });

  it('that are not sent, or break a rule, are named when they are inspected, and may be corrected', async () => {
    const bytes = [
      photo('photo 640x480'),
      photo('hello'),
      photo('photo 1920x1080 a'),
      photo('photo 1280x720'),
    ];
    const made = (await Promise.all(bytes.map((one) => announce(one)))).map(({ body }) => body.data);
    for (const i of [0, 1, 3]) await sendTo(made[i].put.url, bytes[i] as Buffer);
    const answer = await inspect(made.map(({ url }) => url));
    expect(answer.status).toBe(422);
    const listed = await service.call('POST', '/v1/inspections/visual', {
      json: visualRequest(
        made.map(({ url }) => url),
        { options: { skip_unusable_images: true } },
      ),
    });
    const { rejected_images: rejected } = listed.body.data;
    expect(rejected.map(({ code, found }: Record<string, string>) => [code, found])).toEqual([
      ['IMAGE_QUALITY_TOO_LOW', '640x480'],
      ['UNSUPPORTED_IMAGE_FORMAT', 'no photo'],
      ['IMAGE_FETCH_FAILED', 'not_sent'],
    ]);
    const view = await service.call('GET', `/v1/uploads/${made[2].upload_id}/view`);
    expect(view.status).toBe(404);
  });

  it('are held against their SHA-256 by whoever reads them first', async () => {
    const right = photo('photo 1920x1080 right');
    const made = (await Promise.all([1, 2, 3, 4].map(() => announce(right)))).map(({ body }) => body.data);
    for (const { upload_id: id } of made) await service.store.blobs.put(id, 'photo', right);
    // As a bucket takes it: another photo of the same length.
    const other = photo('photo 1920x1080 wrong');
    await service.store.blobs.put(made[1].upload_id, 'photo', other);
    const urls = made.map(({ url }) => url);
    const refused = await inspect(urls);
    expect([refused.status, refused.body.error]).toMatchObject([
      422,
      {
        code: 'IMAGE_FETCH_FAILED',
        field: 'images[1].url',
        details: { found: `SHA-256 ${hashSha256(other)}`, needed: `SHA-256 ${hashSha256(right)}` },
      },
    ]);
    await service.store.blobs.put(made[1].upload_id, 'photo', right.subarray(1));
    const short = await inspect(urls);
    expect(short.body.error.details).toMatchObject({ image_index: 1, reason: 'wrong_length' });
    await sendTo(made[1].put.url, right);
    expect((await inspect(urls)).status).toBe(201);
  });

  it.each([
    ['no length', { sha256: 'a'.repeat(64) }, 400, 'INVALID_REQUEST', 'bytes'],
    ['no bytes', { bytes: 0, sha256: 'a'.repeat(64) }, 400, 'INVALID_REQUEST', 'bytes'],
    ['half a byte', { bytes: 1.5, sha256: 'a'.repeat(64) }, 400, 'INVALID_REQUEST', 'bytes'],
    ['too many', { bytes: 10_485_761, sha256: 'a'.repeat(64) }, 422, 'IMAGE_TOO_LARGE', 'bytes'],
    ['far too many', { bytes: 1e300, sha256: 'a'.repeat(64) }, 422, 'IMAGE_TOO_LARGE', 'bytes'],
    ['no digest', { bytes: 5 }, 400, 'INVALID_REQUEST', 'sha256'],
    ['another digest', { bytes: 5, sha256: 'a'.repeat(63) }, 400, 'INVALID_REQUEST', 'sha256'],
    ['a list', [], 400, 'INVALID_REQUEST', undefined],
  ])('are refused for %s', async (_name, json, status, code, field) => {
    const answer = await service.call('POST', '/v1/uploads', { json });
    expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([status, code, field]);
  });

  it('take exactly what was announced, from nobody without their signature, and for so long only', async () => {
    const bytes = photo('photo 1920x1080 exact');
    const { put, upload_id: id } = (await announce(bytes)).body.data;
    const refused = async (address: string, body: Buffer, headers: Record<string, string> = {}) => {
      const answer = await sendTo(address, body, headers);
      return [answer.statusCode, answer.json().error.code, answer.json().error.field];
    };
    const other = Buffer.from(bytes).fill('x', 5, 6);
    expect(await refused(put.url, bytes.subarray(1))).toEqual([400, 'INVALID_REQUEST', 'Content-Length']);
    expect(await refused(put.url, Buffer.concat([bytes, bytes]))).toEqual([
      ...[400, 'INVALID_REQUEST', 'Content-Length'],
    ]);
    expect(await refused(put.url, other)).toEqual([400, 'INVALID_REQUEST', undefined]);
    const gone = [404, 'UPLOAD_NOT_FOUND', undefined];
    expect(await refused(put.url.replace('signature=', 'signature=A'), bytes)).toEqual(gone);
    expect(await refused(put.url.replace(/expires=\d/, 'expires=9'), bytes)).toEqual(gone);
    expect(await refused(put.url.split('?')[0], bytes)).toEqual(gone);
    const next = (await announce(bytes)).body.data;
    expect(await refused(put.url.replace(id, next.upload_id), bytes)).toEqual(gone);
    expect((await service.call('DELETE', `/v1/uploads/${id}`)).status).toBe(204);
    expect(await refused(put.url, bytes)).toEqual(gone);
    expect(await service.store.blobs.list(id)).toEqual([]);
    laterMs = 3_600_001;
    expect(await refused(next.put.url, bytes)).toEqual(gone);
    laterMs = 0;
  });

  it('are one per Idempotency-Key, as many as sent ones together, and of one account', async () => {
    const key = service.otherKey;
    const account = (await service.store.accounts.list()).find(({ name }) => name === 'Other')?.id ?? '';
    const bytes = photo('photo 1920x1080 mine');
    const headers = { 'idempotency-key': 'address' };
    const first = await announce(bytes, { headers, as: key });
    expect((await announce(bytes, { headers, as: key })).body).toEqual(first.body);
    const upper = { bytes: bytes.byteLength, sha256: hashSha256(bytes).toUpperCase() };
    const again = await service.call('POST', '/v1/uploads?name=front.jpg', { json: upper, headers, as: key });
    expect(again.body).toEqual(first.body);
    for (let i = 1; i < 300; i++)
      await service.store.uploads.create({
        ...{ id: `upl_${account}_${i}`, accountId: account, environment: 'sandbox' as const, sha256: '' },
        ...{ createdAtMs: Date.now(), announcedBytes: 5 },
      });
    expect((await announce(bytes, { as: key })).body.error.message).toContain('300 uploads wait');
    const { data } = first.body;
    await sendTo(data.put.url, bytes);
    expect((await inspect(Array(4).fill(data.url))).body.error.details.reason).toBe('no_such_upload');
    expect((await service.call('DELETE', `/v1/uploads/${data.upload_id}`, { as: key })).status).toBe(204);
    expect((await announce(bytes, { as: key })).status).toBe(201);
  });
});
