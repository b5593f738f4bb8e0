import { expect, it } from 'vitest';
import { createAnonymousLimiter, toNetwork } from '../../../../src/server/http/anonymous-limiter.ts';

it('counts callers without a key by address, IPv6 by network', async () => {
  const callers = createAnonymousLimiter(2);
  const take = async (address: string) => (await callers.take(address, 'keys', 0)).allowed;
  const answers = [];
  for (const address of ['2001:db8::1', '2001:db8:0:0:1::2', '2001:db8::3', '2001:db8:1::1', '192.0.2.1'])
    answers.push(await take(address));
  expect(answers).toEqual([true, true, false, true, true]);
});

it.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0:1:2::3', '2001:db8:0:1'],
])('%s counts as %s', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});
