import { S3ServiceError } from 's3mini';
import { VehiError } from '../../lib/errors.ts';
import { StorageUnavailable } from '../storage-unavailable.ts';
import type { S3Address } from './s3-address.ts';

/** An error response of an object store. */
interface ErrorResponse {
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** S3 error code, such as NoSuchKey; undefined if the response has none. */
  readonly code: string | undefined;
  readonly body: string;
}

interface Explanation {
  readonly problem: string;
  readonly hint: string;
}

const CHECK_KEYS_HINT = 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file of VEHI_S3_KEY_FILE.';

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  NoSuchBucket: {
    problem: 'there is no such bucket',
    hint: 'Create the bucket, or check its name and the endpoint.',
  },
  SignatureDoesNotMatch: { problem: 'the secret key does not fit the access key', hint: CHECK_KEYS_HINT },
  InvalidAccessKeyId: { problem: 'the access key is not known there', hint: CHECK_KEYS_HINT },
  AccessDenied: {
    problem: 'the key may not do this',
    hint: 'Let the key list the bucket, and read, write and delete below the prefix.',
  },
  RequestTimeTooSkewed: {
    problem: 'its clock and that of this machine are too far apart',
    hint: 'Set the clock of this machine, for example with chrony or systemd-timesyncd.',
  },
};

const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
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
  const serviceCode = error.serviceCode === 'Unknown' ? undefined : error.serviceCode;
  return { status: error.status, code: readTag(body, 'Code') ?? serviceCode, body };
}

/** Returns true if a retry may succeed soon: no response, or a status for a temporary failure. */
export function isTemporary({ status }: ErrorResponse): boolean {
  return status === undefined || status >= 500 || status === 429 || status === 408;
}

function findErrorCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, name } = current as { code?: unknown; name: string };
    if (name === 'TimeoutError') return name;
    if (typeof code === 'string') return code;
    if (current instanceof AggregateError && current.errors.length > 0)
      return findErrorCode(current.errors[0]);
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
    const reason = findErrorCode(error);
    const knownProblem = reason === undefined ? undefined : CONNECTION_PROBLEMS[reason];
    const problem =
      reason === 'TimeoutError'
        ? 'it does not answer'
        : (knownProblem ?? reason ?? findInnermostMessage(error));
    return { problem, hint: 'Check the endpoint of --objects, and that this machine can reach it.' };
  }
  const region = readTag(body, 'Region');
  if (status === 301 || status === 307 || (code === 'AuthorizationHeaderMalformed' && region)) {
    return {
      problem: `the bucket is not in region ${address.region}`,
      hint: `Set region=${region ?? '…'} in --objects to the region of the bucket.`,
    };
  }
  const explanation = code === undefined ? undefined : EXPLANATIONS[code];
  if (explanation) return explanation;
  if (code === undefined && status < 500)
    return {
      problem: `it does not answer as an S3 store does (HTTP ${status})`,
      hint: 'Check the endpoint of --objects.',
    };
  return {
    problem: `it answered HTTP ${status}${code === undefined ? '' : ` ${code}`}`,
    hint: 'Check its log.',
  };
}

/** Returns the error for a running job, which is retried later whatever the cause. */
export function makeUnavailableError(error: unknown, address: S3Address): StorageUnavailable {
  // Omits the cause, because response bodies must not be logged.
  return new StorageUnavailable(`object store ${address.name}: ${explain(error, address).problem}`);
}

/** Returns the error for the operator who sets up the store. */
export function makeUnusableError(error: unknown, address: S3Address): VehiError {
  const { problem, hint } = explain(error, address);
  return new VehiError('usage', 'OBJECTS_UNUSABLE', `${address.name}: ${problem}`, { hint });
}
