// @module-tag slow: an object store is started
import { lstatSync, mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDirectoryBlobs } from '../../../src/storage/directory-blobs.ts';
import { openS3Blobs } from '../../../src/storage/objects/s3.ts';
import { type BlobStore, StagedFilesLostError, StorageUnavailableError } from '../../../src/storage/ports.ts';
import { type FaultyProxy, startFaultyProxy } from '../../helpers/services/faulty-proxy.ts';
import {
  bucketAt,
  SWIFT_KEYS,
  type SwiftServer,
  startSwift,
  swiftMissing,
} from '../../helpers/services/swift.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

let directory: string;
let swift: SwiftServer | undefined;
let buckets = 0;

beforeAll(async () => {
  directory = makeOwnFolder('blobs');
  if (swiftMissing === undefined) swift = await startSwift();
}, 120_000);
afterAll(() => swift?.stop(), 60_000);

const openBucket = async () => {
  const name = `vehi-${++buckets}`;
  const { endpoint = '' } = swift ?? {};
  await swift?.createBucket(name);
  return openS3Blobs(bucketAt(endpoint, name, 'some/where'), SWIFT_KEYS);
};

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();
async function* stream(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part);
}
/** Names the temporary files that are open without a name. */
const listUnlinked = () =>
  readdirSync('/proc/self/fd')
    .map((fd) => join('/proc/self/fd', fd))
    // The listing itself was one of them.
    .map((link) => (lstatSync(link, { throwIfNoEntry: false }) ? readlinkSync(link) : ''))
    .filter((target) => /\/vehi-[0-9a-f-]{36} \(deleted\)$/.test(target));

describe.each([
  ['directory', async () => createDirectoryBlobs(mkdtempSync(join(directory, 'one-'))), undefined],
  ['s3', openBucket, swiftMissing],
] as const)('files in %s', (_name, open, missing) => {
  let blobs: BlobStore;
  beforeEach(async (context) => {
    if (missing) return context.skip(missing);
    blobs = await open();
  });

  it('are kept by owner and name, and refuse names that could leave their place', async () => {
    expect([await blobs.listOwners(), await blobs.list('vis_1')]).toEqual([[], []]);
    await blobs.put('vis_1', 'photo-0', Buffer.from('abc'));
    await blobs.put('vis_1', 'photo-0', Buffer.from('abd'));
    await blobs.put('vis_10', 'report.pdf', Buffer.alloc(0));
    expect(text(await blobs.get('vis_1', 'photo-0'))).toBe('abd');
    expect(text(await blobs.get('vis_10', 'report.pdf'))).toBe('');
    expect(await blobs.get('vis_1', 'photo-1')).toBeUndefined();
    expect([await blobs.listOwners(), await blobs.list('vis_1')]).toEqual([['vis_1', 'vis_10'], ['photo-0']]);
    for (const bad of ['..', '.', 'a/b', '../a', '', 'a\0b', '.a']) {
      await expect(blobs.get('vis_1', bad)).rejects.toThrow(/blob name/);
      await expect(blobs.put(bad, 'a', Buffer.from(''))).rejects.toThrow(/blob name/);
    }
  });

  it('are removed one by one and with their owner, also where they are gone already', async () => {
    for (const name of ['a', 'b', 'c']) await blobs.put('vis_1', name, Buffer.from(name));
    await blobs.put('vis_2', 'a', Buffer.from('a'));
    await blobs.remove('vis_1', 'b');
    await blobs.remove('vis_1', 'b');
    expect(await blobs.list('vis_1')).toEqual(['a', 'c']);
    await blobs.remove('vis_1');
    await blobs.remove('vis_1');
    expect([await blobs.listOwners(), await blobs.list('vis_2')]).toEqual([['vis_2'], ['a']]);
  });

  it('are apart while they are staged, and adopted together', async () => {
    await Promise.all([
      blobs.stage('vis_1', 'photo-0', Buffer.from('bytes')),
      blobs.stage('vis_1', 'photo-1', stream('in ', 'parts')),
    ]);
    expect(text(await blobs.getStaged('vis_1', 'photo-0'))).toBe('bytes');
    expect(text(await blobs.getStaged('vis_1', 'photo-1'))).toBe('in parts');
    expect(await blobs.getStaged('vis_1', 'photo-2')).toBeUndefined();
    expect(await blobs.get('vis_1', 'photo-0')).toBeUndefined();
    expect([await blobs.listOwners(), await blobs.list('vis_1')]).toEqual([[], []]);
    await blobs.publish('vis_1', ['photo-0', 'photo-1']);
    expect(await blobs.getStaged('vis_1', 'photo-0')).toBeUndefined();
    expect(await blobs.list('vis_1')).toEqual(['photo-0', 'photo-1']);
    expect(text(await blobs.get('vis_1', 'photo-0'))).toBe('bytes');
    expect(text(await blobs.get('vis_1', 'photo-1'))).toBe('in parts');
    await blobs.publish('vis_none', []);
  });

  it('are not adopted once one is lost', async () => {
    await blobs.stage('vis_1', 'photo-0', Buffer.from('bytes'));
    await blobs.discardStaged('vis_1');
    await blobs.stage('vis_1', 'photo-1', Buffer.from('bytes'));
    await expect(blobs.publish('vis_1', ['photo-0', 'photo-1'])).rejects.toThrow(
      new StagedFilesLostError('staged files of vis_1 are gone: photo-0'),
    );
    await expect(blobs.publish('vis_2', ['photo-0'])).rejects.toThrow(StagedFilesLostError);
    if (process.platform === 'linux') expect(listUnlinked()).toEqual([]);
  });

  it('leave nothing when they are unstaged, or their stream breaks off', async () => {
    await blobs.stage('vis_1', 'photo-0', Buffer.from('bytes'));
    await blobs.stage('vis_1', 'photo-1', stream('parts'));
    async function* broken() {
      yield Buffer.from('half');
      throw new Error('cut off');
    }
    await expect(blobs.stage('vis_1', 'photo-2', broken())).rejects.toThrow('cut off');
    await blobs.discardStaged('vis_1');
    await blobs.discardStaged('vis_1');
    await blobs.publish('vis_1', []);
    expect(await blobs.listOwners()).toEqual([]);
  });

  it('are copied', async () => {
    await blobs.put('upl_1', 'photo', Buffer.from('abcdef'));
    const of = { owner: 'upl_1', name: 'photo' };
    expect(await blobs.stageCopy('vis_1', 'photo-0', of)).toBe(true);
    expect(await blobs.stageCopy('vis_1', 'photo-1', { ...of, name: 'none' })).toBe(false);
    expect(await blobs.get('vis_1', 'photo-0')).toBeUndefined();
    expect(text(await blobs.getStaged('vis_1', 'photo-0'))).toBe('abcdef');
    await blobs.publish('vis_1', ['photo-0']);
    await blobs.remove('upl_1');
    expect([await blobs.listOwners(), await blobs.list('vis_1')]).toEqual([['vis_1'], ['photo-0']]);
    expect(text(await blobs.get('vis_1', 'photo-0'))).toBe('abcdef');
  });
});

it('files of a directory that are set aside stay until a time', async () => {
  const own = mkdtempSync(join(directory, 'aside-'));
  const blobs = createDirectoryBlobs(own);
  const listAside = () => readdirSync(join(own, 'files-set-aside'));
  await blobs.put('vis_1', 'photo-0', Buffer.from('abc'));
  expect([await blobs.setAside?.('vis_1'), await blobs.setAside?.('vis_gone')]).toEqual([true, false]);
  expect([await blobs.listOwners(), listAside()]).toEqual([[], ['vis_1']]);
  await blobs.put('vis_1', 'photo-0', Buffer.from('def'));
  expect(await blobs.setAside?.('vis_1')).toBe(true);
  const both = ['vis_1', expect.stringMatching(/^vis_1\.\d+$/)];
  await blobs.clearSetAside?.(Date.now() - 60_000);
  expect([await blobs.listOwners(), listAside()]).toEqual([[], both]);
  await blobs.clearSetAside?.(Date.now() + 60_000);
  expect(listAside()).toEqual([]);
});

describe.skipIf(swiftMissing)('files in a bucket', () => {
  let proxy: FaultyProxy;
  let blobs: BlobStore;
  const READER = { accessKeyId: 'test:reader', secretAccessKey: 'reading' };
  const quick = { timeoutMs: 500, backoffMs: [1, 1] };
  const opened = (more: { bucket?: string; keys?: object; region?: string; endpoint?: string } = {}) => {
    const address = bucketAt(more.endpoint ?? proxy.endpoint, more.bucket ?? 'faults');
    const keys = { ...SWIFT_KEYS, ...more.keys };
    return openS3Blobs({ ...address, region: more.region ?? address.region }, keys, quick);
  };

  beforeAll(async () => {
    proxy = await startFaultyProxy(swift?.endpoint ?? '');
    await swift?.createBucket('faults');
    blobs = await openS3Blobs(bucketAt(proxy.endpoint, 'faults'), SWIFT_KEYS, { ...quick, timeoutMs: 5_000 });
  }, 60_000);
  beforeEach(() => {
    proxy.heal();
    proxy.seen.length = 0;
  });
  afterAll(() => proxy?.close());

  it('survive a cut connection and a busy store in turn', async () => {
    const bytes = Buffer.alloc(100_000, 7);
    proxy.fail('cut', 'busy');
    await blobs.put('vis_1', 'photo-0', bytes);
    proxy.fail('cut', 'busy');
    expect(Buffer.compare((await blobs.get('vis_1', 'photo-0')) ?? Buffer.alloc(0), bytes)).toBe(0);
    proxy.fail('cut', 'busy');
    expect(await blobs.list('vis_1')).toEqual(['photo-0']);
    proxy.fail('cut', 'busy');
    await blobs.remove('vis_1');
    expect(await blobs.list('vis_1')).toEqual([]);
  });

  it('are read whole or again: half an answer is none', async () => {
    await blobs.put('vis_half', 'photo-0', Buffer.alloc(200_000, 7));
    proxy.fail('half', 'half');
    expect((await blobs.get('vis_half', 'photo-0'))?.length).toBe(200_000);
  });

  it.each(['cut', 'busy', 'hang'] as const)('are away after three tries that end as %s', async (fault) => {
    const impatient = await opened();
    proxy.seen.length = 0;
    proxy.failAlways(fault);
    const error = await impatient.get('vis_1', 'photo-0').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect(String(error)).toMatch(/object store s3:\/\/faults at http/);
    expect(proxy.seen).toHaveLength(3);
  });

  it('are away, not absent, when the bucket is gone', async () => {
    const { endpoint = '' } = swift ?? {};
    await swift?.createBucket('gone');
    const gone = await openS3Blobs(bucketAt(endpoint, 'gone'), SWIFT_KEYS, quick);
    await removeBucket(endpoint, 'gone');
    await expect(gone.get('vis_1', 'photo-0')).rejects.toThrow(/NoSuchBucket/);
    await expect(gone.list('vis_1')).rejects.toThrow(/NoSuchBucket/);
    await expect(gone.put('vis_1', 'photo-0', Buffer.from('x'))).rejects.toThrow(StorageUnavailableError);
  });

  it('are listed beyond one page', async () => {
    const names = Array.from({ length: 12 }, (_v, i) => `n${String(i).padStart(2, '0')}`);
    await Promise.all(names.map((name) => blobs.put('vis_many', name, Buffer.from('x'))));
    expect(await blobs.list('vis_many')).toEqual(names);
    await blobs.remove('vis_many');
    expect(await blobs.list('vis_many')).toEqual([]);
  });

  it.each([
    ['an unknown bucket', { bucket: 'none' }, /HTTP 404 NoSuchBucket/],
    ['a wrong secret', { keys: { secretAccessKey: 'SeCrEt' } }, /HTTP 403 SignatureDoesNotMatch/],
    ['a key that may not', { keys: READER }, /HTTP 403 AccessDenied/],
    ['another region', { region: 'eu-central-1' }, /HTTP 400 AuthorizationHeaderMalformed/],
    ['nobody there', { endpoint: 'http://127.0.0.1:1' }, /bad port|ECONNREFUSED/],
    ['an unknown host', { endpoint: 'http://host.invalid' }, /ENOTFOUND|EAI_AGAIN/],
  ] as const)('say at the start what is wrong: %s', async (_name, more, message) => {
    const error = await opened(more).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'OBJECTS_UNUSABLE',
      kind: 'usage',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/bucket, endpoint and region/),
    });
    expect(JSON.stringify([String(error), error])).not.toMatch(/SeCrEt|testing/);
  });

  it('say at the start that the clocks are apart', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    try {
      await expect(opened()).rejects.toThrow(/HTTP 403 RequestTimeTooSkewed/);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keep no stream on the disk of the machine under a name', async () => {
    const before = readdirSync(tmpdir()).filter((name) => /^vehi-[0-9a-f]{8}-/.test(name));
    await blobs.stage('vis_stream', 'photo-0', stream('a', 'b'));
    const during = readdirSync(tmpdir()).filter((name) => /^vehi-[0-9a-f]{8}-/.test(name));
    expect(during).toEqual(before);
    expect(proxy.seen).toEqual([]);
    await blobs.discardStaged('vis_stream');
  });
});

/** Removes a bucket, as somebody else might. */
async function removeBucket(endpoint: string, bucket: string): Promise<void> {
  const { S3mini } = await import('s3mini');
  const whole = new S3mini({ ...SWIFT_KEYS, endpoint, region: 'us-east-1' });
  await whole.deleteObject(bucket);
}
