import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { S3mini } from 's3mini';
import { parseS3Url, type S3Address, type S3Keys } from '../../../src/storage/objects/s3-address.ts';
import { makeOwnFolder } from '../temporary-folder.ts';
import { endProgram } from './own-process.ts';

/** Debian's own Python, which has Debian's Swift. */
const PYTHON = '/usr/bin/python3';

/** Why tests of an object store are skipped here, or undefined where they are not. */
export const swiftMissing =
  spawnSync(PYTHON, ['-c', 'import swift.common.ring']).status === 0
    ? undefined
    : 'needs OpenStack Swift (Debian: python3-swift)';

export const SWIFT_KEYS: S3Keys = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };
/** The same as the environment has them. */
export const SWIFT_ENV = {
  AWS_ACCESS_KEY_ID: SWIFT_KEYS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: SWIFT_KEYS.secretAccessKey,
};

export type SwiftServer = Awaited<ReturnType<typeof startSwift>>;

/** The address of a bucket, by way of another endpoint such as a proxy where one is given. */
export function bucketAt(endpoint: string, bucket: string, prefix = ''): S3Address {
  return parseS3Url(bucketUrl(endpoint, bucket, prefix));
}

export function bucketUrl(endpoint: string, bucket: string, prefix = ''): string {
  return `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}?endpoint=${endpoint}&region=us-east-1`;
}

/** Starts OpenStack Swift with its S3 interface, which is gone with its data when it is stopped, or when this process ends. */
export async function startSwift() {
  if (swiftMissing !== undefined) throw new Error(swiftMissing);
  const folder = makeOwnFolder('swift');
  const script = resolve(import.meta.dirname, 'swift_server.py');
  const child = spawn(PYTHON, [script, folder], { stdio: ['pipe', 'pipe', 'ignore'] });
  const port = await Promise.race([
    once(child.stdout, 'data').then(([line]) => Number(line)),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`Swift ended with ${code}`))),
  ]);
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    /** Makes an empty bucket. */
    async createBucket(name: string): Promise<S3Address> {
      await new S3mini({
        ...SWIFT_KEYS,
        endpoint: `${endpoint}/${name}`,
        region: 'us-east-1',
      }).createBucket();
      return bucketAt(endpoint, name);
    },
    async stop() {
      await endProgram(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
