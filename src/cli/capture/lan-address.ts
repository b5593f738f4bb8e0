import type { NetworkInterfaceInfo } from 'node:os';

/** Names of interfaces that no phone can reach: containers, virtual machines, tunnels. */
const VIRTUAL =
  /^(docker|podman|lxc|lxdbr|br-|bridge\d|veth|virbr|vmnet|vmware|vboxnet|virtualbox|tun|tap|utun|wg|zt|tailscale|cni|flannel)/i;

/**
 * Lists the IPv4 addresses of this machine on local networks, most likely first: physical interfaces before virtual
 * ones, and among them private addresses (RFC 1918) first.
 */
export function listLanAddresses(interfaces: NodeJS.Dict<readonly NetworkInterfaceInfo[]>) {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter((one) => one.family === 'IPv4' && !one.internal && !one.address.startsWith('169.254.'))
      .map(({ address }) => ({ address, rank: (VIRTUAL.test(name) ? 2 : 0) + (isPrivate(address) ? 0 : 1) })),
  );
  return found.sort((a, b) => a.rank - b.rank).map(({ address }) => address);
}

const isPrivate = (address: string): boolean => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address);
