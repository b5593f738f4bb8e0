import { resolve } from 'node:path';
import { type Access, type AccessOptions, findAccess } from '../../config/credentials.ts';
import { OPTIONS } from '../../config/options.ts';
import { findOrigin, readSettings } from '../../config/settings.ts';
import { MAX_IMAGE_MB, MAX_UPLOAD_MB, MIN_IMAGES } from '../../domain/photo-limits.ts';
import { VehiError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import type { CliContext } from '../terminal/context.ts';
import { readHttpAddress } from '../terminal/http-address.ts';

/** Authenticated client of a service's /v1 API. */
export interface Remote {
  readonly access: Access;
  get<T>(path: string): Promise<T>;
  send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
}

const TIMEOUT_MS = 120_000;

/** Hints for the errors of a service, keyed by code. */
const HINTS: Readonly<Record<string, string>> = {
  MISSING_API_KEY: 'Run vehi auth login, or set VEHI_API_KEY.',
  INVALID_API_KEY:
    'Check that the key is for this environment (dev_ for the sandbox, prod_ for production) and has not been revoked; then run vehi auth login.',
  INSUFFICIENT_PERMISSIONS: 'Use a key with this permission, or ask the account holder (plan, suspension).',
  RATE_LIMIT_EXCEEDED: 'Wait, or ask for a plan with a higher limit.',
  CONCURRENCY_LIMIT_EXCEEDED: 'Send fewer requests at the same time.',
  SERVICE_UNAVAILABLE: 'The service is busy; try again in a minute.',
  NOT_FOUND: 'Check the address of the service (VEHI_BASE_URL, --base-url): it must be the part before /v1.',
  METHOD_NOT_ALLOWED:
    'Check the address of the service (VEHI_BASE_URL, --base-url), and that it is as new as this vehi.',
  UNSUPPORTED_MEDIA_TYPE: 'Check that the service is as new as this vehi.',
  INTERNAL_ERROR: 'This is a fault of the service: try again, and inform its operator if it persists.',
  REQUEST_TIMEOUT: 'The network is slow: send fewer or smaller photos, or try again.',
  PAYLOAD_TOO_LARGE: `Send fewer or smaller photos (at most ${MAX_IMAGE_MB} MB each, ${MAX_UPLOAD_MB} MB together).`,
  IDEMPOTENCY_CONFLICT: 'Try again.',
  INSUFFICIENT_IMAGES: `Give ${MIN_IMAGES} photos or more; without --remote fewer are inspected too.`,
  INSPECTION_NOT_FOUND: 'It belongs to another account or service, or has been deleted.',
  ASSESSMENT_NOT_FOUND: 'It belongs to another account or service, or has been deleted.',
  WEBHOOK_NOT_FOUND: 'vehi admin webhooks list shows the existing ones.',
  KEY_NOT_FOUND: 'It belongs to another account, or has been revoked.',
  UPLOAD_NOT_FOUND: 'It has expired or been used: send the photo again.',
  PHOTO_NOT_KEPT: 'The service keeps photos for a time only (vehi serve --keep-views): inspect them again.',
  NOTHING_TO_REVIEW: 'Wait until the inspection is completed; one that failed has nothing to review.',
  REVIEW_CONFLICT: 'Somebody else has changed this review: read it again, then decide.',
};

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly type?: string;
  readonly field?: string;
  readonly details?: Record<string, unknown>;
}

/** Converts an error response to a command-line error: rejected input (exit 3) or remote (exit 5). */
function makeFailure(status: number, body: unknown, baseUrl: string): VehiError {
  const error = (body as { error?: ErrorBody } | undefined)?.error;
  if (!error?.code) {
    return new VehiError(
      'remote',
      'NOT_A_SERVICE',
      `${baseUrl} answered ${status} and is not a vehi service.`,
      { hint: 'Check the address of the service (VEHI_BASE_URL, --base-url).' },
    );
  }
  const { code, message = '', type, field, details } = error;
  const hint = HINTS[code];
  return new VehiError(
    type === 'validation_error' ? 'input' : 'remote',
    code,
    `the service says: ${message} (${code})`,
    { hint, field, details },
  );
}

function makeUnreachableError(baseUrl: string, error: unknown): VehiError {
  const { cause, name } = error as { cause?: { code?: string; message?: string }; name?: string };
  const reason =
    name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? cause?.message ?? 'no connection');
  return new VehiError('remote', 'UNREACHABLE', `cannot reach ${baseUrl} (${reason}).`, {
    hint: 'Check the address (VEHI_BASE_URL, --base-url), the network, and that the service runs.',
    cause: error,
  });
}

/**
 * Creates the client of a service.
 * @throws VehiError remote/INVALID_API_KEY for a key that is not a valid header value
 */
export function createRemote(access: Access): Remote {
  if (!/^[\x21-\x7e]+$/.test(access.apiKey)) {
    throw new VehiError(
      'remote',
      'INVALID_API_KEY',
      `the API key (${access.from}) contains characters that no key can have.`,
      {
        hint: 'Copy the whole key, as it was shown when it was created.',
      },
    );
  }
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isForm = body instanceof FormData;
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${access.baseUrl}${path}`, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization: `Bearer ${access.apiKey}`,
          accept: 'application/json',
          ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      throw makeUnreachableError(access.baseUrl, error);
    }
    let parsed: unknown;
    try {
      parsed = text === '' ? undefined : parseJson(text);
    } catch {
      parsed = undefined;
    }
    if (!response.ok) throw makeFailure(response.status, parsed, access.baseUrl);
    if (response.status !== 204 && (parsed as { status?: unknown } | undefined)?.status !== 'success') {
      throw makeFailure(response.status, undefined, access.baseUrl);
    }
    return parsed as T;
  }
  return { access, get: (path) => call('GET', path), send: (method, path, body) => call(method, path, body) };
}

/**
 * Creates a client of the service selected by flags, environment and stored profiles.
 * @throws VehiError kind `remote` if none is selected
 */
export function openRemote(options: AccessOptions, ctx: CliContext): Remote {
  const { base_url: address, profile } = readSettings(options, ctx);
  const given = address.value;
  const baseUrl = given === null ? undefined : readHttpAddress(findOrigin(address, '--base-url'), given);
  const apiKeyFile = options.apiKeyFile === undefined ? undefined : resolve(ctx.cwd, options.apiKeyFile);
  return createRemote(findAccess({ profile: profile.value ?? undefined, baseUrl, apiKeyFile }, ctx.env));
}

/** Flags of the local engine that do not apply to a service. */
const LOCAL_FLAGS = ['models', 'regions', 'sensitivity', 'minConfidence', 'now'] as const;

/** Rejects flags that apply only to the local engine. @throws VehiError usage */
export function refuseLocalFlags(
  flags: Readonly<Partial<Record<(typeof LOCAL_FLAGS)[number], unknown>>>,
): void {
  const given = LOCAL_FLAGS.find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  const [flag] = OPTIONS[given].flag.split(' ');
  throw new VehiError('usage', 'INVALID_OPTION', `${flag} is for this machine; a service has its own.`, {
    hint: `Leave out ${flag}, or --remote.`,
  });
}
