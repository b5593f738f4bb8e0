import { expect, it } from 'vitest';
import { isLoopback } from '../../../src/lib/hosts.ts';

it.each([
  ['localhost', true],
  ['LOCALHOST:8080', true],
  ['127.0.0.1', true],
  ['::1', true],
  ['[::1]:8080', true],
  ['0:0:0:0:0:0:0:1', true],
  ['0.0.0.0', false],
  // A whole address, and no port.
  ['::1:8080', false],
  ['127.0.0.1:65536', false],
  ['127.0.0.1.example.com', false],
  ['', false],
])('%s is a loopback host: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
