import type { FastifyInstance } from 'fastify';
import { exceedsDepth, findDuplicateKey } from '../../lib/json.ts';
import { ApiError, makeRequestError } from './api-error.ts';

/** Matches text that may contain a prototype key, literal or escaped. */
const PROTOTYPE_KEY_PATTERN = /__proto__|constructor|\\u/;

/** Rejects prototype keys (reviver of `JSON.parse`). @throws ApiError INVALID_JSON */
function rejectPrototypeKeys(key: string, value: unknown): unknown {
  if (key === '__proto__' || key === 'constructor')
    throw new ApiError('INVALID_JSON', 'The request body has a key named __proto__ or constructor.');
  return value;
}

/** Maximum size of a JSON body. */
export const MAX_JSON_BYTES = 1024 * 1024;

/** Deeper nesting is no valid request and would only cost stack. */
const MAX_DEPTH = 32;

const makeNoBodyError = () =>
  new ApiError('INVALID_JSON', 'The request has no body; a JSON object is needed.');

/**
 * Parses a JSON body.
 * @throws ApiError INVALID_JSON if the bytes are not UTF-8 or not JSON, are nested too deeply, contain a prototype key,
 * or repeat a key within one object; INVALID_REQUEST for text the stores cannot keep.
 */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('INVALID_JSON', 'The request body is not valid UTF-8.');
  }
  if (text.trim() === '') throw makeNoBodyError();
  if (exceedsDepth(text, MAX_DEPTH))
    throw new ApiError('INVALID_JSON', `The request body is nested deeper than ${MAX_DEPTH} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text, PROTOTYPE_KEY_PATTERN.test(text) ? rejectPrototypeKeys : undefined);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const reason = (error as SyntaxError).message.replace(/ *in JSON/, '').slice(0, 120);
    throw new ApiError('INVALID_JSON', `The request body is not valid JSON: ${reason}.`);
  }
  const repeatedKey = findDuplicateKey(text);
  if (repeatedKey)
    throw new ApiError('INVALID_JSON', `The request body has ${repeatedKey.path} twice; send it once.`, {
      field: repeatedKey.path,
    });
  // JSON text contains NUL or a lone surrogate only as an escape.
  const field = /\\u(0000|[dD][89a-fA-F])/.test(text) ? findUnstorable(value, '') : undefined;
  if (field !== undefined)
    throw makeRequestError(
      `${field || 'The request body'} contains a NUL character or half a surrogate pair.`,
      field || undefined,
    );
  return value;
}

const isUnstorable = (text: string) => text.includes('\0') || /\p{Surrogate}/u.test(text);

/**
 * Returns the path of the first text that the stores cannot keep intact: SQLite truncates at NUL, and a lone surrogate
 * becomes U+FFFD, so two different texts could look the same.
 */
function findUnstorable(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return isUnstorable(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, child] of Object.entries(value)) {
    const childPath = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const unstorablePath = isUnstorable(name) ? path : findUnstorable(child, childPath);
    if (unstorablePath !== undefined) return unstorablePath;
  }
  return undefined;
}

/** The schema of a body, or the content types that a route accepts. */
type BodySchema = { readonly required?: readonly string[]; readonly content?: object };

/** Returns true if a route has no body, or one whose fields are all optional. */
export const mayLackBody = ({ required = [], content }: BodySchema = {}): boolean =>
  required.length === 0 && content === undefined;

/** Registers JSON as the only content type of bodies (uploads have their own parser). */
export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Fastify validates no absent body of a route that accepts several content types.
  app.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body as BodySchema | undefined;
    if (schema === undefined || request.body !== undefined) return;
    const { content = { 'application/json': {} } } = schema;
    if (mayLackBody(schema)) request.body = {};
    else if (!request.headers['content-type'] && 'application/json' in content) throw makeNoBodyError();
  });
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    ({ headers, routeOptions }, body, done) => {
      const { 'content-encoding': encoding = 'identity' } = headers;
      // Some clients send the header with every request, such as a DELETE.
      if (body.length === 0 && mayLackBody(routeOptions.schema?.body as BodySchema))
        return done(null, undefined);
      try {
        if (encoding !== 'identity')
          throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without Content-Encoding.');
        done(null, parseJson(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}
