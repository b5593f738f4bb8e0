import { expect, it } from 'vitest';
import { readHttpAddress } from '../../../../src/cli/terminal/http-address.ts';

it.each([
  ['https://vehi.example.com', 'https://vehi.example.com'],
  ['https://vehi.example.com:8443/api//', 'https://vehi.example.com:8443/api'],
  ['HTTPS://vehi.example.com', 'https://vehi.example.com'],
  ['http://localhost:8080/@me/', 'http://localhost:8080/@me'],
])('%s is the address %s', (given, address) => {
  expect(readHttpAddress('--base-url', given)).toBe(address);
});

it.each([
  ['https://me:secret@vehi.example.com', /user name or password/],
  ['https://me:secret@vehi.example.com:99999', /user name or password/],
  ['https://me:sec/ret@vehi.example.com', /user name or password/],
  ['me:secret@vehi.example.com', /user name or password/],
  ['https://vehi.example.com/?key=secret', /query or fragment/],
  ['vehi.example.com?key=secret', /query or fragment/],
  ['https://vehi.example.com/#secret', /query or fragment/],
])('refuses %s without repeating what may be secret', (given, reason) => {
  const read = () => readHttpAddress('--base-url', given);
  expect(read).toThrow(reason);
  expect(read).not.toThrow(/sec/);
  expect(read).toThrow(expect.objectContaining({ hint: expect.stringMatching(/^Leave out /) }));
});

it.each(['nonsense', 'ftp://vehi.example.com', 'https://vehi.example.com:99999'])('refuses %s', (given) => {
  expect(() => readHttpAddress('--base-url', given)).toThrow(`is "${given}"; an http or https address`);
});
