import { describe, expect, test } from 'vitest';
import { useReviewBrowser } from '../helpers/browser/review-browser.ts';
import { startCommand } from '../helpers/browser/review-page.ts';
import { ask } from './ask.ts';

const car = useReviewBrowser();

const JSON_BODY = { 'Content-Type': 'application/json' };
const tokenOf = (link: string) => new URL(link).hash.slice('#t='.length);
const exchange = (link: string, more: Record<string, string> = {}) =>
  ask(link, '/app/session', {
    method: 'POST',
    headers: { ...JSON_BODY, ...more },
    body: JSON.stringify({ token: tokenOf(link) }),
  });
/** Path and query of the first thumbnail in the answer to a review. */
const thumbnailOf = ({ body }: { body: string }) => {
  const { photos } = (JSON.parse(body) as { data: { photos: { thumbnail_url: string }[] } }).data;
  const { pathname, search } = new URL(photos[0]?.thumbnail_url ?? '');
  return pathname + search;
};
const sessionOf = ({ body }: { body: string }) =>
  (JSON.parse(body) as { data: { secret: string; inspection_id: string } }).data;

describe('who may come in', () => {
  test('a token works once; without the session, from elsewhere or by odd paths there is nothing', async () => {
    const { link, shown } = await car.review();
    expect(await shown(/ssh -L (\d+):127\.0\.0\.1:\1 \S/)).toMatchObject({ 1: new URL(link).port });
    const foreign = { Host: 'evil.example' };
    expect((await exchange(link, foreign)).status).toBe(421);
    expect((await exchange(link, { Origin: 'http://evil.example' })).status).toBe(403);
    const session = await exchange(link);
    expect(session.status).toBe(200);
    const { secret, inspection_id: id } = sessionOf(session);
    expect((await exchange(link)).status).toBe(403);
    await shown(/a link that was used before was opened/);
    const visual = `/v1/inspections/visual/${id}`;
    const statuses = await Promise.all(
      [
        `${visual}/review`,
        `/files/${id}/thumbnail-0.jpg?expires=9999999999&signature=${secret}`,
        `/files/${id}/..%2f..%2fetc%2fpasswd`,
        '/../package.json',
        '/%2e%2e/%2e%2e/package.json',
        '/app/assets/..%2f..%2f..%2fpackage.json',
        '/app/assets/',
        '/app/index.html~',
      ].map(async (path) => (await ask(link, path)).status),
    );
    expect(statuses).toEqual([401, 404, 404, 404, 404, 404, 404, 404]);
    const known = { 'X-Vehi-Session': secret };
    const review = await ask(link, `${visual}/review`, { headers: known });
    expect(review.status).toBe(200);
    const elsewhere = { ...known, Host: 'localhost:1' };
    expect((await ask(link, `${visual}/review`, { headers: elsewhere })).status).toBe(200);
    const put = { method: 'PUT', headers: { ...known, 'Content-Type': 'text/plain' }, body: '{}' };
    expect((await ask(link, `${visual}/review`, put)).status).toBe(415);
    const huge = { method: 'PUT', headers: { ...known, ...JSON_BODY }, body: 'x'.repeat(1_100_000) };
    const refused = await ask(link, `${visual}/review`, huge).catch(() => ({ status: 413 }));
    expect(refused.status).toBe(413);
    const thumbnail = thumbnailOf(review);
    expect((await ask(link, thumbnail)).status).toBe(200);
    // The signature is that of one file.
    expect((await ask(link, thumbnail.replace('thumbnail', 'view'))).status).toBe(404);
  });

  test('a session reads one inspection only, and ends with a fresh link; every answer carries the policy', async () => {
    const one = await car.review();
    const first = sessionOf(await exchange(one.link));
    const visual = `/v1/inspections/visual/${first.inspection_id}`;
    const other = visual.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const headers = { 'X-Vehi-Session': first.secret };
    for (const [method, path, status] of [
      ['GET', visual, 200],
      ['GET', other, 403],
      ['GET', `${other}/review`, 403],
      ['GET', '/v1/inspections/visual', 404],
      ['GET', '/v1/inspections', 404],
      ['GET', '/v1/keys', 404],
      ['POST', '/v1/inspections/visual', 404],
      ['DELETE', visual, 405],
    ] as const) {
      const answer = await ask(one.link, path, { method, headers });
      expect([method, path, answer.status]).toEqual([method, path, status]);
    }
    expect((await ask(one.link, visual)).status).toBe(401);
    const before = await ask(one.link, `${visual}/review`, { headers });
    one.child.stdin?.write('\n');
    const [, second = ''] = await one.shown(/Review at [\s\S]*Review at (\S+)/);
    expect((await exchange(second)).status).toBe(200);
    expect((await ask(second, thumbnailOf(before))).status).toBe(404);
    const late = await ask(one.link, `${visual}/review`, { headers });
    expect(late.status).toBe(401);
    expect(late.headers['content-security-policy']).toContain("default-src 'none'");
    expect(late.headers['cache-control']).toBe('no-store');
    expect(late.headers['access-control-allow-origin']).toBeUndefined();
    const page = await ask(one.link, '/app/');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toBe(late.headers['content-security-policy']);
  });

  test('--no-open prints the link without a terminal', async () => {
    const words = ['review', 'result.json', '--no-open'];
    const one = car.watch(await startCommand(car.dir, { terminal: false }, ...words));
    expect((await exchange(one.link)).status).toBe(200);
    expect(one.stderr()).not.toContain('Enter');
  });
});
