import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPhotoFetcher } from '../../../src/server/net/fetch-photo.ts';
import { createGuardedAgent, type Lookup } from '../../../src/server/net/guarded-agent.ts';
import { isPublicAddress } from '../../../src/server/net/public-address.ts';
import { listen } from '../helpers/listen.ts';

interface Choices {
  readonly allowPrivate?: boolean;
  readonly allowHttp?: boolean;
  readonly timeoutMs?: number;
  readonly lookup?: Lookup;
  readonly own?: string;
}
const fetcherWith = ({ allowPrivate = false, allowHttp = true, timeoutMs = 2_000, lookup, own }: Choices) =>
  createPhotoFetcher({
    agent: createGuardedAgent({ allowPrivate, connectTimeoutMs: 1_000, lookup }),
    allowHttp,
    timeoutMs,
    userAgent: 'test',
    getOwnOrigin: () => own,
  });

it.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  ['127.0.0.1', false],
  ['10.0.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['::127.0.0.1', false],
  ['1fff::1', false],
  ['4000::1', false],
  ['168.63.129.16', false],
  ['::ffff:168.63.129.16', false],
  ['fd00:ec2::254', false],
  ['nonsense', false],
])('%s is a public address: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

describe('what anybody may name', () => {
  let reached = 0;
  let host: Awaited<ReturnType<typeof listen>>;
  let port: string;
  beforeAll(async () => {
    host = await listen((request, response) => {
      reached++;
      const url = request.url ?? '/';
      if (url.startsWith('/to/'))
        return response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end();
      if (url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
      if (url === '/claims')
        return response.writeHead(200, { 'content-length': String(20 * 1024 * 1024) }).write('x');
      if (url === '/slow') return void response.writeHead(200).write('x');
      if (url === '/cut') {
        response.writeHead(200, { 'content-length': '100' }).write('x');
        return void setTimeout(() => response.destroy(), 20);
      }
      if (url === '/endless') {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
          if (!response.destroyed) response.once('drain', more);
        };
        return more();
      }
      if (url === '/gzip')
        return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('photo'));
      if (url === '/500') return response.writeHead(500).end();
      response.end('photo');
    });
    port = new URL(host.url).port;
  });
  afterAll(() => host.close());

  it.each([
    'http://127.0.0.1:PORT/photo',
    'http://localhost:PORT/photo',
    'http://0x7f.1:PORT/photo',
    'http://[::ffff:127.0.0.1]:PORT/photo',
    'http://[::1]:PORT/photo',
    'http://0.0.0.0:PORT/photo',
  ])('%s is never reached', async (url) => {
    const before = reached;
    const got = await fetcherWith({}).fetch(url.replace('PORT', port));
    expect(got).toMatchObject({ code: 'IMAGE_FETCH_FAILED', reason: 'address_refused' });
    expect(reached).toBe(before);
  });

  it('a public name that resolves to a private address is refused, also when only the second answer does', async () => {
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1']]) {
      const lookup: Lookup = (_host, _options, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        );
      const got = await fetcherWith({ lookup }).fetch(`http://photos.example:${port}/photo`);
      expect(got).toMatchObject({ reason: 'address_refused' });
    }
  });

  it('a name that changes its answer is judged by the address that is connected to', async () => {
    let asked = 0;
    const lookup: Lookup = (_host, _options, done) =>
      done(null, [{ address: ++asked === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]);
    const fetcher = fetcherWith({ lookup, timeoutMs: 300 });
    const before = reached;
    await fetcher.fetch(`http://rebind.example:${port}/photo`);
    const second = await fetcher.fetch(`http://rebind.example:${port}/photo`);
    expect(second).toMatchObject({ reason: 'address_refused' });
    expect(reached).toBe(before);
  });

  it.each([
    ['another address', () => `http://127.0.0.2:${port}/photo`, 'address_refused'],
    ['a file', () => 'file:///etc/passwd', 'scheme'],
    ['FTP', () => 'ftp://example.com/x', 'scheme'],
    ['a password', () => `${host.url.replace('://', '://user:secret@')}/photo`, 'credentials'],
    ['no address', () => 'http://[', 'redirects'],
    ['itself', () => '/loop', 'redirects'],
  ])('a redirect to %s is refused', async (_name, to, reason) => {
    const got = await fetcherWith({ own: host.url }).fetch(`${host.url}/to/${encodeURIComponent(to())}`);
    expect(got).toMatchObject({ code: 'IMAGE_FETCH_FAILED', reason });
  });

  it('a redirect to a photo is followed', async () => {
    const got = await fetcherWith({ own: host.url }).fetch(`${host.url}/to/%2Fphoto`);
    expect(String(got)).toBe('photo');
  });

  it.each([
    ['/endless', 'IMAGE_TOO_LARGE', 'too_large'],
    ['/claims', 'IMAGE_TOO_LARGE', 'too_large'],
    ['/slow', 'IMAGE_FETCH_FAILED', 'timeout'],
    ['/cut', 'IMAGE_FETCH_FAILED', 'connection'],
    ['/500', 'IMAGE_FETCH_FAILED', 'http_500'],
    ['/gzip', 'IMAGE_FETCH_FAILED', 'content_encoding'],
  ])('%s → %s', async (path, code, reason) => {
    const got = await fetcherWith({ allowPrivate: true, timeoutMs: 1_500 }).fetch(`${host.url}${path}`);
    expect(got).toMatchObject({ code, reason });
  });

  it('http is refused unless it is allowed', async () => {
    const got = await fetcherWith({ allowPrivate: true, allowHttp: false }).fetch(`${host.url}/photo`);
    expect(got).toMatchObject({ reason: 'scheme' });
  });
});
