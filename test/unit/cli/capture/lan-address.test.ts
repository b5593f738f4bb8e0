import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { listLanAddresses } from '../../../../src/cli/capture/lan-address.ts';

test.each<[string, Record<string, readonly string[]>, string[]]>([
  ['a loopback alone', { lo: ['127.0.0.1'] }, []],
  ['a wireless network', { lo: ['127.0.0.1'], wlan0: ['192.168.1.5'] }, ['192.168.1.5']],
  [
    'containers come last',
    { podman0: ['10.88.0.1'], docker0: ['172.17.0.1'], en0: ['10.0.0.7'], utun3: ['10.9.9.9'] },
    ['10.0.0.7', '10.88.0.1', '172.17.0.1', '10.9.9.9'],
  ],
  ['private before public', { eth0: ['203.0.113.9'], eth1: ['172.20.1.1'] }, ['172.20.1.1', '203.0.113.9']],
  ['no address without a router, none of IPv6', { en1: ['169.254.3.4', 'fe80::1'] }, []],
])('%s', (_, addresses, expected) => {
  const interfaces = Object.entries(addresses).map(([name, list]) => [
    name,
    list.map((address) => {
      const family = address.includes(':') ? 'IPv6' : 'IPv4';
      return { address, family, internal: address === '127.0.0.1' } as NetworkInterfaceInfo;
    }),
  ]);
  expect(listLanAddresses(Object.fromEntries(interfaces))).toEqual(expected);
});
