import ipaddr from 'ipaddr.js';

/**
 * True for an address of the public Internet. Private, loopback, link-local (metadata services), carrier NAT, unique
 * local, NAT64, documentation and benchmark ranges are not; an IPv4 address wrapped in IPv6 is judged by itself.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}
