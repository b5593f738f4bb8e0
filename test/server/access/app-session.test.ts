import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import { runHousekeeping } from '../../../src/server/housekeeping.ts';
import { onCluster } from '../helpers/cluster-store.ts';
import { openService, startService } from '../helpers/service.ts';

const HOUR = 3_600_000;
const HOST = 'localhost:8080';
let laterMs = 0;
const clock = { ...createClock(), wallMs: () => Date.now() + laterMs };
const service = await startService({}, { parts: { clock } });
afterAll(() => service.close());

const ask = (method: NonNullable<InjectOptions['method']>, url: string, more: InjectOptions = {}) =>
  service.app.inject({
    method,
    url,
    ...more,
    headers: { host: HOST, origin: `http://${HOST}`, ...more.headers },
  });
const signIn = (key: string, headers: Record<string, string> = {}) =>
  ask('POST', '/app/session', { payload: { api_key: key }, headers });

/** What a browser has after signing in. */
async function session(key = service.key) {
  const answer = await signIn(key);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  return { answer, cookie };
}
const statusOf = async (cookie: string, url = '/v1/account') =>
  (await ask('GET', url, { headers: { cookie } })).statusCode;
const codeOf = (answer: { json(): { error: { code: string; details?: { reason?: string } } } }) => {
  const { code, details } = answer.json().error;
  return [code, details?.reason];
};

describe('a session', () => {
  it('begins with a key; the cookie is for this service alone and no script sees it', async () => {
    const { answer } = await session();
    expect(answer.statusCode).toBe(201);
    const shown = { name: 'Test', environment: 'sandbox', permissions: expect.any(Array) };
    expect(answer.json().data).toMatchObject(shown);
    expect(answer.headers['cache-control']).toBe('no-store');
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^vehi_\d+=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(answer.body).not.toContain(cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';')));
    const secure = await signIn(service.key, { host: 'vehi.example.com', origin: 'http://vehi.example.com' });
    expect([secure.statusCode, ...codeOf(secure)]).toEqual([403, 'INSUFFICIENT_PERMISSIONS', 'insecure']);
  });

  it('behind https the cookie is bound to the host', async () => {
    const { app, key: api_key } = await openService({ trustProxy: true });
    const [host, origin] = ['vehi.example.com', 'https://vehi.example.com'];
    const headers = { host, origin, 'x-forwarded-proto': 'https' };
    const answer = await app.inject({ method: 'POST', url: '/app/session', payload: { api_key }, headers });
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-vehi=\S+; .*Secure; SameSite=Strict$/);
  });

  it('reads by the cookie, and changes only from our own page', async () => {
    const { cookie } = await session();
    for (const url of ['/v1/account', '/v1/account?api_key=']) expect(await statusOf(cookie, url)).toBe(200);
    expect((await ask('GET', '/app/session', { headers: { cookie } })).json().data.name).toBe('Test');
    const nobody = await ask('GET', '/app/session');
    expect([nobody.statusCode, nobody.json().data]).toEqual([200, null]);
    const make = (headers: Record<string, string>) => ask('POST', '/v1/keys', { payload: {}, headers });
    expect((await make({ cookie })).statusCode).toBe(201);
    expect((await make({ cookie, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(201);
    const before = (await service.store.keys.list()).length;
    for (const headers of [
      ...['', 'null', 'http://evil.example'].map((origin) => ({ origin })),
      ...['cross-site', 'same-site', 'none'].map((site) => ({ 'sec-fetch-site': site })),
    ])
      expect(codeOf(await make({ cookie, ...headers }))).toEqual(['INSUFFICIENT_PERMISSIONS', 'origin']);
    expect((await service.store.keys.list()).length).toBe(before);
    expect((await make({ cookie: 'vehi_1=guess' })).statusCode).toBe(401);
  });

  it('of the sandbox is none in production on the same store', async () => {
    const { store, key } = service;
    const production = await openService({ environment: 'production', sandbox: false }, { store });
    const { cookie } = await session(key);
    const read = production.app.inject({ url: '/v1/account', headers: { host: HOST, cookie } });
    expect((await read).statusCode).toBe(401);
  });

  it('keeps the rights of its key', async () => {
    const { text } = await service.makeKey({ permissions: ['inspections:read'] });
    const { cookie } = await session(text);
    const answer = await ask('GET', '/v1/keys', { headers: { cookie } });
    expect([answer.statusCode, ...codeOf(answer)]).toEqual([403, 'INSUFFICIENT_PERMISSIONS', 'permission']);
  });

  it('does not begin with a key that does not work, from another page, or as a form', async () => {
    expect((await signIn('dev_unknown')).statusCode).toBe(401);
    expect((await signIn('prod_unknown')).statusCode).toBe(401);
    expect(codeOf(await signIn(service.key, { origin: 'http://evil.example' }))).toEqual([
      'INSUFFICIENT_PERMISSIONS',
      'origin',
    ]);
    const form = await ask('POST', '/app/session', {
      payload: `api_key=${service.key}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.statusCode).toBe(415);
  });

  it('ends by signing out, with its key, with its account', async () => {
    const one = await session();
    const out = await ask('DELETE', '/app/session', { headers: { cookie: one.cookie } });
    expect([out.statusCode, String(out.headers['set-cookie'])]).toEqual([
      204,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect(await statusOf(one.cookie)).toBe(401);
    const { text, id } = await service.makeKey();
    const two = await session(text);
    await service.store.keys.revoke(id, new Date().toISOString());
    expect(await statusOf(two.cookie)).toBe(401);
    const three = await session();
    await service.store.accounts.update(service.account.id, { status: 'suspended' });
    expect([await statusOf(three.cookie), (await signIn(service.key)).statusCode]).toEqual([403, 403]);
    const signOut = await ask('DELETE', '/app/session', { headers: { cookie: three.cookie } });
    await service.store.accounts.update(service.account.id, { status: 'active' });
    expect([signOut.statusCode, await statusOf(three.cookie)]).toEqual([204, 401]);
  });

  it('reads on while its use cannot be stored', async () => {
    const { cookie } = await session();
    const { sessions } = service.store;
    const { touch } = sessions;
    sessions.touch = () => Promise.reject(new Error('database or disk is full'));
    laterMs = HOUR;
    expect(await statusOf(cookie)).toBe(200);
    laterMs = 0;
    sessions.touch = touch;
  });

  it.skipIf(onCluster)('ends after two idle hours, and after twelve', async () => {
    const statusAt = async (hours: number, cookie: string) => {
      laterMs = hours * HOUR;
      return statusOf(cookie).finally(() => {
        laterMs = 0;
      });
    };
    const { cookie } = await session();
    expect(await statusAt(1.9, cookie)).toBe(200);
    expect(await statusAt(3.8, cookie)).toBe(200);
    expect(await statusAt(5.9, cookie)).toBe(401);
    const busy = await session();
    for (let hour = 1; hour < 12; hour++) expect(await statusAt(hour, busy.cookie)).toBe(200);
    expect(await statusAt(12.001, busy.cookie)).toBe(401);
    const { store } = service;
    const settings = { keepViewsDays: 7, webhookRetrySeconds: [5] };
    const later = { wallMs: () => Date.now() + 12.001 * HOUR };
    await runHousekeeping({ store, settings, clock: later, self: { id: 'another' } } as never);
    expect(await statusOf(busy.cookie)).toBe(401);
  });
});

const isBuilt = existsSync(resolve(import.meta.dirname, '../../../dist/app/index.html'));
it.skipIf(!isBuilt)(
  '/app serves the page under its policy (skipped where npm run build was not run)',
  async () => {
    const page = await ask('GET', '/app/');
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    const [script = ''] = /assets\/[\w.-]+\.js/.exec(page.body) ?? [];
    const file = await ask('GET', `/app/${script}`);
    expect([file.statusCode, file.headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    const redirect = await ask('GET', '/app');
    expect([redirect.statusCode, redirect.headers.location]).toEqual([301, 'app/']);
    for (const path of ['/app/../package.json', '/app/%2e%2e/package.json', '/app/assets/', '/app/nothing'])
      expect((await ask('GET', path)).statusCode).toBe(404);
  },
);
