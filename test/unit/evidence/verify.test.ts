import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { computeFingerprint, signManifest } from '../../../src/evidence/manifest.ts';
import { type EvidenceParts, packEvidence } from '../../../src/evidence/pack.ts';
import { checkEvidence } from '../../../src/evidence/verify.ts';
import { zipFiles } from '../../../src/evidence/zip.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const RUNS = 100;
const folder = makeOwnFolder('evidence');
const path = join(folder, 'evidence.zip');
const keyOf = () => generateKeyPairSync('ed25519').privateKey;
const key = keyOf();
const inspection = exampleInspection({ damages: 1, toCheck: 0, photos: 2, rich: false });

const pack = async (more: Partial<EvidenceParts> = {}) =>
  buffer(
    await packEvidence({
      inspection,
      documents: [{ name: 'result.json', about: 'result', content: '{"a":1}' }],
      readPhoto: async ({ index }) => Buffer.from(`photo ${index}`),
      key,
      packedAt: new Date('2026-06-01T10:00:00Z'),
      ...more,
    }),
  );
const whole = await pack();

async function check(bytes: Uint8Array) {
  writeFileSync(path, bytes);
  const { faults, signer } = await checkEvidence(path);
  return { faults: faults.map(({ kind, file = '' }) => `${kind} ${file}`.trim()), signer };
}

type Files = readonly (readonly [name: string, content: Buffer])[];

async function unpack(bytes: Buffer): Promise<Files> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files: (readonly [string, Buffer])[] = [];
  for await (const entry of zip.eachEntry())
    files.push([entry.fileName, await buffer(await zip.openReadStreamPromise(entry))]);
  return files;
}

const zipAgain = async (files: Files) =>
  buffer(
    zipFiles(files.map(([name, content]) => ({ name, bytes: content.length, open: async () => content }))),
  );

const flip = (bytes: Buffer, at: number, bit: number) => {
  const other = Buffer.from(bytes);
  other[at] = (other[at] ?? 0) ^ (1 << bit);
  return other;
};

test('evidence is whole as it was packed, the same bytes from the same parts, and names its key', async () => {
  expect(await check(whole)).toEqual({ faults: [], signer: computeFingerprint(key) });
  expect((await pack()).equals(whole)).toBe(true);
});

test('evidence is whole with photo addresses of any length', async () => {
  const photoUrl = (index: number) => `https://photos.test/${index}.jpg?signature=${'0'.repeat(8000)}`;
  const signed = exampleInspection({ damages: 1, photos: 2, photoUrl });
  expect((await check(await pack({ inspection: signed }))).faults).toEqual([]);
});

test('evidence can have thousands of files', async () => {
  const more = Array.from({ length: 2000 }, (_, at) => [`${at}.jpg`, Buffer.of(at)] as const);
  const { faults } = await check(await zipAgain([...(await unpack(whole)), ...more]));
  expect(faults).toEqual(more.map(([name]) => `added ${name}`));
});

test('evidence is the same in another time zone', async () => {
  const { TZ } = process.env;
  process.env.TZ = 'Asia/Kathmandu';
  try {
    expect((await pack()).equals(whole)).toBe(true);
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test(`shows each of ${RUNS} changed bytes, wherever in the packed files it is`, async () => {
  const unseen: number[] = [];
  const intact = JSON.stringify(await unpack(whole));
  for (let i = 0; i < RUNS; i++) {
    const at = Math.floor((i * whole.length) / RUNS);
    const changed = flip(whole, at, i % 8);
    if ((await check(changed)).faults.length > 0) continue;
    if (JSON.stringify(await unpack(changed)) !== intact) unseen.push(at);
  }
  expect(unseen).toEqual([]);
}, 60_000);

const replaceFile = (name: string, change: (was: string) => string) => (files: Files) =>
  files.map(([one, was]) => [one, one === name ? Buffer.from(change(String(was))) : was] as const);
const drop = (name: string) => (files: Files) => files.filter(([one]) => one !== name);
const add = (name: string) => (files: Files) => [...files, [name, Buffer.from('x')] as const];
test.each<[fault: string, change: (files: Files) => Files, more?: string]>([
  ['changed photos/002.jpeg', replaceFile('photos/002.jpeg', (was) => was.replace('1', '2'))],
  ['changed result.json', replaceFile('result.json', () => '{"a":22}')],
  ['missing photos/001.jpeg', drop('photos/001.jpeg')],
  ['added x.jpg', add('x.jpg')],
  ['added result.json', add('result.json'), 'changed result.json'],
  ['added x.jpg', (files) => add('x.jpg')(add('x.jpg')(add('x.jpg')(files))), 'added x.jpg'],
  ['signature', replaceFile('manifest.json', (was) => was.replace('2026-06-01', '2026-06-02'))],
  ['missing manifest.sig', drop('manifest.sig')],
])('names what was done to the files: %s', async (fault, change, more) => {
  const { faults } = await check(await zipAgain(change(await unpack(whole))));
  expect(faults.sort()).toEqual(more === undefined ? [fault] : [fault, more]);
});

test('evidence is whole when the same files are packed again, in another order or by another program', async () => {
  const files = await unpack(whole);
  expect((await check(await zipAgain([...files].reverse()))).faults).toEqual([]);
  const zip = new ZipFile();
  // As `zip -r` does, which lists the folders too.
  zip.addEmptyDirectory('photos');
  for (const [name, content] of files) zip.addBuffer(content, name);
  zip.end();
  expect((await check(await buffer(zip.outputStream))).faults).toEqual([]);
});

test('evidence signed again is signed by another key; with a list of the old key it is a fault', async () => {
  const other = keyOf();
  const signer = computeFingerprint(other);
  expect(await check(await pack({ key: other }))).toEqual({ faults: [], signer });
  const files = new Map(await unpack(whole));
  const manifest = JSON.parse(String(files.get('manifest.json')));
  files.set('manifest.sig', Buffer.from(signManifest(manifest, other).signature));
  expect((await check(await zipAgain([...files]))).faults).toEqual(['signature']);
});

test.each([
  ['cut off', () => whole.subarray(0, whole.length - 10), 'unreadable'],
  ['nothing', () => Buffer.alloc(0), 'unreadable'],
  ['no zip', () => Buffer.from('a text file, not a zip at all, whatever it is called'), 'unreadable'],
  ['bytes after it', () => Buffer.concat([whole, Buffer.from('more')]), 'unreadable'],
  ['bytes before it', () => Buffer.concat([Buffer.from('more'), whole]), ''],
])('refuses a file with %s', async (_name, make, kind) => {
  const { faults } = await check(make());
  expect(faults.length).toBeGreaterThan(0);
  if (kind !== '') expect(faults).toEqual([kind]);
});

test('refuses names that lead out of a folder, and what would unpack to far more', async () => {
  const evil = Buffer.from(whole.toString('latin1').replaceAll('photos/001', '../../a001'), 'latin1');
  expect((await check(evil)).faults).toEqual(['unreadable']);
  const bomb = new ZipFile();
  for (const name of ['manifest.json', 'a']) bomb.addBuffer(Buffer.alloc(3_000_000), name);
  bomb.end();
  const { faults } = await check(await buffer(bomb.outputStream));
  expect(faults).toEqual(['unreadable']);
});

test('evidence fails while it is written if a photo cannot be opened again', async () => {
  let reads = 0;
  const readPhoto = async () => {
    if (++reads > inspection.data.images.length) throw new Error('no such photo');
    return Buffer.from('photo');
  };
  await expect(pack({ readPhoto })).rejects.toThrow('no such photo');
});

test('evidence carries a page that names its photos, or gives the reason for a missing result in place of its damages', async () => {
  const pageOf = async (packed: Buffer) => String(new Map(await unpack(packed)).get('index.html'));
  const page = await pageOf(whole);
  expect(page).toContain('photos/001.jpeg');
  expect(page).toContain(computeFingerprint(key));
  expect(page).toContain(`<p>Inspection ${inspection.data.inspection_id} of vehicle`);
  const failure = { code: 'NOT_A_VEHICLE', message: 'No photo shows the outside of a vehicle.' } as const;
  const data = { ...inspection.data, status: 'failed', results: null, failure } as const;
  const failed = await pack({ inspection: { ...inspection, data } });
  expect(await pageOf(failed)).toContain(`<h2>Damages</h2><p>${failure.message}</p>`);
});
