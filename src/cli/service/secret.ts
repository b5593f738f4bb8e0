import { readNamedFile } from '../../lib/read-named-file.ts';
import type { CliContext } from '../terminal/context.ts';
import { makeOptionError } from '../terminal/usage-errors.ts';

/**
 * Reads a secret from environment variable NAME, or from the single line of the file in NAME_FILE; undefined without
 * either.
 * @throws VehiError usage/INVALID_OPTION, usage/FILE_UNREADABLE; messages never contain the secret
 */
export function readSecret(name: string, { env, cwd }: CliContext): string | undefined {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined)
    throw makeOptionError(`${name} and ${name}_FILE are both set.`, 'Keep one of them.');
  const [line = '', ...more] = readNamedFile(`${name}_FILE`, file, cwd).toString().split(/\r?\n/);
  if (line !== '' && more.every((one) => one === '')) return line;
  const why = line === '' ? 'is empty' : 'has more than one line';
  throw makeOptionError(
    `${name}_FILE: ${file} ${why}; the password alone is needed.`,
    'One line, nothing else.',
  );
}
