import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS } from '../../../src/contract/errors.ts';
import { codeOf, openService, refusalOf, startService, VISUAL } from '../helpers/service.ts';
import { listenOn, openSocket } from '../helpers/sockets.ts';

const service = await startService({ requestTimeoutMs: 1_500, headersTimeoutMs: 1_000 });
afterAll(() => service.close());

/** The header of errors that ask for a key. */
const CHALLENGES: Partial<Record<string, string>> = {
  MISSING_API_KEY: 'Bearer',
  INVALID_API_KEY: 'Bearer error="invalid_token"',
};

describe('envelope', () => {
  it.each([
    ['GET', '/v1/nothing', 404, 'NOT_FOUND', undefined],
    ['PUT', VISUAL, 405, 'METHOD_NOT_ALLOWED', 'GET, HEAD, POST'],
    ['DELETE', '/v1/auth/test', 405, 'METHOD_NOT_ALLOWED', 'GET, HEAD'],
    ['POST', `${VISUAL}/vis_1/report`, 405, 'METHOD_NOT_ALLOWED', 'GET, HEAD'],
    ['POST', '/v1/account', 405, 'METHOD_NOT_ALLOWED', 'GET, HEAD', '{'],
    ['POST', '/v1/nothing', 404, 'NOT_FOUND', undefined, '{'],
    ['GET', `${VISUAL}/%zz`, 400, 'INVALID_REQUEST', undefined],
    ['GET', `${VISUAL}/${'x'.repeat(300)}`, 404, 'NOT_FOUND', undefined],
  ] as const)('%s %s → %s', async (...[method, url, status, code, allow, payload]) => {
    const headers = payload ? { 'content-type': 'application/json' } : {};
    const answer = await service.call(method, url, { headers, ...(payload && { payload }) });
    expect([...codeOf(answer), answer.headers.allow]).toEqual([status, code, allow]);
    expect(answer.body).toMatchObject({ status: 'error', error: { type: ERRORS[code].type } });
    expect(answer.headers['x-request-id']).toBe(answer.body.meta.request_id);
    expect(answer.body.meta.request_id).toMatch(/^req_/);
  });

  it.each(ERROR_CODES.map((code) => [code]))('X-Vehi-Simulate: %s shows that error', async (code) => {
    const headers = { authorization: `Bearer ${service.key}`, 'x-vehi-simulate': code };
    const answer = await service.app.inject({ method: 'POST', url: VISUAL, headers });
    const { status, type } = ERRORS[code];
    const { error } = answer.json();
    expect([answer.statusCode, error]).toMatchObject([status, { code, type }]);
    expect(error.details?.image_index).toBe(error.field === 'images[0].url' ? 0 : undefined);
    expect(answer.headers['www-authenticate']).toBe(CHALLENGES[code]);
  });

  it('X-Vehi-Simulate: a word it does not know is refused, listing those it does', async () => {
    const headers = { 'x-vehi-simulate': 'nonsense' };
    const answer = await service.call('GET', '/v1/account', { headers });
    expect(refusalOf(answer)).toEqual([400, 'INVALID_REQUEST', 'X-Vehi-Simulate']);
    expect(answer.body.error.message).toContain('slow:2s');
    const keyless = await service.call('GET', '/v1/account', { as: null, headers });
    expect(keyless.body.error.code).toBe('MISSING_API_KEY');
  });

  it('X-Vehi-Simulate: processing stays so, across reads', async () => {
    const { status, body } = await service.inspect({
      headers: { 'x-vehi-simulate': 'slow:1ms, processing' },
    });
    expect([status, body.data.status]).toEqual([202, 'processing']);
    expect((await service.read(`${VISUAL}/${body.data.inspection_id}`)).status).toBe('processing');
  });
});

/** Bodies that are hostile, or of another type. */
const json = { 'content-type': 'application/json' };
const FORM = 'multipart/form-data';
const begun = '--x\r\nContent-Disposition: form-data; name="request"\r\n\r\n{';
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
it.each([
  ['empty', '', json, 'INVALID_JSON'],
  ['no JSON', '{"a":', json, 'INVALID_JSON'],
  ['invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), json, 'INVALID_JSON'],
  ['100,000 levels', nested(100_000), json, 'INVALID_JSON'],
  ['__proto__', '{"__proto__":{"admin":true},"vehicle_id":"v"}', json, 'INVALID_JSON'],
  ['escaped __proto__', '{"\\u005f_proto__":{"admin":true}}', json, 'INVALID_JSON'],
  ['constructor', '{"constructor":{"prototype":{}}}', json, 'INVALID_JSON'],
  ['a key twice', '{"vehicle_id":"v","vehicle_id":"w"}', json, 'INVALID_JSON'],
  ['null', 'null', json, 'INVALID_REQUEST'],
  ['500,000 images', `{"vehicle_id":"v","images":[${'1,'.repeat(499_999)}1]}`, json, 'TOO_MANY_IMAGES'],
  ['half a surrogate pair', '{"vehicle_id":"a\\ud800b","images":[]}', json, 'INVALID_REQUEST'],
  ['over 1 MiB', `{"vehicle_id":"${'v'.repeat(1024 * 1024)}"}`, json, 'PAYLOAD_TOO_LARGE'],
  ['text', 'hello', { 'content-type': 'text/plain' }, 'UNSUPPORTED_MEDIA_TYPE'],
  ['gzip', '{}', { ...json, 'content-encoding': 'gzip' }, 'UNSUPPORTED_MEDIA_TYPE'],
  ['multipart without boundary', 'x', { 'content-type': FORM }, 'UNSUPPORTED_MEDIA_TYPE'],
  ['multipart cut off', begun, { 'content-type': `${FORM}; boundary=x` }, 'INVALID_REQUEST'],
] as const)('a body of %s', async (_name, payload, headers, code) => {
  const answer = await service.call('POST', VISUAL, { payload, headers });
  expect([...codeOf(answer), answer.body.status]).toEqual([ERRORS[code].status, code, 'error']);
  if (code === 'PAYLOAD_TOO_LARGE') expect(answer.body.error.message).toContain('larger than 1024 KiB');
  expect((await service.call('GET', '/v1/auth/test')).status).toBe(200);
});

describe('over a socket', () => {
  let port: number;
  beforeAll(async () => {
    port = await listenOn(service);
  });

  it.each([
    ['NONSENSE\r\n\r\n', /^HTTP\/1\.1 400 Bad Request[\s\S]*method of the request is not known/],
    ['CONNECT x:80 HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 Bad Request[\s\S]*method of the request is not known/],
    ['GET / HTTP/9.9\r\n\r\n', /^HTTP\/1\.1 400 Bad Request[\s\S]*not a valid HTTP request/],
    [
      'QUERY /v1/account HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 405 Method[\s\S]*METHOD_NOT_ALLOWED/,
    ],
    [
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`,
      /^HTTP\/1\.1 431 Request Header[\s\S]*HEADERS_TOO_LARGE[\s\S]*than 16 KiB/,
    ],
  ])('answers what is no HTTP, or too long, in the envelope and closes', async (text, answer) => {
    expect(await openSocket(port, text).closed).toMatch(answer);
  });

  it.each([
    ['a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'a'],
    [
      'a body',
      `POST ${VISUAL} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      ' ',
    ],
  ])(
    'drops a client that sends %s a byte at a time',
    async (_name, start, drip) => {
      const { socket, closed } = openSocket(port, start.replace('KEY', service.key));
      const timer = setInterval(() => socket.writable && socket.write(drip), 200);
      expect(await closed).toMatch(/^HTTP\/1\.1 408[\s\S]*REQUEST_TIMEOUT/);
      clearInterval(timer);
    },
    15_000,
  );

  it('a refused upload whose rest is still to come leaves its connection usable', async () => {
    const body = `--xyz\r\nContent-Disposition: form-data; name="request"\r\n\r\n{\r\n--xyz\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n${'x'.repeat(1_000_000)}\r\n--xyz--\r\n`;
    const head = `POST ${VISUAL} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: multipart/form-data; boundary=xyz\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { socket, answer } = openSocket(port, head + body.slice(0, 300_000));
    setTimeout(() => socket.write(body.slice(300_000)), 100);
    await expect.poll(answer).toContain('INVALID_JSON');
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(answer).toContain('{"status":"ok"}');
    socket.destroy();
  });

  it('links name the address it listens on', async () => {
    const { body } = await service.inspect();
    expect(body.data.reports.json_url).toMatch(`http://127.0.0.1:${port}/v1/`);
    const pdf = await fetch(body.data.reports.pdf_url);
    expect([pdf.status, await pdf.text()]).toEqual([200, '%PDF-inspection']);
  });

  it.each(['::', '0.0.0.0'])('listening at %s, it names an address that opens', async (wide) => {
    const { app } = await openService();
    await app.listen({ host: wide, port: 0 });
    expect(app.getAddress()).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await fetch(`${app.getAddress()}/healthz`)).status).toBe(200);
  });

  it('serves metrics, and leads from its root to the page', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    for (const name of ['http_request_duration_seconds', 'queue_waiting', 'errors_total', 'database_up 1'])
      expect(metrics).toContain(`vehi_${name}`);
    const root = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, 'app/']);
  });
});
