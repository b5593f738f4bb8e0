import { VehiError } from '../../lib/errors.ts';

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
const PREFIX_PATTERN = /^([A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*)?$/;
const REGION_PATTERN = /^[a-z0-9-]{1,40}$/;
const ENDPOINT_PATTERN = /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/;

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…`; the default endpoint is Amazon's in that region.
 * @throws VehiError usage/INVALID_OPTION that names the faulty part only, never user name, password or endpoint
 */
export function parseS3Url(url: string): S3Address {
  const refuse = (reason: string) =>
    new VehiError('usage', 'INVALID_OPTION', `--objects: ${reason}.`, {
      hint: 'For example s3://vehi-files/production?endpoint=https://s3.example.com&region=us-east-1',
    });
  if (!URL.canParse(url)) throw refuse('the s3: address cannot be read');
  const { host: bucket, pathname, searchParams, username, password, hash } = new URL(url);
  if (username !== '' || password !== '')
    throw refuse('keys do not belong in the address: use AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  if (!BUCKET_PATTERN.test(bucket)) throw refuse(`"${bucket}" is not a valid bucket name`);
  const prefix = pathname.replace(/^\/|\/$/g, '');
  if (!PREFIX_PATTERN.test(prefix))
    throw refuse(`the prefix "${prefix}" may hold letters, digits, dots, dashes and single slashes only`);
  if (hash !== '') throw refuse('the address must not contain a #');
  const keys = [...searchParams.keys()];
  const unknown = keys.find((key) => !['endpoint', 'region'].includes(key));
  if (unknown !== undefined) throw refuse(`"${unknown}" is unknown; endpoint and region may be given`);
  if (new Set(keys).size < keys.length) throw refuse('endpoint and region may each be given once only');
  const region = searchParams.get('region') ?? DEFAULT_REGION;
  if (!REGION_PATTERN.test(region)) throw refuse(`"${region}" is not a valid region`);
  const endpoint = searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  if (!ENDPOINT_PATTERN.test(endpoint) || !URL.canParse(endpoint))
    throw refuse('the endpoint must be an http or https address without keys or a query');
  const place = { bucket, prefix: prefix && `${prefix}/`, endpoint: endpoint.replace(/\/+$/, ''), region };
  return { ...place, name: `s3://${bucket}${prefix && `/${prefix}`} at ${place.endpoint}` };
}

/** Reads the keys from the environment. @throws VehiError usage/OBJECTS_KEYS_MISSING, without a key in the message */
export function readS3Keys(env: Readonly<Record<string, string | undefined>>): S3Keys {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
  if (accessKeyId && secretAccessKey && !AWS_SESSION_TOKEN) return { accessKeyId, secretAccessKey };
  const problem = AWS_SESSION_TOKEN
    ? 'AWS_SESSION_TOKEN is set, and keys that expire with a session cannot be used'
    : 'AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set';
  throw new VehiError('usage', 'OBJECTS_KEYS_MISSING', `--objects s3://…: ${problem}.`, {
    hint: 'Set both to a key of the service’s own that may list, read, write and delete in its bucket.',
  });
}
