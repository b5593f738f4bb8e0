import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { MINUTE_MS } from '../../lib/durations.ts';
import type { RateState } from './rate-limiter.ts';

/** Separate allowances of an address, so exhausting one does not block the others; `none` is not counted. */
export type Allowance = 'none' | 'keys' | 'documents' | 'files';

/** Linked files and demo photos are requested by the dozen. */
const FILES_FACTOR = 10;

/** Returns the /64 network of an IPv6 address, because one client owns all addresses in it, or the IPv4 address. */
function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.toNormalizedString().split(':', 4).join(':');
}

/** Creates a limiter that counts requests per client address (IPv6: network) and minute, in memory. */
export function createAnonymousLimiter(perMinute: number) {
  const counts = new Map<string, number>();
  let minute = 0;
  return {
    take(address: string, allowance: Allowance, nowMs: number): RateState {
      const currentMinute = Math.floor(nowMs / MINUTE_MS);
      if (currentMinute !== minute) {
        counts.clear();
        minute = currentMinute;
      }
      const limit = allowance === 'files' ? perMinute * FILES_FACTOR : perMinute;
      const key = `${allowance} ${toNetwork(address)}`;
      const used = (counts.get(key) ?? 0) + (allowance === 'none' ? 0 : 1);
      if (used > 0) counts.set(key, used);
      return { allowed: used <= limit, limit, used, resetMs: (currentMinute + 1) * MINUTE_MS - nowMs };
    },
  };
}
