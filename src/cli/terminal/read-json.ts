import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { decodeText } from '../../lib/decode-text.ts';
import { makeUsageError, toReason, VehiError } from '../../lib/errors.ts';
import { readBounded } from '../../lib/files.ts';
import { parseJson } from '../../lib/json.ts';
import type { CliContext } from './context.ts';

/** Larger documents are rejected; a result of 100 damages in 50 photos is well below 2 MB. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads text from a file, or from stdin for `-`.
 * @throws VehiError FILE_UNREADABLE, NOT_UTF8 or PAYLOAD_TOO_LARGE naming the file; usage if stdin was read before
 */
export async function readText(file: string, ctx: CliContext, maxBytes = MAX_BYTES): Promise<string> {
  const name = nameSource(file);
  if (file === '-' && ctx.stdin.readableEnded)
    throw makeUsageError('stdin (-) is given twice, and can be read once.', 'Name a file for one of them.');
  const source = file === '-' ? ctx.stdin : createReadStream(resolve(ctx.cwd, file));
  const makeError = () =>
    new VehiError('input', 'PAYLOAD_TOO_LARGE', `${name} is larger than ${maxBytes / 1024 / 1024} MB.`);
  const bytes = await readBounded(source, maxBytes, makeError).catch((cause: unknown) => {
    if (cause instanceof VehiError) throw cause;
    throw new VehiError('input', 'FILE_UNREADABLE', `cannot read ${name}: ${toReason(cause)}`, { cause });
  });
  return decodeText(bytes, name);
}

/** Returns the name of a source for messages: its file, or stdin for `-`. */
export const nameSource = (file: string) => (file === '-' ? 'stdin' : file);

/**
 * Reads JSON from a file, or from stdin for `-`; `hint` says what is needed.
 * @throws VehiError INVALID_JSON naming the file, or as `readText`
 */
export async function readJson(file: string, ctx: CliContext, hint: string, maxBytes = MAX_BYTES) {
  const name = nameSource(file);
  const text = await readText(file, ctx, maxBytes);
  if (text.trim() === '') throw new VehiError('input', 'INVALID_JSON', `${name} is empty; JSON is needed.`);
  try {
    return parseJson(text);
  } catch (cause) {
    throw new VehiError('input', 'INVALID_JSON', `${name} is not JSON: ${toReason(cause)}`, { hint, cause });
  }
}
