import { makeUsageError } from '../terminal/usage-error.ts';

/**
 * Parses the address of a flag and removes trailing slashes.
 * @throws VehiError usage unless it is an http or https address without query and password; the message omits the
 * password
 */
export function readHttpAddress(flag: string, given: string): string {
  const wrong = (what: string, hint: string) =>
    makeUsageError(`${flag} ${what}; an http or https address is needed.`, hint);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url && (url.username !== '' || url.password !== ''))
    throw wrong('has a user name or password in it', 'A service is reached with its key: vehi auth login.');
  if (url && /^https?:\/\/[^/]/.test(given) && url.search === '' && url.hash === '')
    return url.href.replace(/\/+$/, '');
  throw wrong(`is "${given}"`, `For example ${flag} https://vehi.example.com`);
}
