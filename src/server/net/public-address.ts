import ipaddr from 'ipaddr.js';

/**
 * Cloud metadata and platform services at addresses that look public: Azure's wire server. Those of other clouds
 * (169.254.169.254, 100.100.100.200, 192.0.0.192, fd00:ec2::254) lie in ranges that are refused as a whole.
 */
const METADATA_ADDRESSES: readonly string[] = ['168.63.129.16'];

/**
 * Returns true if the address is on the public Internet. Private, loopback, link-local (metadata services),
 * carrier-grade NAT, unique local, NAT64, documentation and benchmark ranges are not. An IPv4-mapped IPv6 address is
 * classified by its IPv4 address. In IPv6 only 2000::/3 is public, because the rest is unassigned.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || METADATA_ADDRESSES.includes(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]);
}
