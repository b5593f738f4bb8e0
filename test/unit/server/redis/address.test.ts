import { expect, it } from 'vitest';
import { parseRedisUrl } from '../../../../src/server/redis/address.ts';

const sentinels = [
  { host: 's1', port: 26379 },
  { host: '::1', port: 7 },
];

it.each([
  ['redis://cache', { host: 'cache', port: 6379, db: 0 }, 'redis://cache/0'],
  [
    'redis://me:a%20b@cache:7000/3',
    { host: 'cache', port: 7000, db: 3, username: 'me', password: 'a b' },
    'redis://cache:7000/3',
  ],
  ['rediss://[::1]:7', { host: '::1', port: 7, db: 0, tls: { servername: '::1' } }, 'rediss://[::1]:7/0'],
  ['redis://:pw@cache', { host: 'cache', port: 6379, db: 0, password: 'pw' }, 'redis://cache/0'],
  ['unix:///run/redis.sock', { path: '/run/redis.sock' }, 'unix:///run/redis.sock'],
  ['unix:///run/redis.sock?db=3', { path: '/run/redis.sock', db: 3 }, 'unix:///run/redis.sock'],
  [
    'redis://me@s1,[::1]:7/1?sentinel=main',
    { sentinels, name: 'main', db: 1, username: 'me' },
    'redis://s1,[::1]:7/1?sentinel=main',
  ],
  [
    'rediss://s1,[::1]:7?sentinel=main',
    { sentinels, name: 'main', db: 0, tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true },
    'rediss://s1,[::1]:7/0?sentinel=main',
  ],
])('reads %s', (url, options, name) => {
  expect(parseRedisUrl(url)).toEqual({ options, name, keyPrefix: '{vehi}' });
});

it('takes passwords from elsewhere, first of all, and what begins the keys', () => {
  const passwords = { redis: 'a', sentinel: 'b' };
  expect(parseRedisUrl('redis://:c@s1?sentinel=main&prefix=shop-1', passwords)).toMatchObject({
    options: { password: 'a', sentinelPassword: 'b' },
    keyPrefix: '{shop-1}',
  });
  expect(parseRedisUrl('unix:///s?prefix=other', passwords)).toMatchObject({
    options: { path: '/s', password: 'a' },
    keyPrefix: '{other}',
  });
});

it.each([
  ['cache:6379', /redis:, rediss: or unix:/],
  ['http://cache', /redis:, rediss: or unix:/],
  ['redis+sentinel://s1/main', /redis:, rediss: or unix:/],
  ['redis://cache/zero', /whole number/],
  ['redis://cache/-1', /whole number/],
  ['redis://cache/1.5', /whole number/],
  [`redis://cache?prefix=${'x'.repeat(41)}`, /prefix= takes/],
  ['unix:///run/redis.sock?db=x', /whole number/],
  ['redis://s1,s2', /several hosts are Sentinels/],
  ['redis://s1,?sentinel=main', /"" is no host/],
  ['redis://s1,s2:x?sentinel=main', /"s2:x" is no host/],
  ['redis://s1?sentinel=', /sentinel= is empty/],
  ['redis://s1?sentinal=main', /sentinal= is not known here \(known: sentinel, prefix\)/],
  ['unix:///s?sentinel=main', /sentinel= is not known here/],
  ['redis://cache?prefix={x}', /prefix= takes/],
  ['redis://me:hidden@cache/x', /whole number/],
  ['redis://me:a:hidden@s1,s2/1', /several hosts/],
  ['redis://me:a@hidden@cache/x', /whole number/],
  ['redis://:hidden%zz@cache', /written %25/],
  ['unix:///run/%zz', /written %25/],
])('refuses %s', (url, why) => {
  const read = () => parseRedisUrl(url);
  expect(read).toThrow(why);
  expect(read).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  expect(read).not.toThrow(/hidden/);
});
