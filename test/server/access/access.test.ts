import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import { openDirectoryStore, openTemporaryStore } from '../../../src/storage/sqlite/store.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { onCluster } from '../helpers/cluster-store.ts';
import { good, photoUrl, visualRequest } from '../helpers/photo-host.ts';
import { ASSESSMENT, codeOf, openService, type TestService, VISUAL } from '../helpers/service.ts';

const headers = (authorization: string) => ({ as: null, headers: { authorization } });
const PRODUCTION = { environment: 'production', sandbox: false } as const;
const statusOf = async (service: TestService, as = service.key) =>
  (await service.call('GET', '/v1/account', { as })).status;

describe('keys', () => {
  it('auth test returns account, plan and permissions, with status and data only', async () => {
    const service = await openService();
    const { status, body } = await service.call('GET', '/v1/auth/test');
    expect([status, Object.keys(body).sort()]).toEqual([200, ['data', 'status']]);
    expect(body.data).toMatchObject({
      authenticated: true,
      account_id: service.account.id,
      plan: 'professional',
      environment: 'sandbox',
    });
    expect(body.data.permissions).toEqual(expect.arrayContaining(['inspections:read', 'inspections:write']));
  });

  it('account returns plan, limits and usage', async () => {
    const service = await openService({}, { account: { plan: 'free' } });
    const { body } = await service.call('GET', '/v1/account');
    expect(body.data).toMatchObject({
      plan: 'free',
      status: 'active',
      limits: { requests_per_hour: 1000, concurrent_requests: 5 },
    });
    expect(body.data.usage.requests_this_hour).toBe(1);
  });

  it('refuses what is no valid key with 401, WWW-Authenticate and the code', async () => {
    const service = await openService();
    const revoked = await service.makeKey();
    await service.store.keys.revoke(revoked.id, new Date().toISOString());
    const expired = await service.makeKey({ expiresAt: new Date(Date.now() - 1000).toISOString() });
    const rows: [name: string, authorization: string | null, code: string][] = [
      ['none', null, 'MISSING_API_KEY'],
      ['bearer without key', 'Bearer ', 'MISSING_API_KEY'],
      ['no bearer', service.key, 'INVALID_API_KEY'],
      ['basic', 'Basic abc', 'INVALID_API_KEY'],
      ['unknown', 'Bearer dev_unknown', 'INVALID_API_KEY'],
      ['other environment', 'Bearer prod_abcdef', 'INVALID_API_KEY'],
      ['revoked', `Bearer ${revoked.text}`, 'INVALID_API_KEY'],
      ['expired', `Bearer ${expired.text}`, 'INVALID_API_KEY'],
    ];
    for (const [name, authorization, code] of rows) {
      const more = authorization === null ? { as: null } : headers(authorization);
      const answer = await service.call('GET', '/v1/auth/test', more);
      expect([name, ...codeOf(answer)]).toEqual([name, 401, code]);
      expect(answer.body.error.type).toBe('authentication_error');
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
      expect(answer.headers['ratelimit-policy']).toMatch(/^"address";q=\d+;w=60$/);
    }
  });

  it('refuses a key in use at the next request after another process revoked it or suspended its account', async () => {
    const data = makeOwnFolder('access');
    const service = await openService({}, { store: openDirectoryStore(data) });
    const elsewhere = openDirectoryStore(data);
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const status = async (key: string) =>
      (await fetch(`${address}/v1/auth/test`, { headers: { authorization: `Bearer ${key}` } })).status;
    const { text, id } = await service.makeKey();
    for (let i = 0; i < 20; i++)
      expect([await status(text), await status(service.otherKey)]).toEqual([200, 200]);
    await elsewhere.keys.revoke(id, new Date().toISOString());
    // What another process wrote is heard of in the next millisecond; `vehi admin keys` itself takes longer to end.
    await sleep(2);
    expect([await status(text), await status(service.otherKey)]).toEqual([401, 200]);
    for (const account of await elsewhere.accounts.list())
      await elsewhere.accounts.update(account.id, { status: 'suspended' });
    await sleep(2);
    expect([await status(service.key), await status(service.otherKey)]).toEqual([403, 403]);
    await elsewhere.close();
  });

  it('takes a dev key in the query, the scheme in any case, and keeps the last use', async () => {
    const service = await openService();
    const inQuery = await service.call('GET', `/v1/auth/test?api_key=${service.key}`, { as: null });
    expect([inQuery.status, inQuery.headers['cache-control']]).toEqual([200, 'no-store']);
    expect((await service.call('GET', '/v1/auth/test', headers(`bearer ${service.key}`))).status).toBe(200);
    const isKept = async () => (await service.store.keys.list()).some((key) => key.lastUsedAt !== null);
    await expect.poll(isKept).toBe(true);
    const twice = await service.call('GET', '/v1/auth/test?api_key=a&api_key=b', { as: null });
    expect(codeOf(twice)).toEqual([401, 'INVALID_API_KEY']);
  });

  it('production takes prod keys, never in the query, and knows no simulation', async () => {
    const service = await openService(PRODUCTION);
    expect(service.key).toMatch(/^prod_/);
    const simulating = { headers: { 'x-vehi-simulate': 'INTERNAL_ERROR' } };
    expect((await service.call('GET', '/v1/auth/test', simulating)).status).toBe(200);
    const query = await service.call('GET', `/v1/auth/test?api_key=${service.key}`, { as: null });
    expect(codeOf(query)).toEqual([401, 'INVALID_API_KEY']);
    expect(query.body.error.message).toMatch(/query/);
    const dev = await service.call('GET', '/v1/auth/test', headers('Bearer dev_x'));
    expect(codeOf(dev)).toEqual([401, 'INVALID_API_KEY']);
    expect((await service.call('GET', '/demo/photos/front.jpg', { as: null })).status).toBe(404);
  });

  it('a sandbox serves the photos of its folder and nothing else of it', async () => {
    const folder = makeOwnFolder('demo');
    for (const name of ['front.jpg', 'invoice.pdf', '_draft.jpg']) writeFileSync(join(folder, name), 'bytes');
    const service = await openService({ demoPhotos: folder });
    const get = async (name: string) =>
      (await service.call('GET', `/demo/photos/${name}`, { as: null })).status;
    const statuses = await Promise.all(['front.jpg', 'rear.jpg', 'invoice.pdf', '_draft.jpg'].map(get));
    expect(statuses).toEqual([200, 404, 404, 404]);
  });

  it('refuses with 403 and the reason: permission, suspension, plan', async () => {
    const service = await openService(PRODUCTION);
    const reader = (await service.makeKey({ permissions: ['inspections:read'] })).text;
    const refused = async (as = service.key) => {
      const answer = await service.call('POST', ASSESSMENT, { json: {}, as });
      const { type, details } = answer.body.error;
      return [...codeOf(answer), type, details?.reason];
    };
    const forbidden = [403, 'INSUFFICIENT_PERMISSIONS', 'authorization_error'];
    expect(await refused(reader)).toEqual([...forbidden, 'permission']);
    const writer = (await service.makeKey({ permissions: ['inspections:write'] })).text;
    for (const url of [VISUAL, '/v1/webhooks'])
      expect((await service.call('GET', url, { as: writer })).status).toBe(403);
    await service.store.accounts.update(service.account.id, { status: 'suspended' });
    expect(await refused()).toEqual([...forbidden, 'suspended']);
    await service.store.accounts.update(service.account.id, { status: 'active', plan: 'free' });
    expect(await refused()).toEqual([...forbidden, 'plan']);
  });
});

describe('limits', () => {
  it('allows the plan per hour over all keys of an account, says so on every answer, and recovers with the hour', async () => {
    let wallMs = Date.parse('2026-01-01T10:59:00Z');
    const clock = { ...createClock(), wallMs: () => wallMs };
    const service = await openService({}, { account: { requestsPerHour: 3 }, parts: { clock } });
    const second = (await service.makeKey()).text;
    const first = await service.call('GET', '/v1/account');
    expect(first.headers['ratelimit-policy']).toBe('"hour";q=3;w=3600');
    expect(first.headers.ratelimit).toBe('"hour";r=2;t=60');
    await service.call('GET', '/v1/account', { as: second });
    const third = await service.call('GET', `${VISUAL}/nope`);
    expect(third.headers.ratelimit).toBe('"hour";r=0;t=60');
    const over = await service.call('GET', '/v1/account', { as: second });
    expect(codeOf(over)).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(over.body.error.message).toMatch(/^This account may make 3 requests per hour/);
    expect(over.headers['retry-after']).toBe('60');
    expect(over.headers.ratelimit).toBe('"hour";r=0;t=60');
    expect(await statusOf(service, service.otherKey)).toBe(200);
    wallMs += 61_000;
    expect(await statusOf(service)).toBe(200);
  });

  it('counts sandbox and production apart', async () => {
    const store = openTemporaryStore();
    const service = await openService({}, { store, account: { requestsPerHour: 3 } });
    await service.call('GET', '/v1/account');
    const production = await openService(PRODUCTION, { store });
    expect((await production.call('GET', '/v1/account')).headers.ratelimit).toMatch(/r=2/);
  });

  it('an enterprise account has no limit but the header', async () => {
    const service = await openService({}, { account: { plan: 'enterprise' } });
    const { 'ratelimit-policy': policy } = (await service.call('GET', '/v1/account')).headers;
    expect(policy).toBe('"hour";q=999999999999999;w=3600');
  });

  it.skipIf(onCluster)('refuses more requests at the same time than the plan has', async () => {
    const service = await openService({}, { account: { concurrentRequests: 2 } });
    const release = service.backend.fake.holdUp();
    const two = [1, 2].map(() => service.inspect());
    await expect.poll(() => service.backend.fake.seen.length).toBeGreaterThan(0);
    const third = await service.call('GET', '/v1/account');
    expect(codeOf(third)).toEqual([429, 'CONCURRENCY_LIMIT_EXCEEDED']);
    expect(third.headers['retry-after']).toBe('1');
    // What is refused so costs nothing of the hour.
    expect(third.headers.ratelimit).toMatch(/r=99998/);
    release();
    expect((await Promise.all(two)).map((one) => one.status)).toEqual([201, 201]);
    const after = await service.call('GET', '/v1/account');
    expect([after.status, after.headers.ratelimit]).toEqual([200, expect.stringMatching(/r=99997/)]);
  });

  it.skipIf(onCluster)('gives back the place of a client that went away before its answer', async () => {
    const service = await openService({}, { account: { concurrentRequests: 1 } });
    const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const release = service.backend.fake.holdUp();
    const away = new AbortController();
    const posted = fetch(`${address}${VISUAL}`, {
      method: 'POST',
      headers: { ...headers(`Bearer ${service.key}`).headers, 'content-type': 'application/json' },
      body: JSON.stringify(visualRequest(good())),
      signal: away.signal,
    });
    const gone = expect(posted).rejects.toThrow();
    await expect.poll(() => service.backend.fake.seen.length).toBe(1);
    expect(await statusOf(service)).toBe(429);
    away.abort();
    await gone;
    release();
    await expect.poll(() => statusOf(service)).toBe(200);
  });
});

it('no secret reaches the log', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const service = await openService({}, { parts: { logger } });
  await service.call('GET', `/v1/auth/test?api_key=${service.key}`, { as: null });
  const urls = [...good(3), photoUrl('1920x1080?token=PHOTO_SECRET')];
  await service.inspect({ urls: [...urls.slice(1), photoUrl('missing?token=PHOTO_SECRET')] });
  service.backend.fake.failWith = new Error('inside');
  await service.inspect({ urls });
  const log = lines.join('');
  expect(log).toContain('"route":"/v1/auth/test"');
  expect(log).toContain('inside');
  for (const secret of [service.key, service.key.slice(4), 'PHOTO_SECRET']) expect(log).not.toContain(secret);
});
