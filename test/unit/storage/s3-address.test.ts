import { describe, expect, it } from 'vitest';
import { parseS3Url, readS3Keys } from '../../../src/storage/objects/s3-address.ts';

describe('the address of a bucket', () => {
  it.each([
    [
      's3://photos',
      { bucket: 'photos', prefix: '', endpoint: 'https://s3.us-east-1.amazonaws.com', region: 'us-east-1' },
    ],
    [
      's3://photos/a/b/?region=eu-central-1',
      { prefix: 'a/b/', endpoint: 'https://s3.eu-central-1.amazonaws.com', region: 'eu-central-1' },
    ],
    [
      's3://photos/a?endpoint=http://10.0.0.5:9000/&region=here',
      {
        prefix: 'a/',
        endpoint: 'http://10.0.0.5:9000',
        region: 'here',
        name: 's3://photos/a at http://10.0.0.5:9000',
      },
    ],
  ])('%s is read', (url, expected) => {
    expect(parseS3Url(url)).toMatchObject(expected);
  });

  it.each([
    ['s3://', /not a valid bucket name/],
    ['s3://Photos_', /not a valid bucket name/],
    ['s3://key:SeCrEt@photos', /keys do not belong/],
    ['s3://photos/a//b', /prefix/],
    ['s3://photos/a%20b', /prefix/],
    ['s3://photos/%zz', /prefix/],
    ['s3://photos?bucket=x', /"bucket" is unknown/],
    ['s3://photos?region=a&region=b', /once only/],
    ['s3://photos?region=a#b', /must not contain a #/],
    ['s3://photos?region=EU 1', /not a valid region/],
    ['s3://photos?endpoint=ftp://host', /http or https/],
    ['s3://photos?endpoint=https://key:SeCrEt@host', /http or https/],
    ['s3://photos?endpoint=https://host/?x=1', /http or https/],
  ])('%s is refused, without a secret in the message', (url, message) => {
    const refuse = () => parseS3Url(url);
    expect(refuse).toThrow(message);
    expect(refuse).not.toThrow(/SeCrEt/);
  });
});

describe('the keys of a bucket', () => {
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'SeCrEt' };

  it('come from the environment', () => {
    expect(readS3Keys(env)).toEqual({ accessKeyId: 'id', secretAccessKey: 'SeCrEt' });
  });

  it.each([
    ['neither is set', {}, /AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set/],
    ['one is missing', { AWS_SECRET_ACCESS_KEY: 'SeCrEt' }, /AWS_ACCESS_KEY_ID or .* is not set/],
    ['a session is needed', { ...env, AWS_SESSION_TOKEN: 'SeCrEt' }, /expire with a session/],
  ])('are asked for where %s', (_name, given, message) => {
    const read = () => readS3Keys(given);
    expect(read).toThrow(message);
    expect(read).not.toThrow(/SeCrEt/);
  });
});
