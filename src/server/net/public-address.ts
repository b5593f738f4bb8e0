import ipaddr from 'ipaddr.js';

/**
 * Metadata and platform services of clouds at addresses that look public: Azure's wire server. Those of others
 * (169.254.169.254, 100.100.100.200, 192.0.0.192, fd00:ec2::254) are in ranges that are refused as a whole.
 */
const METADATA: readonly string[] = ['168.63.129.16'];

/**
 * Returns whether an address is on the public Internet. Private, loopback, link-local (metadata services), carrier NAT,
 * unique local, NAT64, documentation and benchmark ranges are not; an IPv4 address wrapped in IPv6 is judged by itself.
 * Of IPv6 only 2000::/3 is public: the rest is not assigned.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || METADATA.includes(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]);
}
