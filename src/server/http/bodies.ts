import type { FastifyInstance } from 'fastify';
import { findRepeatedKey, isNestedDeeper } from '../../lib/json.ts';
import { ApiError } from './api-error.ts';

const POISON =
  /"(?:__proto__|constructor|(?:\\u005[fF]|_){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:\\u005[fF]|_){2})"\s*:/;

/** Nesting beyond this is no request of ours; it would only cost stack. */
const DEPTH_MAX = 32;

/**
 * Parses a JSON body from its bytes.
 * @throws ApiError INVALID_JSON for bytes that are not UTF-8, not JSON, nested too deeply, that name a prototype key or
 * have a key twice in one object.
 */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('INVALID_JSON', 'The request body is not valid UTF-8.');
  }
  if (text.trim() === '')
    throw new ApiError('INVALID_JSON', 'The request has no body; a JSON object is needed.');
  if (isNestedDeeper(text, DEPTH_MAX))
    throw new ApiError('INVALID_JSON', `The request body is nested deeper than ${DEPTH_MAX} levels.`);
  if (POISON.test(text))
    throw new ApiError('INVALID_JSON', 'The request body has a key named __proto__ or constructor.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/ *in JSON/, '').slice(0, 120) : 'syntax error';
    throw new ApiError('INVALID_JSON', `The request body is not valid JSON: ${reason}.`);
  }
  const repeated = findRepeatedKey(text);
  if (repeated)
    throw new ApiError('INVALID_JSON', `The request body has ${repeated.path} twice; send it once.`, {
      field: repeated.path,
    });
  // Only escapes can write either.
  const field = /\\u(0000|[dD][89a-fA-F])/.test(text) ? findUnstorable(value, '') : undefined;
  if (field !== undefined)
    throw new ApiError('INVALID_REQUEST', `${field} contains a NUL character or half a surrogate pair.`, {
      field,
    });
  return value;
}

const isUnstorable = (text: string) => text.includes('\0') || /\p{Surrogate}/u.test(text);

/**
 * Returns the first text that no store keeps as it is, as a field of the contract: SQLite ends a text at a NUL, and half
 * a surrogate pair becomes U+FFFD, so that two could look like one.
 */
function findUnstorable(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return isUnstorable(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const found = isUnstorable(name) ? path : findUnstorable(inner, step);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Registers JSON as the one content type of bodies (uploads have their own parser). */
export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, body, done) => {
    const { 'content-encoding': encoding = 'identity' } = headers;
    try {
      if (encoding !== 'identity')
        throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without Content-Encoding.');
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}
