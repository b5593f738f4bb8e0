/** Returns whether a host, with or without port, is a loopback name or address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])(:\d{1,5})?$/i.test(host);
}

/** Returns the host for links to a server that listens on `host`: a loopback address if it listens there, else `name`. */
export const findLinkHost = (host: string, [name = host]: readonly string[]) =>
  host === '::1' ? '[::1]' : isLoopback(host) || ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : name;
