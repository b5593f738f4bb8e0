import { makeUsageError } from '../../lib/errors.ts';

/**
 * Parses the address of a flag and removes trailing slashes.
 * @throws VehiError usage unless it is an http or https address without user name, password, query and fragment; the
 * message repeats none of these
 */
export function readHttpAddress(flag: string, given: string): string {
  const wrong = (what: string, hint: string) =>
    makeUsageError(`${flag} ${what}; an http or https address is needed.`, hint);
  const url = /^https?:\/\/[^/]/i.test(given) && URL.canParse(given) ? new URL(given) : undefined;
  // What is not an address may hold a password as well, for example with a wrong port.
  if (url ? url.username !== '' || url.password !== '' : given.includes('@'))
    throw wrong('has a user name or password in it', 'Leave out user name, password and "@".');
  if (/[?#]/.test(given))
    throw wrong('has a query or fragment in it', 'Leave out "?" or "#" and what follows.');
  if (url) return url.href.replace(/\/+$/, '');
  throw wrong(`is "${given}"`, `For example ${flag} https://vehi.example.com`);
}
