/** Returns whether a host, with or without its port, is a name or an address of this machine itself. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])(:\d{1,5})?$/i.test(host);
}
