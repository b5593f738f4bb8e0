import { S3ServiceError } from 's3mini';
import { VehiError } from '../../lib/errors.ts';
import { StorageAway } from '../storage-away.ts';
import type { S3Address } from './address.ts';

/** An error response of an object store. */
interface ErrorResponse {
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** S3 error code, such as NoSuchKey; undefined if the response has none. */
  readonly code: string | undefined;
  readonly body: string;
}

interface Explanation {
  readonly what: string;
  readonly hint: string;
}

const CHECK_KEYS = 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file of VEHI_S3_KEY_FILE.';

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  NoSuchBucket: {
    what: 'there is no such bucket',
    hint: 'Create the bucket, or check its name and the endpoint.',
  },
  SignatureDoesNotMatch: { what: 'the secret key does not fit the access key', hint: CHECK_KEYS },
  InvalidAccessKeyId: { what: 'the access key is not known there', hint: CHECK_KEYS },
  AccessDenied: {
    what: 'the key may not do this',
    hint: 'Let the key list the bucket, and read, write and delete below the prefix.',
  },
  RequestTimeTooSkewed: {
    what: 'its clock and that of this machine are too far apart',
    hint: 'Set the clock of this machine, for example with chrony or systemd-timesyncd.',
  },
};

const CONNECTION: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be resolved',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted here (NODE_EXTRA_CA_CERTS)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted here (NODE_EXTRA_CA_CERTS)',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

const readTag = (body: string, tag: string) =>
  new RegExp(`<${tag}>([A-Za-z0-9-]{1,64})</${tag}>`).exec(body)?.[1];

/** Extracts the error response, empty for a connection error. */
export function readErrorResponse(error: unknown): ErrorResponse {
  if (!(error instanceof S3ServiceError)) return { status: undefined, code: undefined, body: '' };
  const body = error.body ?? '';
  const known = error.serviceCode === 'Unknown' ? undefined : error.serviceCode;
  return { status: error.status, code: readTag(body, 'Code') ?? known, body };
}

/** Returns true if a retry may succeed soon: no response, or a status for a temporary failure. */
export function isTemporary({ status }: ErrorResponse): boolean {
  return status === undefined || status >= 500 || status === 429 || status === 408;
}

function readCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, name } = current as { code?: unknown; name: string };
    if (name === 'TimeoutError') return name;
    if (typeof code === 'string') return code;
    if (current instanceof AggregateError && current.errors.length > 0) return readCode(current.errors[0]);
  }
  return undefined;
}

function findInnermostMessage(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? findInnermostMessage(cause) : message;
}

function explain(error: unknown, address: S3Address): Explanation {
  const response = readErrorResponse(error);
  const { status, code, body } = response;
  if (status === undefined) {
    const reason = readCode(error);
    const known = reason === undefined ? undefined : CONNECTION[reason];
    const what =
      reason === 'TimeoutError' ? 'it does not answer' : (known ?? reason ?? findInnermostMessage(error));
    return { what, hint: 'Check the endpoint of --objects, and that this machine can reach it.' };
  }
  const region = readTag(body, 'Region');
  if (status === 301 || status === 307 || (code === 'AuthorizationHeaderMalformed' && region)) {
    return {
      what: `the bucket is not in region ${address.region}`,
      hint: `Set region=${region ?? '…'} in --objects to the region of the bucket.`,
    };
  }
  const known = code === undefined ? undefined : EXPLANATIONS[code];
  if (known) return known;
  if (code === undefined && status < 500)
    return {
      what: `it does not answer as an S3 store does (HTTP ${status})`,
      hint: 'Check the endpoint of --objects.',
    };
  return {
    what: `it answered HTTP ${status}${code === undefined ? '' : ` ${code}`}`,
    hint: 'Check its log.',
  };
}

/** Returns the error for a running job, which is retried later whatever the cause. */
export function makeAwayError(error: unknown, address: S3Address): StorageAway {
  // Omits the cause, because response bodies must not be logged.
  return new StorageAway(`object store ${address.name}: ${explain(error, address).what}`);
}

/** Returns the error for the operator who sets up the store. */
export function makeUnusableError(error: unknown, address: S3Address): VehiError {
  const { what, hint } = explain(error, address);
  return new VehiError('usage', 'OBJECTS_UNUSABLE', `${address.name}: ${what}`, { hint });
}
