import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { VehiError } from '../../lib/errors.ts';
import { toReason } from '../../lib/reason.ts';
import type { CliContext } from '../terminal/context.ts';
import { makeOptionError } from '../terminal/usage-errors.ts';

/**
 * Returns a secret that the environment holds as NAME, or as the first line of the file that NAME_FILE names; undefined
 * without either.
 * @throws VehiError usage/INVALID_OPTION, usage/FILE_UNREADABLE; no message holds the secret
 */
export function readSecret(name: string, { env, cwd }: CliContext): string | undefined {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined)
    throw makeOptionError(`${name} and ${name}_FILE are both set.`, 'Keep one of them.');
  const [line = '', ...more] = readLines(`${name}_FILE`, file, cwd);
  if (line !== '' && more.every((one) => one === '')) return line;
  const why = line === '' ? 'is empty' : 'has more than one line';
  throw makeOptionError(
    `${name}_FILE: ${file} ${why}; the password alone is needed.`,
    'One line, nothing else.',
  );
}

function readLines(name: string, file: string, cwd: string): string[] {
  try {
    return readFileSync(resolve(cwd, file), 'utf8').split(/\r?\n/);
  } catch (cause) {
    const message = `${name}: cannot read ${file} (${toReason(cause)})`;
    throw new VehiError('usage', 'FILE_UNREADABLE', message, { cause });
  }
}
