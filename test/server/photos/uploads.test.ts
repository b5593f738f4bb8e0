import { afterAll, expect, it } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import { photo } from '../helpers/backend.ts';
import { away, codeOf, refusalOf, startService } from '../helpers/service.ts';

let laterMs = 0;
const clock = { ...createClock(), wallMs: () => Date.now() + laterMs };
const service = await startService({}, { parts: { clock } });
afterAll(() => service.close());

/** Sends a photo in the body of its request. */
const send = (name: string, { bytes = photo(), headers = {}, as = service.key } = {}) =>
  service.call('POST', `/v1/uploads?name=${encodeURIComponent(name)}`, {
    payload: bytes,
    as,
    headers: { 'content-type': 'image/jpeg', ...headers },
  });
/** Sends the four photos that an inspection needs. */
const sendFour = () => Promise.all(['front', 'rear', 'left', 'right'].map((name) => send(`${name}.jpg`)));
const sendUrls = async () => (await sendFour()).map(({ body }) => body.data.url as string);
const listStored = () => service.store.uploads.listBefore(Date.now() + 1e9);
const metrics = async () => (await service.app.inject('/metrics')).body;

it('uploads are described, inspected by their address, and gone after', async () => {
  const sent = await sendFour();
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(sent.map(({ body }) => body.data.angle)).toEqual(['front', 'rear', 'left_side', 'right_side']);
  const { data } = sent[0]?.body ?? {};
  expect(data).toMatchObject({ bytes: 15, url: `upload:${data.upload_id}/front.jpg` });
  const urls = sent.map(({ body }) => body.data.url);
  const done = await service.inspect({ urls });
  expect([done.status, done.body.data.images.map((one: { url: string }) => one.url)]).toEqual([201, urls]);
  const again = await service.inspect({ urls });
  // All are looked up at once; none is there any more.
  const field = expect.stringMatching(/^images\[\d\]\.url$/);
  expect(refusalOf(again)).toEqual([422, 'IMAGE_FETCH_FAILED', field]);
  expect(await service.store.blobs.list(data.upload_id)).toEqual([]);
});

it('uploads say from where the vehicle is seen, where the picture shows it', async () => {
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
    expect(codeOf(answer)).toEqual([404, 'UPLOAD_NOT_FOUND']);
});

it.each([
  ['hello', 'UNSUPPORTED_IMAGE_FORMAT'],
  ['photo 640x480', 'IMAGE_QUALITY_TOO_LOW'],
  ['photo', 'IMAGE_UNREADABLE'],
])('a bad photo is reported before the others are there: %s', async (text, code) => {
  const before = await listStored();
  const answer = await send('x.jpg', { bytes: Buffer.from(text) });
  expect(codeOf(answer)).toEqual([422, code]);
  expect(await listStored()).toEqual(before);
});

it('refuses what is no photo, too much, or nothing', async () => {
  const text = await send('x.jpg', { headers: { 'content-type': 'text/plain' } });
  expect(text.status).toBe(415);
  const untyped = await send('x.jpg', { headers: { 'content-type': '' } });
  expect([untyped.status, untyped.body.error.message]).toEqual([
    415,
    'Send the body as image/jpeg or image/png or image/heic or application/octet-stream (with that Content-Type).',
  ]);
  const large = await send('x.jpg', { bytes: Buffer.concat([photo(), Buffer.alloc(10 * 1024 * 1024)]) });
  expect(codeOf(large)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect((await send('x.jpg', { bytes: Buffer.alloc(0) })).status).toBe(400);
  expect((await send('')).status).toBe(400);
  const { text: reader } = await service.makeKey({ permissions: ['inspections:read'] });
  expect((await send('x.jpg', { as: reader })).status).toBe(403);
});

it('refuses too much that announces no length, keeps nothing of it, nor of one that is cut off', async () => {
  const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const kept = async () => (await service.store.blobs.listOwners()).length;
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
  await expect.poll(metrics).toContain('vehi_upload_bytes 0');
  await expect.poll(kept).toBe(before);
});

it('names lead nowhere', async () => {
  const { url, upload_id: id } = (await send('../../etc/passwd\n ü?.jpg')).body.data;
  expect(url).toBe(`upload:${id}/.._.._etc_passwd_ü_.jpg`);
  // A letter of two UTF-16 units is kept whole or not at all.
  const long = (await send(`a${'𠮷'.repeat(80)}.jpg`)).body.data.url;
  expect(long.split('/')[1]).toBe(`${'𠮷'.repeat(76)}.jpg`);
});

it('uploads that cannot be stored leave no record; those that cannot be removed fail no inspection', async () => {
  const { blobs, uploads } = service.store;
  const { put } = blobs;
  const { remove } = uploads;
  const urls = await sendUrls();
  const before = await listStored();
  blobs.put = away;
  expect((await send('x.jpg')).status).toBe(503);
  blobs.put = put;
  expect(await listStored()).toEqual(before);
  uploads.remove = away;
  expect((await service.inspect({ urls })).status).toBe(201);
  uploads.remove = remove;
});

it('uploads have a small picture, for their account only', async () => {
  const { upload_id: id } = (await send('front.heic')).body.data;
  const ask = (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return service.app.inject({ url: `/v1/uploads/${id}/picture`, headers });
  };
  const own = await ask(service.key);
  expect([own.statusCode, own.headers['content-type'], own.body]).toEqual([
    ...[200, 'image/jpeg', `small ${photo()}`],
  ]);
  const foreign = await ask(service.otherKey);
  expect([foreign.statusCode, foreign.json().error.code]).toEqual([404, 'UPLOAD_NOT_FOUND']);
});

it("another account's uploads do not exist", async () => {
  const urls = await sendUrls();
  const as = service.otherKey;
  expect((await service.inspect({ urls, as })).body.error.code).toBe('IMAGE_FETCH_FAILED');
  const [, id] = /^upload:(\w+)/.exec(urls[0] ?? '') ?? [];
  const foreign = await service.call('DELETE', `/v1/uploads/${id}`, { as });
  expect(codeOf(foreign)).toEqual([404, 'UPLOAD_NOT_FOUND']);
  expect((await service.call('DELETE', `/v1/uploads/${id}`)).status).toBe(204);
  expect((await service.call('DELETE', `/v1/uploads/${id}`)).status).toBe(404);
});

it('uploads stay for the next try of a request that is refused', async () => {
  const urls = await sendUrls();
  expect((await service.inspect({ urls: [...urls.slice(0, 3), 'upload:upl_none'] })).status).toBe(422);
  // Only the analysis finds out.
  const cutOff = (await send('x.jpg', { bytes: Buffer.from('photo 1920x1080 cut-off') })).body.data.url;
  expect((await service.inspect({ urls: [...urls.slice(0, 3), cutOff] })).body.error.code).toBe(
    'IMAGE_UNREADABLE',
  );
  expect((await service.inspect({ urls })).status).toBe(201);
});

it('uploads lapse after an hour', async () => {
  const urls = await sendUrls();
  laterMs = 3_600_001;
  expect((await service.inspect({ urls })).body.error.code).toBe('IMAGE_FETCH_FAILED');
  laterMs = 0;
});
