import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { isDrawnCopy } from '../../images/find/drawn-copy.ts';
import type { GatheredPhotos } from '../../images/find/gather-photos.ts';
import { SNIFF_BYTES, sniffFormat } from '../../images/read/format.ts';
import { VehiError } from '../../lib/errors.ts';
import { escapeName } from '../../lib/names.ts';
import { isReadOnly } from '../terminal/output.ts';
import type { Output } from './parse-output.ts';

/** A file that a command writes or reads; `words` names it for the user, such as `--output pdf=claim.pdf`. */
export interface NamedFile {
  readonly path: string;
  readonly words: string;
}

/** Files that describe photos or hold settings, which no result may replace. */
const OWN_FILES = ['vehi.json', 'vehi.config.json'];

/**
 * Refuses outputs that would destroy something, before any work starts: an output that is an input, another output, a
 * photo, or a file of vehi's own. Files are compared by device and inode, so links and case variants are found.
 * @param outputs paths relative to `cwd`; `-` for stdout is ignored, and so are devices and pipes
 * @throws VehiError usage OUTPUT_OVERWRITES, naming both files
 */
export async function refuseOverwrites(
  outputs: readonly NamedFile[],
  inputs: readonly NamedFile[],
  cwd: string,
): Promise<void> {
  const taken = new Map<string, string>();
  for (const { path, words } of inputs) {
    const file = path === '-' ? null : await identify(resolve(cwd, path));
    if (file !== null) taken.set(file.key, words);
  }
  for (const output of outputs) {
    if (output.path === '-') continue;
    const path = resolve(cwd, output.path);
    const file = await identify(path);
    if (file === null) continue;
    const other = taken.get(file.key) ?? findOwnFile(path);
    if (other !== undefined) throw makeError(output, other);
    if (file.isReadOnly) throw makeError(output, `${escapeName(output.path)}, which is read-only`);
    if (file.exists && (await isOriginalPhoto(path)))
      throw makeError(output, `${escapeName(output.path)}, which is a photo`);
    taken.set(file.key, output.words);
  }
}

/** Lists outputs for `refuseOverwrites`. */
export function nameOutputs(outputs: readonly Output[]): readonly NamedFile[] {
  return outputs.map(({ kind, path }) => ({ path, words: `--output ${kind}=${escapeName(path)}` }));
}

/** Lists copies with drawn boxes for `refuseOverwrites`. */
export function nameCopies(copies: ReadonlyMap<string, string>): readonly NamedFile[] {
  return [...copies.values()].map((path) => ({ path, words: `--annotated: ${escapeName(path)}` }));
}

/** Lists the files that settings name. */
export function nameSettingsFiles({
  regions,
  font,
}: Pick<Settings, 'regions' | 'font'>): readonly NamedFile[] {
  return [regions, font].flatMap(({ value, from }) =>
    value === null ? [] : [{ path: value, words: `${escapeName(value)}, the file of ${from}` }],
  );
}

/** Lists the photos of a run and the `vehi.json` that describe them. */
export function namePhotoFiles({
  photos,
  problems,
  manifests,
}: Pick<GatheredPhotos, 'photos' | 'problems' | 'manifests'>): readonly NamedFile[] {
  return [
    ...photos.map(({ source, url }) => ({ path: source.path, words: `the photo ${escapeName(url)}` })),
    ...problems.map(({ url }) => ({ path: url, words: `${escapeName(url)}, which is read` })),
    ...manifests.map((path) => ({ path, words: `${escapeName(path)}, which describes the photos` })),
  ];
}

/** Returns a key of the file at a path; null for a device, a pipe or a folder, which is not replaced. */
async function identify(path: string): Promise<Identity | null> {
  const facts = await stat(path, { bigint: true }).catch(() => undefined);
  if (facts === undefined) {
    const key = (await locateNewFile(path)).normalize('NFC').toLowerCase();
    return { key, exists: false, isReadOnly: false };
  }
  if (!facts.isFile()) return null;
  return { key: `${facts.dev}:${facts.ino}`, exists: true, isReadOnly: isReadOnly(Number(facts.mode)) };
}

interface Identity {
  readonly key: string;
  readonly exists: boolean;
  readonly isReadOnly: boolean;
}

/** Returns the real path of a file that does not exist yet: that of its nearest folder, with the rest appended. */
async function locateNewFile(path: string): Promise<string> {
  const folder = dirname(path);
  if (folder === path) return path;
  const real = await realpath(folder).catch(() => locateNewFile(folder));
  return join(real, basename(path));
}

function findOwnFile(path: string): string | undefined {
  return OWN_FILES.find((name) => name === basename(path).toLowerCase());
}

/** Returns true for any picture or video other than the copies that vehi draws, which a new run may replace. */
async function isOriginalPhoto(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => null);
  if (handle === null) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    const sniffed = sniffFormat(head);
    if (sniffed.kind === 'photo') return !isDrawnCopy(head);
    return sniffed.kind === 'other' && /image|video|Photoshop/.test(sniffed.name);
  } finally {
    await handle.close();
  }
}

function makeError({ path, words }: NamedFile, other: string): VehiError {
  return new VehiError('usage', 'OUTPUT_OVERWRITES', `${words} would overwrite ${other}.`, {
    field: path,
    hint: 'Write to another place; nothing was changed.',
  });
}
