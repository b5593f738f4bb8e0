import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { ANGLES, type Angle } from '../../domain/damage.ts';
import type { InspectRequest, PhotoInput } from '../../engine/request.ts';
import { MANIFEST_NAME, parseManifest } from '../../images/find/manifest-file.ts';
import { displayName } from '../../lib/display-name.ts';
import { humanise } from '../../report/words.ts';
import type { Asker } from '../terminal/asker.ts';
import { writeFileWhole } from '../terminal/output.ts';

/** The request with the angles a person knew, and the manifests they are remembered in. */
export interface AskedAngles {
  readonly request: InspectRequest;
  readonly manifests: readonly string[];
}

/**
 * Asks for the angle of each photo whose angle nothing stated, and remembers the answers in the `vehi.json` next to the
 * photos; null where there was nothing to ask or nothing was known.
 * @throws VehiError usage OUTPUT_NOT_WRITABLE when a manifest cannot be written
 */
export async function askAngles(
  request: InspectRequest,
  { data }: InspectionEnvelope,
  asker: Asker,
): Promise<AskedAngles | null> {
  const unknown = new Set(
    data.images.filter((photo) => photo.angle_source === 'unknown').map((photo) => photo.url),
  );
  const known = new Map<PhotoInput, Angle>();
  for (const photo of request.photos) {
    if (!unknown.has(photo.url) || photo.source.kind !== 'file') continue;
    const answer = await asker.select<Angle | ''>(`What does ${displayName(photo.url)} show?`, [
      ...ANGLES.map((angle) => ({ value: angle, name: humanise(angle) })),
      { value: '', name: 'Not known' },
    ]);
    if (answer !== '') known.set(photo, answer);
  }
  if (known.size === 0) return null;
  const photos = request.photos.map((photo): PhotoInput => {
    const angle = known.get(photo);
    return angle === undefined ? photo : { ...photo, angle, angleSource: 'manifest' };
  });
  return { request: { ...request, photos }, manifests: await remember(known) };
}

async function remember(known: ReadonlyMap<PhotoInput, Angle>): Promise<readonly string[]> {
  const byFolder = new Map<string, Map<string, Angle>>();
  for (const [{ source }, angle] of known) {
    if (source.kind !== 'file') continue;
    const folder = dirname(source.path);
    const names = byFolder.get(folder) ?? new Map<string, Angle>();
    byFolder.set(folder, names.set(basename(source.path), angle));
  }
  const manifests: string[] = [];
  for (const [folder, angles] of byFolder) {
    const path = join(folder, MANIFEST_NAME);
    const before = await readFile(path, 'utf8').catch(() => '{}');
    parseManifest(before, path);
    await writeFileWhole(path, `${JSON.stringify(withAngles(JSON.parse(before), angles), null, 2)}\n`);
    manifests.push(path);
  }
  return manifests;
}

type Entry = Readonly<Record<string, unknown>>;
type Manifest = { readonly photos?: readonly Entry[] | Readonly<Record<string, Entry>> };

/** A checked manifest with more angles; whatever else it says stays, also the form of its list of photos. */
function withAngles(manifest: Manifest, angles: ReadonlyMap<string, Angle>): unknown {
  const { photos = {} } = manifest;
  if (Array.isArray(photos)) {
    const list = photos as readonly Entry[];
    const named = new Set(list.map((entry) => entry.file));
    const kept = list.map((entry) => {
      const angle = angles.get(String(entry.file));
      return angle === undefined ? entry : { ...entry, angle };
    });
    const added = [...angles].flatMap(([file, angle]) => (named.has(file) ? [] : [{ file, angle }]));
    return { ...manifest, photos: [...kept, ...added] };
  }
  const byName = photos as Readonly<Record<string, Entry>>;
  const added = [...angles].map(([file, angle]): [string, Entry] => [file, { ...byName[file], angle }]);
  return { ...manifest, photos: { ...byName, ...Object.fromEntries(added) } };
}
