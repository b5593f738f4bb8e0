import { makeOptionError } from './usage-errors.ts';

/**
 * Returns the address that a flag names without its last slash.
 * @throws VehiError usage for anything but an http or https address, for one with a query, and for one with a password,
 * which is not repeated.
 */
export function readHttpAddress(flag: string, given: string): string {
  const wrong = (what: string, hint: string) =>
    makeOptionError(`${flag} ${what}; an http or https address is needed.`, hint);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url && (url.username !== '' || url.password !== ''))
    throw wrong('has a user name or password in it', 'A service is reached with its key: vehi auth login.');
  if (url && /^https?:\/\/[^/]/.test(given) && url.search === '' && url.hash === '')
    return url.href.replace(/\/+$/, '');
  throw wrong(`is "${given}"`, `For example ${flag} https://vehi.example.com`);
}
