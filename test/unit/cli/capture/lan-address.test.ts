import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { listLanAddresses } from '../../../../src/cli/capture/lan-address.ts';

const at = (address: string, family: 'IPv4' | 'IPv6' = 'IPv4', internal = false) =>
  ({ address, family, internal }) as NetworkInterfaceInfo;

describe('listLanAddresses', () => {
  test.each([
    ['a loopback alone', { lo: [at('127.0.0.1', 'IPv4', true)] }, []],
    [
      'a wireless network',
      { lo: [at('127.0.0.1', 'IPv4', true)], wlan0: [at('192.168.1.5')] },
      ['192.168.1.5'],
    ],
    [
      'containers come last',
      {
        podman0: [at('10.88.0.1')],
        docker0: [at('172.17.0.1')],
        en0: [at('10.0.0.7')],
        utun3: [at('10.9.9.9')],
      },
      ['10.0.0.7', '10.88.0.1', '172.17.0.1', '10.9.9.9'],
    ],
    [
      'a private address comes before a public one',
      { eth0: [at('203.0.113.9')], eth1: [at('172.20.1.1')] },
      ['172.20.1.1', '203.0.113.9'],
    ],
    ['no address without a router, none of IPv6', { en1: [at('169.254.3.4'), at('fe80::1', 'IPv6')] }, []],
  ])('%s', (_name, interfaces, expected) => {
    expect(listLanAddresses(interfaces)).toEqual(expected);
  });
});
