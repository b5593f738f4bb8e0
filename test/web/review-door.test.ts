import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { useReviewBrowser, waitUntilOpen, waitUntilSaved } from '../helpers/browser/review-browser.ts';

const car = useReviewBrowser();

/** A plain request to the command, past the browser. */
function ask(
  link: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((done, fail) => {
    const { hostname, port } = new URL(link);
    const sent = request(
      { hostname, port, path, method: options.method ?? 'GET', headers: options.headers ?? {} },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          body += piece;
        });
        answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
      },
    );
    sent.on('error', fail);
    sent.end(options.body);
  });
}
const JSON_BODY = { 'Content-Type': 'application/json' };
const tokenOf = (link: string) => new URL(link).hash.slice('#t='.length);
const exchange = (link: string, more: Record<string, string> = {}) =>
  ask(link, '/api/session', {
    method: 'POST',
    headers: { ...JSON_BODY, ...more },
    body: JSON.stringify({ token: tokenOf(link) }),
  });

describe('who may come in', () => {
  test('a token works once; without the session, from elsewhere or by odd paths there is nothing', async () => {
    const { link, shown } = await car.review();
    const foreign = { Host: 'evil.example' };
    expect((await exchange(link, foreign)).status).toBe(421);
    expect((await exchange(link, { Origin: 'http://evil.example' })).status).toBe(403);
    const session = await exchange(link);
    expect(session.status).toBe(200);
    const { secret, pictures } = JSON.parse(session.body) as { secret: string; pictures: string };
    expect((await exchange(link)).status).toBe(403);
    await shown(/a link that was used before was opened/);
    const statuses = await Promise.all(
      [
        '/api/review',
        `/p/${secret}/0/320.jpg`,
        `/p/${pictures}/0/321.jpg`,
        `/p/${pictures}/99/320.jpg`,
        `/x/${pictures}/../../etc/passwd`,
        '/../package.json',
        '/%2e%2e/%2e%2e/package.json',
        '/assets/..%2f..%2f..%2fpackage.json',
        '/assets/',
        '/index.html~',
      ].map(async (path) => (await ask(link, path)).status),
    );
    expect(statuses).toEqual([401, 404, 404, 404, 404, 404, 404, 404, 404, 404]);
    const known = { 'X-Vehi-Session': secret };
    expect((await ask(link, '/api/review', { headers: known })).status).toBe(200);
    expect((await ask(link, '/api/review', { headers: { ...known, Host: 'localhost:1' } })).status).toBe(200);
    const put = { method: 'PUT', headers: { ...known, 'Content-Type': 'text/plain' }, body: '{}' };
    expect((await ask(link, '/api/review', put)).status).toBe(422);
    const huge = { method: 'PUT', headers: { ...known, ...JSON_BODY }, body: 'x'.repeat(1_100_000) };
    expect(
      await ask(link, '/api/review', huge).then(
        ({ status }) => status,
        () => 422,
      ),
    ).toBe(422);
  });

  test('a fresh link ends the session before; every answer carries the policy', async () => {
    const one = await car.review();
    const first = JSON.parse((await exchange(one.link)).body) as { secret: string };
    one.child.stdin?.write('\n');
    const [, second = ''] = await one.shown(/Review at [\s\S]*Review at (\S+)/);
    expect((await exchange(second)).status).toBe(200);
    const streamed = await ask(second, '/api/events');
    expect(streamed.status).toBe(401);
    const late = await ask(one.link, '/api/review', { headers: { 'X-Vehi-Session': first.secret } });
    expect(late.status).toBe(401);
    expect(late.headers['content-security-policy']).toContain("default-src 'none'");
    expect(late.headers['cache-control']).toBe('no-store');
    expect(late.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe.skipIf(!hasChromium)('the door in Chromium', () => {
  test('through a forwarder on another port everything works', async () => {
    const { link } = await car.review();
    const { port } = new URL(link);
    const forwarder = createServer((client) => {
      const upstream = connect(Number(port), '127.0.0.1');
      client.pipe(upstream).pipe(client);
      client.on('error', () => upstream.destroy());
      upstream.on('error', () => client.destroy());
    });
    await new Promise<void>((done) => forwarder.listen(0, '127.0.0.1', done));
    const { port: other } = forwarder.address() as { port: number };
    const { page, faults } = await car.open(link.replace(`:${port}/`, `:${other}/`));
    await waitUntilOpen(page);
    await page.keyboard.press('a');
    await waitUntilSaved(page);
    expect(faults).toEqual([]);
    forwarder.close();
  });
});
