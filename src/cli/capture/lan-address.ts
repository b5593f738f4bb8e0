import type { NetworkInterfaceInfo } from 'node:os';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Names of interfaces that lead to no phone: containers, virtual machines, tunnels. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|utun|wg|zt|tailscale|cni|flannel)/i;

/**
 * Lists the IPv4 addresses of this machine in a local network, most likely first: those of real interfaces, and of
 * these the private ones (RFC 1918).
 */
export function listLanAddresses(interfaces: Interfaces): readonly string[] {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(
        ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
      )
      .map(({ address }) => ({ address, rank: (VIRTUAL.test(name) ? 2 : 0) + (isPrivate(address) ? 0 : 1) })),
  );
  return found.sort((a, b) => a.rank - b.rank).map(({ address }) => address);
}

function isPrivate(address: string): boolean {
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address);
}
