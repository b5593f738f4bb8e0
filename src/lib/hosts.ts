/** Returns whether a host, with or without port, is a loopback name or address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\]|(0{1,4}:){7}0{0,3}1)(:\d{1,5})?$/i.test(host);
}

/** Returns a host as it stands in a URL: an IPv6 address in brackets. */
export function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
