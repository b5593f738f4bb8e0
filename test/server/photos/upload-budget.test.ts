import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createUploadBudget } from '../../../src/server/http/upload-budget.ts';
import { visualRequest } from '../helpers/photo-host.ts';
import { openService, type TestService, VISUAL } from '../helpers/service.ts';
import { listenOn, openSocket } from '../helpers/sockets.ts';

it('a chunk that arrives after the end of its upload reserves nothing', () => {
  const budget = createUploadBudget({ uploadBudgetBytes: 8_000_000, uploadGraceMs: 1000 });
  const upload = budget.start('acc_1', 1_000_000);
  upload.end();
  upload.count(1000);
  expect(budget.usedBytes).toBe(0);
});

const PHOTO = '--x\r\ncontent-disposition: form-data; name="photos"; filename="a"\r\n\r\nphoto';
const form = (photoBytes: number) => {
  const all = new FormData();
  all.append('request', JSON.stringify(visualRequest(['a', 'b', 'c', 'd'])));
  for (const name of ['a', 'b', 'c', 'd'])
    all.append('photos', new Blob(['photo 1920x1080'.padEnd(photoBytes, '.')]), name);
  return all;
};
/** Starts a service; `send` sends a body to it, over the network. */
async function start(settings: object = {}) {
  const service = await openService(settings);
  const port = await listenOn(service);
  const send = async (body: FormData | ReadableStream | null, more = {}, as = service.key) => {
    const headers = { authorization: `Bearer ${as}`, ...more };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const answer = await fetch(`http://127.0.0.1:${port}${VISUAL}`, init);
    const { error } = (await answer.json()) as { error: { code: string; details?: object } };
    return { status: answer.status, headers: answer.headers, error };
  };
  return { service, port, send };
}
const metrics = async ({ app }: TestService) => (await app.inject('/metrics')).body;
const untilUnused = (service: TestService) =>
  expect.poll(() => metrics(service)).toContain('vehi_upload_bytes 0');
const REFUSED = { status: 503, error: { details: { reason: 'uploads' } } };

it('uploads go to the store as they arrive, and are gone when they are refused', async () => {
  const { service, send } = await start();
  const { blobs } = service.store;
  const streamed: boolean[] = [];
  const { stage } = blobs;
  blobs.stage = (owner, name, bytes) => {
    if (name.startsWith('upload-')) streamed.push(!(bytes instanceof Uint8Array));
    return stage(owner, name, bytes);
  };
  const discarded: string[] = [];
  const { discardStaged } = blobs;
  blobs.discardStaged = (owner) => {
    discarded.push(owner);
    return discardStaged(owner);
  };
  expect((await send(form(100_000))).status).toBe(201);
  expect(streamed).toEqual([true, true, true, true]);
  const refused = form(100_000);
  refused.set('request', '{}');
  const answer = await send(refused);
  expect(answer.status).toBe(400);
  await expect.poll(() => discarded).toContain(answer.headers.get('x-request-id'));
});

it('uploads that do not say how long they are count by what arrives', async () => {
  const { service, send } = await start({ uploadBudgetBytes: 100_000 });
  const whole = new Response(form(30_000));
  const type = { 'content-type': whole.headers.get('content-type') ?? '' };
  expect(await send(whole.body, type)).toMatchObject(REFUSED);
  await untilUnused(service);
});

it('uploads whose part "request" is too large get an answer', async () => {
  const { send } = await start();
  const large = form(10);
  large.set('request', JSON.stringify({ note: 'x'.repeat(3_000_000) }));
  expect(await send(large)).toMatchObject({ status: 413, error: { code: 'PAYLOAD_TOO_LARGE' } });
});

it('uploads that announce much and send little keep nobody out, and end', async () => {
  const { service, port, send } = await start({ uploadBudgetBytes: 16_000_000, uploadGraceMs: 500 });
  const { blobs } = service.store;
  const staged: Promise<string>[] = [];
  const { stage } = blobs;
  blobs.stage = (owner, name, bytes) => {
    const done = stage(owner, name, bytes);
    const outcome = [() => 'stored', () => 'given up'] as const;
    if (!(bytes instanceof Uint8Array)) staged.push(done.then(...outcome));
    return done;
  };
  const head = (path: string, key: string, type: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
  const sockets = [service.key, service.otherKey].flatMap((key) => [
    openSocket(port, `${head(VISUAL, key, 'multipart/form-data; boundary=x', 250_000_000)}${PHOTO}`),
    openSocket(port, `${head('/v1/uploads', key, 'image/jpeg', 9_000_000)}${PHOTO}`),
  ]);
  await expect.poll(() => metrics(service)).toMatch(/vehi_upload_bytes [1-9]/);
  expect((await send(form(10_000))).status).toBe(201);
  for (const { answer, socket } of sockets) {
    await expect.poll(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
    socket.destroy();
  }
  const outcomes = [...Array(4).fill('given up'), ...Array(4).fill('stored')];
  expect((await Promise.all(staged)).sort()).toEqual(outcomes);
  await untilUnused(service);
});

it('uploads that are refused use no budget while their rest is read', async () => {
  const { service, port } = await start();
  const { socket, answer } = openSocket(
    port,
    `POST ${VISUAL} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.key}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 9000000\r\n\r\n--x\r\ncontent-disposition: form-data; name="request"\r\n\r\n{\r\n${PHOTO}`,
  );
  const used: boolean[] = [];
  while (answer() === '') {
    const body = await metrics(service);
    if (answer() === '') used.push(!body.includes('vehi_upload_bytes 0'));
    await sleep(5);
  }
  socket.destroy();
  expect(answer()).toMatch(/^HTTP\/1\.1 400[\s\S]*INVALID_JSON/);
  expect(used.at(-1)).toBe(false);
});

it('uploads beyond the budget of an account get 503, others go on, and the budget is given back', async () => {
  const { service, send } = await start({ uploadBudgetBytes: 16_000 });
  const large = await send(form(2_000));
  expect(large).toMatchObject(REFUSED);
  expect(large.headers.get('retry-after')).toBe('5');
  for (let i = 0; i < 4; i++) expect((await send(form(100))).status).toBe(201);
  expect((await send(form(100), {}, service.otherKey)).status).toBe(201);
  await untilUnused(service);
});
