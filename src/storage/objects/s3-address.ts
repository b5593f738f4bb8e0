import { VehiError } from '../../lib/errors.ts';
import { toReason } from '../../lib/reason.ts';

/** Location of a bucket. */
export interface S3Address {
  readonly bucket: string;
  /** Key prefix: empty, or ending in a slash. */
  readonly prefix: string;
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  /** Display name for messages. */
  readonly name: string;
}

/** Access keys; the secret never appears in a message. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Region name that S3-compatible stores without regions use. */
const DEFAULT_REGION = 'us-east-1';
const BUCKET_PATTERN = /^[a-z0-9][a-z0-9._-]{1,62}$/;
const PREFIX_PATTERN = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/;
const REGION_PATTERN = /^[a-z0-9-]{1,40}$/;
const QUERY_PARAMETERS = ['endpoint', 'region'];
const EXAMPLE_URL = 's3://vehi-files/production?endpoint=https://s3.example.com&region=us-east-1';

const makeAddressError = (reason: string) =>
  new VehiError('usage', 'INVALID_OPTION', `--objects: ${reason}.`, { hint: `For example ${EXAMPLE_URL}` });

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…`; the default endpoint is Amazon's in that region.
 * @throws VehiError usage/INVALID_OPTION
 */
export function parseS3Url(url: string): S3Address {
  if (!URL.canParse(url)) throw makeAddressError('the s3: address cannot be read');
  const parsed = new URL(url);
  // The URL is not repeated in the message, because it may contain a secret.
  if (parsed.username !== '' || parsed.password !== '')
    throw makeAddressError('keys do not belong in the address: use AWS_ACCESS_KEY_ID, or VEHI_S3_KEY_FILE');
  const bucket = parsed.host;
  if (!BUCKET_PATTERN.test(bucket)) throw makeAddressError(`"${bucket}" is not a valid bucket name`);
  const prefix = parsed.pathname.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !PREFIX_PATTERN.test(prefix))
    throw makeAddressError(
      `the prefix "${prefix}" may hold letters, digits, dots, dashes and single slashes only`,
    );
  const unknownParameter = [...parsed.searchParams.keys()].find((key) => !QUERY_PARAMETERS.includes(key));
  if (unknownParameter !== undefined)
    throw makeAddressError(`"${unknownParameter}" is unknown; endpoint and region may be given`);
  const region = parsed.searchParams.get('region') ?? DEFAULT_REGION;
  if (!REGION_PATTERN.test(region)) throw makeAddressError(`"${region}" is not a valid region`);
  const endpoint = readEndpoint(parsed.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`);
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region,
    name: `s3://${bucket}${prefix === '' ? '' : `/${prefix}`} at ${endpoint}`,
  };
}

function readEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!url || !isPlain || !['http:', 'https:'].includes(url.protocol))
    throw makeAddressError('the endpoint must be an http or https address without keys or a query');
  return url.href.replace(/\/+$/, '');
}

/**
 * Reads the keys from the environment, or from the file at VEHI_S3_KEY_FILE: lines `aws_access_key_id = …` and
 * `aws_secret_access_key = …`, as in an AWS credentials file.
 * @throws VehiError usage/OBJECTS_KEYS_MISSING, usage/OBJECTS_KEYS_UNUSABLE; no message contains a key
 */
export function readS3Keys(
  env: Readonly<Record<string, string | undefined>>,
  readText: (file: string) => string,
): S3Keys {
  const file = env.VEHI_S3_KEY_FILE;
  if (file !== undefined && file !== '') return readKeysFile(file, readText);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey) {
    const missing = accessKeyId
      ? 'AWS_SECRET_ACCESS_KEY is'
      : 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are';
    throw new VehiError('usage', 'OBJECTS_KEYS_MISSING', `--objects s3://…: ${missing} not set.`, {
      hint: 'Set both, or VEHI_S3_KEY_FILE to a file with aws_access_key_id = … and aws_secret_access_key = …',
    });
  }
  if (env.AWS_SESSION_TOKEN) {
    throw makeKeysError('AWS_SESSION_TOKEN is set: keys that expire with a session cannot be used');
  }
  return { accessKeyId, secretAccessKey };
}

const makeKeysError = (message: string, cause?: unknown) =>
  new VehiError('usage', 'OBJECTS_KEYS_UNUSABLE', message, {
    hint: 'Use a key of the service’s own that may list, read, write and delete in its bucket.',
    cause,
  });

function readKeysFile(file: string, readText: (file: string) => string): S3Keys {
  let text: string;
  try {
    text = readText(file);
  } catch (cause) {
    throw makeKeysError(`VEHI_S3_KEY_FILE: cannot read ${file} (${toReason(cause)})`, cause);
  }
  const readValues = (name: string) =>
    [...text.matchAll(new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=\\s*(\\S+)\\s*$`, 'gim'))].map(
      ([, value]) => value as string,
    );
  const [accessKeyIds, secrets] = [readValues('aws_access_key_id'), readValues('aws_secret_access_key')];
  const [accessKeyId] = accessKeyIds;
  const [secretAccessKey] = secrets;
  if (accessKeyIds.length !== 1 || secrets.length !== 1 || !accessKeyId || !secretAccessKey) {
    throw makeKeysError(
      `VEHI_S3_KEY_FILE: ${file} has ${accessKeyIds.length} lines aws_access_key_id = … and ${secrets.length} lines aws_secret_access_key = …; one of each is needed`,
    );
  }
  return { accessKeyId, secretAccessKey };
}
