import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { fits } from '../lib/check.ts';
import { decodeText } from '../lib/decode-text.ts';
import { toReason } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';
import { escapeName } from '../lib/names.ts';
import {
  computeFingerprint,
  findSigner,
  KEY_FILE,
  MANIFEST,
  type Manifest,
  ManifestSchema,
  SIGNATURE,
} from './manifest.ts';

/** Maximum number of files, far above any inspection. */
const MAX_FILES = 50_000;
/** Maximum manifest size, far above that of so many files. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
/** Maximum decompression ratio: photos hardly compress, so a file with a higher ratio is no evidence file. */
const MAX_GROWTH = 100;

/** A fault of an evidence file; `file` is the affected entry, absent for the whole file. */
interface EvidenceFault {
  readonly kind: 'unreadable' | 'signature' | 'changed' | 'missing' | 'added';
  readonly file?: string;
  readonly text: string;
}

/** Result of verifying an evidence file. */
export interface CheckedEvidence {
  readonly faults: readonly EvidenceFault[];
  /** Null if unreadable; trusted only if `signer` is not null. */
  readonly manifest: Manifest | null;
  /** Fingerprint of the key that signed the manifest; null if no signature matches. */
  readonly signer: string | null;
}

/** Verifies the files in an evidence file and its signature; malicious files yield a fault, not an error. */
export async function checkEvidence(path: string): Promise<CheckedEvidence> {
  try {
    return await withZip(path, checkZip);
  } catch (error) {
    const faults = [{ kind: 'unreadable' as const, text: describeFailure(error) }];
    return { manifest: null, signer: null, faults };
  }
}

/**
 * Reads one file of a verified evidence file; null if `pick` names none, or the evidence file does not hold it.
 * @param pick returns the file's name from the manifest; undefined for none
 * @throws Error if the evidence file cannot be read
 */
export async function readFromEvidence(
  path: string,
  pick: (manifest: Manifest) => string | undefined,
): Promise<Uint8Array | null> {
  return withZip(path, async ({ zip, entries }) => {
    const manifest = parseManifest(await readSmall(zip, entries.get(MANIFEST)));
    const name = manifest ? pick(manifest) : undefined;
    const entry = name === undefined ? undefined : entries.get(name);
    return entry ? readEntry(zip, entry) : null;
  });
}

interface OpenZip {
  readonly zip: ZipFile;
  readonly entries: ReadonlyMap<string, Entry>;
  /** Names that occur more than once. */
  readonly repeated: ReadonlySet<string>;
}

async function withZip<T>(path: string, work: (zip: OpenZip) => Promise<T>): Promise<T> {
  const { size } = await stat(path);
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true });
  try {
    if (zip.entryCount > MAX_FILES) throw new Error(`it lists ${zip.entryCount} files`);
    const entries = new Map<string, Entry>();
    const repeated = new Set<string>();
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      // Programs that pack a folder list it too; it holds nothing.
      if (entry.fileName.endsWith('/') && entry.uncompressedSize === 0) continue;
      if (entries.has(entry.fileName)) repeated.add(entry.fileName);
      entries.set(entry.fileName, entry);
      total += entry.uncompressedSize;
    }
    if (total > MAX_GROWTH * size) throw new Error(`its ${size} bytes would unpack to ${total}`);
    return await work({ zip, entries, repeated });
  } finally {
    zip.close();
  }
}

async function checkZip({ zip, entries, repeated }: OpenZip): Promise<CheckedEvidence> {
  const faults: EvidenceFault[] = [...repeated].map((file) => ({
    kind: 'added',
    file,
    text: 'is listed more than once',
  }));
  const text = await readSmall(zip, entries.get(MANIFEST));
  const manifest = parseManifest(text);
  const pem = await readSmall(zip, entries.get(KEY_FILE));
  const signature = await readSmall(zip, entries.get(SIGNATURE));
  const key = text && signature && pem ? findSigner(text, signature, Buffer.from(pem).toString()) : null;
  for (const [file, bytes] of Object.entries({ [MANIFEST]: text, [SIGNATURE]: signature }))
    if (!bytes && entries.has(file)) faults.push({ kind: 'changed', file, text: 'cannot be read' });
    else if (!bytes) faults.push({ kind: 'missing', file, text: 'is missing' });
  if (text && signature && !key)
    faults.push({ kind: 'signature', text: `${SIGNATURE} does not fit ${MANIFEST} and ${KEY_FILE}` });
  if (text && !manifest) faults.push({ kind: 'changed', file: MANIFEST, text: 'is not a vehi manifest' });
  if (key && manifest && manifest.key !== computeFingerprint(key))
    faults.push({ kind: 'signature', text: `signed with a different key than the one named in ${MANIFEST}` });
  if (manifest) faults.push(...(await checkFiles(zip, entries, manifest)));
  return { faults, manifest, signer: key && computeFingerprint(key) };
}

/** Compares the files with the manifest: missing, modified and unlisted ones. */
async function checkFiles(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  { files }: Manifest,
): Promise<EvidenceFault[]> {
  const faults: EvidenceFault[] = [];
  for (const { name, bytes, sha256 } of files) {
    const entry = entries.get(name);
    if (entry === undefined) faults.push({ kind: 'missing', file: name, text: 'is missing' });
    else if (entry.uncompressedSize !== bytes)
      faults.push({
        kind: 'changed',
        file: name,
        text: `has ${entry.uncompressedSize} bytes instead of ${bytes}`,
      });
    else {
      const found = await hashEntry(zip, entry).catch(() => null);
      if (found !== sha256)
        faults.push({ kind: 'changed', file: name, text: 'is not what was signed (SHA-256)' });
    }
  }
  const known = new Set([...files.map(({ name }) => name), MANIFEST, SIGNATURE]);
  const added = [...entries.keys()].filter((name) => !known.has(name));
  return [...faults, ...added.map((file) => ({ kind: 'added' as const, file, text: 'was not signed' }))];
}

async function hashEntry(zip: ZipFile, entry: Entry): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await zip.openReadStreamPromise(entry)) hash.update(chunk);
  return hash.digest('hex');
}

async function readSmall(zip: ZipFile, entry: Entry | undefined): Promise<Uint8Array | null> {
  if (!entry || entry.uncompressedSize > MAX_MANIFEST_BYTES) return null;
  return readEntry(zip, entry).catch(() => null);
}

async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray());
}

function parseManifest(text: Uint8Array | null): Manifest | null {
  if (!text) return null;
  try {
    const value = parseJson(decodeText(text));
    return fits(ManifestSchema, value) ? value : null;
  } catch {
    return null;
  }
}

/** Describes the read failure, in the library's words if they are clear. */
function describeFailure(error: unknown): string {
  const why = escapeName(toReason(error));
  return /end of central directory/i.test(why) ? 'it is truncated or not a zip file' : why;
}
