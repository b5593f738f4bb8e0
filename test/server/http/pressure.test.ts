import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { listen } from '../helpers/listen.ts';
import { good } from '../helpers/photo-host.ts';
import { away, LATER, openService, VISUAL } from '../helpers/service.ts';
import { listenOn, openSocket, readSocket } from '../helpers/sockets.ts';

describe('nobody without a key', () => {
  it('is served the document from memory: it is made once', async () => {
    const service = await openService();
    const first = service.app.document().json;
    for (const url of ['/v1/openapi.json', '/docs/json']) {
      const answer = await service.app.inject(url);
      expect([url, answer.statusCode, answer.rawPayload.equals(first)]).toEqual([url, 200, true]);
      const headers = { 'accept-encoding': 'br, gzip' };
      const small = await service.app.inject({ url, headers });
      expect([small.headers['content-encoding'], small.headers.vary]).toEqual(['gzip', 'accept-encoding']);
      expect(gunzipSync(small.rawPayload).equals(first)).toBe(true);
      expect(small.rawPayload.length).toBeLessThan(first.length / 5);
      const etag = String(small.headers.etag);
      const known = await service.app.inject({ url, headers: { ...headers, 'if-none-match': etag } });
      expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag]);
      const plain = await service.app.inject({ url, headers: { 'accept-encoding': 'gzip;q=0' } });
      expect(plain.rawPayload.equals(first)).toBe(true);
    }
    expect(service.app.document().json).toBe(first);
    expect((await service.app.inject('/docs/yaml')).headers.location).toBe('../v1/openapi.json');
  });

  it('gets many answers out of one packet: the connection is cut, and others are answered', async () => {
    const service = await openService();
    const port = await listenOn(service);
    const request = 'GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
    const before = process.memoryUsage().rss;
    const sockets = Array.from({ length: 6 }, () => openSocket(port, request.repeat(1_500)));
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await Promise.all(sockets.map(({ closed }) => closed));
    // Of 9,000 requests no more are handled than a connection may have open, so the others wait for none of the rest.
    const { text } = await service.app.readMetrics();
    const counts = text.matchAll(/^vehi_http_request_duration_seconds_count\{.*openapi\.json.*\} (\d+)$/gm);
    const handled = [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(handled).toBeLessThanOrEqual(6 * 32);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });

  it('may pipeline a few requests, which are answered in order', async () => {
    const service = await openService();
    const port = await listenOn(service);
    const paths = Array.from({ length: 20 }, (_v, i) => (i % 2 ? '/healthz' : '/nothing'));
    const text = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
    const { closed } = openSocket(port, text.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'));
    const answers = (await closed).match(/\{"status":"[a-z]+"/g);
    expect(answers).toEqual(paths.map((path) => `{"status":"${path === '/healthz' ? 'ok' : 'error'}"`));
  });

  it('a store that is away makes no wrong keys: valid ones get 503 for as long as it lasts', async () => {
    const service = await openService({ anonymousPerMinute: 3 });
    const { find } = service.store.keys;
    Object.assign(service.store.keys, { find: away });
    for (let i = 0; i < 6; i++) expect((await service.call('GET', '/v1/account')).status).toBe(503);
    Object.assign(service.store.keys, { find });
    expect((await service.call('GET', '/v1/account', { as: 'dev_wrong' })).status).toBe(401);
  });

  it('uses up the allowance of its address for one thing only, and never for health checks', async () => {
    const service = await openService({ anonymousPerMinute: 3 });
    const get = async (url: string, as: string | null = null) =>
      (await service.call('GET', url, { as })).status;
    for (let i = 0; i < 5; i++) await get('/v1/account', 'dev_guess');
    expect(await get('/v1/account', 'dev_guess')).toBe(429);
    expect([await get('/healthz'), await get('/readyz'), await get('/docs/')]).toEqual([200, 200, 200]);
    for (let i = 0; i < 5; i++) await get('/v1/openapi.json');
    expect(await get('/v1/openapi.json')).toBe(429);
    for (let i = 0; i < 20; i++) expect([await get('/healthz'), await get('/readyz')]).toEqual([200, 200]);
    // Links have an allowance of their own.
    expect(await get('/files/vis_00000000000000000000000000/report.pdf')).toBe(404);
    expect(await get('/v1/account', service.key)).toBe(200);
  });

  it.each([
    ['half a header', 'GET / HTTP/1.1\r\nHos'],
    [
      'half a body',
      'POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    ],
    ['nothing at all', ''],
  ])('holds up a stop with %s', async (_name, text) => {
    const service = await openService({
      closeGraceMs: 300,
      headersTimeoutMs: 60_000,
      requestTimeoutMs: 60_000,
    });
    const port = await listenOn(service);
    const { closed, socket } = openSocket(port, text.replace('KEY', service.key));
    await expect.poll(() => socket.readyState).toBe('open');
    await expect.poll(() => fetch(`http://127.0.0.1:${port}/healthz`).then((a) => a.status)).toBe(200);
    const startedMs = performance.now();
    await service.app.close();
    await closed;
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it.each([
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n'],
  ])('is answered in the envelope with %s', async (_name, text) => {
    const service = await openService();
    const answer = await openSocket(await listenOn(service), text).closed;
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').error.code).toBe('INVALID_REQUEST');
  });

  it('gets 401 before it sends the photos that it announces, and 100 once it may', async () => {
    const service = await openService();
    const port = await listenOn(service);
    const head = (key: string) =>
      `POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n`;
    const refused = await openSocket(port, `${head('dev_wrong')}\r\n`).closed;
    expect(refused).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\nconnection: close\r\n/);
    const { socket, closed } = openSocket(port, `${head(service.key)}Connection: close\r\n\r\n`);
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
    socket.write('{}');
    expect(await closed).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });

  it('gets 4xx of the page and of files for what is its own fault, never INTERNAL_ERROR', async () => {
    const service = await openService();
    for (const [url, headers] of [
      ['/docs/static/swagger-ui.css', { range: 'bytes=99999999-' }],
      ['/docs/static/swagger-ui.css', { 'if-match': '"x"' }],
      ['/docs/static/%2e%2e/x', {}],
      ['/docs/static/%00', {}],
      ['/docs/static/nothing.css', {}],
    ] as const) {
      const answer = await service.app.inject({ url, headers: { host: 'x', ...headers } });
      expect([url, Math.floor(answer.statusCode / 100), answer.json().status]).toEqual([url, 4, 'error']);
    }
    expect((await service.app.inject('/metrics')).body).not.toContain('code="INTERNAL_ERROR"');
  });

  it('that leaves in mid-body is no internal error', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const service = await openService({}, { parts: { logger } });
    const port = await listenOn(service);
    const head = `POST ${VISUAL} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Length: 999\r\n`;
    for (const type of ['application/json', 'multipart/form-data; boundary=x']) {
      const { socket, closed } = openSocket(port, `${head}Content-Type: ${type}\r\n\r\n{"a":`);
      await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
      await new Promise((done) => setTimeout(done, 100));
      socket.destroy();
      await closed;
    }
    const errors = async () => (await service.app.inject('/metrics')).body;
    await expect.poll(errors).toContain('vehi_errors_total{code="INVALID_REQUEST"}');
    expect(await errors()).not.toContain('code="INTERNAL_ERROR"');
    expect(lines).toEqual([]);
  });

  it('reads why a body was too large, though it sends all of it first', async () => {
    const service = await openService();
    const port = await listenOn(service);
    const body = Buffer.alloc(10 * 1024 * 1024, 32);
    const head = `POST ${VISUAL} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    // Does not look at the answer before all is sent, as Python's urllib does.
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    await new Promise<void>((done, fail) => {
      socket.on('error', fail);
      socket.write(body, () => done());
    });
    expect(await readSocket(socket).closed).toMatch(/^HTTP\/1\.1 413[\s\S]*PAYLOAD_TOO_LARGE/);
  });
});

it('a thousand idle connections stay, and a request among them is answered', async () => {
  const service = await openService({ keepAliveTimeoutMs: 600_000 });
  const port = await listenOn(service);
  const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const opened = Array.from({ length: 1_000 }, () => openSocket(port, get));
  const answered = () => opened.filter(({ answer }) => answer().startsWith('HTTP/1.1 200')).length;
  await expect.poll(answered).toBe(1_000);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  expect(opened.filter(({ socket }) => socket.readyState !== 'open')).toEqual([]);
  for (const { socket } of opened) socket.destroy();
});

describe('one tenant', () => {
  it('that fills the queue keeps no other from a place, nor from its turn', async () => {
    const service = await openService({ queueLimit: 10 });
    const release = service.backend.fake.holdUp();
    const post = (as: string, vehicle_id: string) => service.inspect({ vehicle_id, headers: LATER, as });
    const full = await Promise.all(Array.from({ length: 12 }, () => post(service.key, 'many')));
    // One account may have half of the queue.
    const most = 5;
    expect(full.filter(({ status }) => status === 202)).toHaveLength(most);
    const refused = full.find(({ status }) => status === 429);
    expect([refused?.body.error, refused?.headers['retry-after']]).toMatchObject([
      { code: 'CONCURRENCY_LIMIT_EXCEEDED', details: { reason: 'waiting', limit: most } },
      '30',
    ]);
    expect((await post(service.otherKey, 'one')).status).toBe(202);
    release();
    const { seen } = service.backend.fake;
    await expect.poll(() => seen.length).toBe(most + 1);
    expect(seen.findIndex(({ vehicleId }) => vehicleId === 'one')).toBeLessThanOrEqual(2);
  });

  it('that names slow addresses holds its half of the memory for photos, and waits no longer than allowed', async () => {
    const open = new Set<object>();
    let most = 0;
    const slow = await listen((_request, response) => {
      open.add(response);
      response.on('close', () => open.delete(response));
      // Those that were given up are closed by then.
      setTimeout(() => {
        most = Math.max(most, open.size);
      }, 50);
    });
    // Room for four photos, of which an account may hold two.
    const budget = { photoBudgetBytes: 40 * 1024 * 1024, photoWaitMs: 3_000, fetchTimeoutMs: 60_000 };
    const service = await openService(budget);
    const urls = ['a', 'b', 'c', 'd'].map((name) => `${slow.url}/${name}`);
    const many = Array.from({ length: 3 }, () => service.inspect({ urls }));
    await expect.poll(() => most).toBe(2);
    expect((await service.inspect({ as: service.otherKey })).status).toBe(201);
    // The addresses never answer: a request ends when one of its photos has waited too long, and cuts off its others.
    const refused = await Promise.all(many);
    expect(refused.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
      many.map(() => [503, '5']),
    );
    expect(refused[0]?.body.error.details).toEqual({ reason: 'photos' });
    expect(most).toBe(2);
    expect((await service.inspect()).status).toBe(201);
    expect((await service.app.inject('/metrics')).body).toContain('vehi_photos_taken_in 0');
    await slow.close();
  });

  it('that sends photos faster than there is memory for them waits for its turns', async () => {
    const service = await openService({ photoBudgetBytes: 20 * 1024 * 1024 });
    const posts = Array.from({ length: 5 }, () => service.inspect({ urls: good(12) }));
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(posts.map(() => 201));
  });
});
