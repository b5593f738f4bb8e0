import { isIPv6 } from 'node:net';

/** Returns whether a host, with or without port, is a loopback name or address. */
export function isLoopback(host: string): boolean {
  const address = `http://${isIPv6(host) ? `[${host}]` : host}`;
  return URL.canParse(address) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

/** Returns a host as it stands in a URL: an IPv6 address in brackets. */
export function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
