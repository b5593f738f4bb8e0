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
  const none = () => '';
  const file = (text: string) => readS3Keys({ VEHI_S3_KEY_FILE: '/k' }, () => text);

  it('come from the environment, or a file that goes before it', () => {
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'SeCrEt' };
    expect(readS3Keys(env, none)).toEqual({ accessKeyId: 'id', secretAccessKey: 'SeCrEt' });
    const text = '[default]\naws_access_key_id = other\r\naws_secret_access_key=x/+=y\n';
    expect(readS3Keys({ ...env, VEHI_S3_KEY_FILE: '/k' }, () => text)).toEqual({
      accessKeyId: 'other',
      secretAccessKey: 'x/+=y',
    });
    expect(file('export AWS_ACCESS_KEY_ID=a\nAWS_SECRET_ACCESS_KEY=b')).toEqual({
      accessKeyId: 'a',
      secretAccessKey: 'b',
    });
  });

  it.each([
    ['neither is set', {}, '', /AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set/],
    ['one is missing', { AWS_ACCESS_KEY_ID: 'id' }, '', /AWS_SECRET_ACCESS_KEY is not set/],
    [
      'a session is needed',
      { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'SeCrEt', AWS_SESSION_TOKEN: 'SeCrEt' },
      '',
      /expire with a session/,
    ],
    ['the file says nothing', { VEHI_S3_KEY_FILE: '/k' }, 'SeCrEt', /has 0 lines/],
    [
      'the file has two profiles',
      { VEHI_S3_KEY_FILE: '/k' },
      'aws_access_key_id=a\naws_secret_access_key=SeCrEt\naws_access_key_id=b\naws_secret_access_key=SeCrEt',
      /has 2 lines/,
    ],
  ])('are asked for where %s', (_name, env, text, message) => {
    const read = () => readS3Keys(env, () => text);
    expect(read).toThrow(message);
    expect(read).not.toThrow(/SeCrEt/);
  });

  it('name the file that cannot be read', () => {
    const refuse = () => {
      throw new Error('EACCES');
    };
    expect(() => readS3Keys({ VEHI_S3_KEY_FILE: '/run/key' }, refuse)).toThrow(/\/run\/key \(EACCES\)/);
  });
});
