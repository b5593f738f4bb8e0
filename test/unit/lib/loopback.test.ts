import { expect, test } from 'vitest';
import { findLinkHost } from '../../../src/lib/loopback.ts';

test.each([
  ['127.0.0.1', [], '127.0.0.1'],
  ['0.0.0.0', ['review.example.com'], '127.0.0.1'],
  ['::', [], '127.0.0.1'],
  ['::1', [], '[::1]'],
  ['192.168.1.20', ['review.example.com'], 'review.example.com'],
  ['192.168.1.20', [], '192.168.1.20'],
])('a link to a server on %s with the names %j is to %s', (host, names, expected) => {
  expect(findLinkHost(host, names)).toBe(expected);
});
