import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openService, type TestService } from '../helpers/service.ts';

let service: TestService;

describe('pages of other origins', () => {
  const ask = (origin: string) => service.call('GET', '/v1/account', { headers: { origin } });
  const preflight = (origin: string) =>
    service.app.inject({
      method: 'OPTIONS',
      url: '/v1/account',
      headers: { origin, 'access-control-request-method': 'GET' },
    });
  const corsHeaders = (headers: object) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control'));

  it('are not let in by default', async () => {
    service = await openService();
    const answer = await ask('https://shop.example');
    expect([answer.status, corsHeaders(answer.headers)]).toEqual([200, []]);
    const before = await preflight('https://shop.example');
    expect([before.statusCode, corsHeaders(before.headers)]).toEqual([405, []]);
  });

  it('are let in where they are listed, those alone, and a preflight needs no key', async () => {
    service = await openService({ corsOrigins: ['https://shop.example'] });
    const answer = await ask('https://shop.example');
    expect(answer.headers['access-control-allow-origin']).toBe('https://shop.example');
    expect(answer.headers.vary).toContain('Origin');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const before = await preflight('https://shop.example');
    expect(before.statusCode).toBe(204);
    expect(before.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-headers': expect.stringContaining('Authorization'),
    });
    for (const origin of ['https://evil.example', 'https://shop.example.evil.example', 'null']) {
      expect(corsHeaders((await ask(origin)).headers)).toEqual([]);
      expect(corsHeaders((await preflight(origin)).headers)).toEqual([]);
    }
  });
});

describe('the client behind a proxy', () => {
  const lines: string[] = [];
  async function start(trustProxy: boolean | string) {
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    lines.length = 0;
    service = await openService({ trustProxy, anonymousPerMinute: 1 }, { parts: { logger } });
  }
  const guessFrom = async (forwarded: string) => {
    const headers = { 'x-forwarded-for': forwarded };
    return (await service.call('GET', '/v1/account', { as: 'dev_guess', headers })).status;
  };
  const clients = () => lines.map((line) => JSON.parse(line).client).filter((client) => client !== undefined);

  it.each([
    ['nobody is believed (default)', false],
    ['another address is believed', '10.0.0.1'],
  ])('is the peer where %s: X-Forwarded-For wins no new allowance', async (_name, trustProxy) => {
    await start(trustProxy);
    expect([await guessFrom('203.0.113.1'), await guessFrom('203.0.113.2')]).toEqual([401, 429]);
    expect(new Set(clients())).toEqual(new Set(['127.0.0.1']));
  });

  it.each([
    ['all are believed', true],
    ['the peer is believed', '127.0.0.1'],
  ])('is the forwarded one where %s, in limits and log', async (_name, trustProxy) => {
    await start(trustProxy);
    const forwarded = ['203.0.113.1', '203.0.113.2', '203.0.113.1'];
    const answers: number[] = [];
    for (const one of forwarded) answers.push(await guessFrom(one));
    expect([answers, clients()]).toEqual([[401, 401, 429], forwarded]);
  });
});
