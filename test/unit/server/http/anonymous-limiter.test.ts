import { expect, it } from 'vitest';
import { createAnonymousLimiter } from '../../../../src/server/http/anonymous-limiter.ts';

it.each([
  ['IPv6 by network', '2001:db8::1', '2001:DB8:0:0:1::2', '2001:db8:0:1::1'],
  ['IPv4, also within IPv6, by address', '192.0.2.1', '::FFFF:192.0.2.1', '192.0.2.2'],
])('counts callers without a key with %s', (_name, ...addresses) => {
  const callers = createAnonymousLimiter(1);
  const allowed = addresses.map((address) => callers.take(address, 'keys', 0).allowed);
  expect(allowed).toEqual([true, false, true]);
});
