import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createUploadBudget } from '../../../src/server/http/upload-budget.ts';
import { startService, type TestService, visualRequest } from '../helpers/service.ts';

const VISUAL = '/v1/inspections/visual';
let service: TestService;
afterEach(() => service?.close());

it('a chunk that arrives after the end of its upload reserves nothing', () => {
  const budget = createUploadBudget({ uploadBudgetBytes: 8_000_000, uploadGraceMs: 1000 });
  const upload = budget.start('acc_1', 1_000_000);
  upload.end();
  upload.count(1000);
  expect(budget.usedBytes).toBe(0);
});

describe('uploads', () => {
  const form = (photoBytes: number) => {
    const all = new FormData();
    all.append('request', JSON.stringify(visualRequest(['a', 'b', 'c', 'd'])));
    for (const name of ['a', 'b', 'c', 'd'])
      all.append('photos', new Blob(['photo 1920x1080'.padEnd(photoBytes, '.')]), name);
    return all;
  };
  const send = (
    address: string,
    body: FormData | ReadableStream | null,
    headers: Record<string, string> = {},
  ) =>
    fetch(`${address}${VISUAL}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, ...headers },
      body,
      duplex: 'half',
    } as RequestInit);

  it('go to the store as they arrive, and are gone when they are refused', async () => {
    service = await startService();
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
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    expect((await send(address, form(100_000))).status).toBe(201);
    expect(streamed).toEqual([true, true, true, true]);
    const refused = form(100_000);
    refused.set('request', '{}');
    const answer = await send(address, refused);
    expect(answer.status).toBe(400);
    await expect.poll(() => discarded).toContain(answer.headers.get('x-request-id'));
  });

  it('that do not say how long they are count by what arrives', async () => {
    service = await startService({ uploadBudgetBytes: 100_000 });
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const whole = new Response(form(30_000));
    const type = { 'content-type': whole.headers.get('content-type') ?? '' };
    const answer = await send(address, whole.body, type);
    expect([answer.status, ((await answer.json()) as { error: object }).error]).toMatchObject([
      503,
      { details: { reason: 'uploads' } },
    ]);
    await expect
      .poll(async () => (await service.app.inject('/metrics')).body)
      .toContain('vehi_upload_bytes 0');
  });

  it('whose part "request" is too large get an answer', async () => {
    service = await startService();
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const large = form(10);
    large.set(
      'request',
      JSON.stringify(visualRequest(['a', 'b', 'c', 'd'], { note: 'x'.repeat(3_000_000) })),
    );
    const answer = await send(address, large);
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ]);
  });

  it('that announce much and send little keep nobody out, and end', async () => {
    service = await startService({ uploadBudgetBytes: 16_000_000, uploadGraceMs: 500 });
    const { blobs } = service.store;
    const staged: Promise<string>[] = [];
    const { stage } = blobs;
    blobs.stage = (owner, name, bytes) => {
      const done = stage(owner, name, bytes);
      if (!(bytes instanceof Uint8Array))
        staged.push(
          done.then(
            () => 'stored',
            () => 'given up',
          ),
        );
      return done;
    };
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = new URL(address);
    const answers: string[] = [];
    const sockets = [service.key, service.key, service.otherKey, service.otherKey].map((key, i) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('data', (chunk) => answers.push(String(chunk).split('\r\n')[0] ?? ''));
      const type = i % 2 === 0 ? 'multipart/form-data; boundary=x' : 'image/jpeg';
      const path = i % 2 === 0 ? VISUAL : '/v1/uploads';
      const length = i % 2 === 0 ? 250_000_000 : 9_000_000;
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n--x\r\ncontent-disposition: form-data; name="photos"; filename="a"\r\n\r\nphoto`,
      );
      return socket;
    });
    await expect
      .poll(async () => (await service.app.inject('/metrics')).body)
      .toMatch(/vehi_upload_bytes [1-9]/);
    expect((await send(address, form(10_000))).status).toBe(201);
    await expect.poll(() => answers).toEqual(Array.from({ length: 4 }, () => 'HTTP/1.1 408 Request Timeout'));
    for (const socket of sockets) socket.destroy();
    const outcomes = [...Array(4).fill('given up'), ...Array(4).fill('stored')];
    expect((await Promise.all(staged)).sort()).toEqual(outcomes);
    await expect
      .poll(async () => (await service.app.inject('/metrics')).body)
      .toContain('vehi_upload_bytes 0');
  });

  it('that are refused use no budget while their rest is read', async () => {
    service = await startService();
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.write(
      `POST ${VISUAL} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.key}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 9000000\r\n\r\n--x\r\ncontent-disposition: form-data; name="request"\r\n\r\n{\r\n--x\r\ncontent-disposition: form-data; name="photos"; filename="a"\r\n\r\nphoto`,
    );
    const used: boolean[] = [];
    while (answer === '') {
      const { body } = await service.app.inject('/metrics');
      if (answer === '') used.push(!body.includes('vehi_upload_bytes 0'));
      await sleep(5);
    }
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 400[\s\S]*INVALID_JSON/);
    expect(used.at(-1)).toBe(false);
  });

  it('beyond the budget of an account get 503, others go on, and the budget is given back', async () => {
    service = await startService({ uploadBudgetBytes: 16_000 });
    const upload = (as: string, photoBytes: number) =>
      send(address, form(photoBytes), { authorization: `Bearer ${as}` });
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const large = await upload(service.key, 2_000);
    expect([large.status, large.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await large.json()) as object).toMatchObject({ error: { details: { reason: 'uploads' } } });
    for (let i = 0; i < 4; i++) expect((await upload(service.key, 100)).status).toBe(201);
    expect((await upload(service.otherKey, 100)).status).toBe(201);
    await expect
      .poll(async () => (await service.app.inject('/metrics')).body)
      .toContain('vehi_upload_bytes 0');
  });
});
