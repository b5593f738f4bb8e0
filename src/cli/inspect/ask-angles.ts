import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ANGLES, type Angle } from '../../domain/damage.ts';
import type { InspectRequest, PhotoInput } from '../../engine/request.ts';
import { MANIFEST_NAME, parseVehicleManifest } from '../../images/find/manifest-file.ts';
import { escapeName } from '../../lib/display-name.ts';
import { parseJson, toJsonText } from '../../lib/json.ts';
import { humanise } from '../../report/words.ts';
import { type Asker, createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole } from '../terminal/output.ts';
import { printStatus } from '../terminal/progress.ts';

/** Answers that name no angle. */
const UNKNOWN = '';
const SKIP_ALL = 'skip_all';

/** Angles by the photos that a person named them for. */
export type AskedAngles = ReadonlyMap<PhotoInput, Angle>;

/** Asks for the angle of each of the photos, until all are named or the rest is skipped. */
export async function askAngles(photos: readonly PhotoInput[], asker: Asker): Promise<AskedAngles> {
  const angles = new Map<PhotoInput, Angle>();
  for (const [index, photo] of photos.entries()) {
    const left = photos.length - index;
    const answer = await asker.select<Angle | typeof UNKNOWN | typeof SKIP_ALL>(
      `What does ${escapeName(photo.url)} show?`,
      [
        { value: UNKNOWN, name: "Don't know" },
        ...(left > 1 ? [{ value: SKIP_ALL, name: `Skip all (${left} photos left)` } as const] : []),
        ...ANGLES.map((angle) => ({ value: angle, name: humanise(angle) })),
      ],
    );
    if (answer === SKIP_ALL) break;
    if (answer !== UNKNOWN) angles.set(photo, answer);
  }
  return angles;
}

/** Asks before photos are sent to a service, which needs the angle of each. */
export async function askAnglesForService(
  photos: readonly PhotoInput[],
  ctx: CliContext,
): Promise<AskedAngles> {
  await printStatus(
    ctx,
    'A service needs to know what each photo shows; a photo whose view nobody names is left out.',
  );
  return askAngles(photos, await createTerminalAsker(ctx));
}

/** Returns the request with the angles that a person named. */
export function withAngles(request: InspectRequest, angles: AskedAngles): InspectRequest {
  const photos = request.photos.map((photo): PhotoInput => {
    const angle = angles.get(photo);
    return angle === undefined ? photo : { ...photo, angle, angleSource: 'request' };
  });
  return { ...request, photos };
}

/** Returns the paths of the manifests that would remember the angles, each next to its photos. */
export function listManifests(angles: AskedAngles): readonly string[] {
  return [...groupAnglesByFolder(angles).keys()].map((folder) => join(folder, MANIFEST_NAME));
}

/**
 * Writes angles into the `vehi.json` next to the photos; what it says otherwise stays.
 * @returns the manifests written
 * @throws VehiError usage OUTPUT_NOT_WRITABLE when a manifest cannot be written, input when one there is cannot be used
 */
export async function rememberAngles(angles: AskedAngles): Promise<readonly string[]> {
  const manifests: string[] = [];
  for (const [folder, named] of groupAnglesByFolder(angles)) {
    const path = join(folder, MANIFEST_NAME);
    const before = await readFile(path, 'utf8').catch(() => '{}');
    parseVehicleManifest(before, path);
    await writeFileWhole(path, toJsonText(addAngles(parseJson(before) as object, named)));
    manifests.push(path);
  }
  return manifests;
}

function groupAnglesByFolder(angles: AskedAngles): ReadonlyMap<string, ReadonlyMap<string, Angle>> {
  const byFolder = new Map<string, Map<string, Angle>>();
  for (const [{ source }, angle] of angles) {
    if (source.kind !== 'file') continue;
    const folder = dirname(source.path);
    const names = byFolder.get(folder) ?? new Map<string, Angle>();
    byFolder.set(folder, names.set(basename(source.path), angle));
  }
  return byFolder;
}

type Entry = Readonly<Record<string, unknown>>;
type Manifest = { readonly photos?: readonly Entry[] | Readonly<Record<string, Entry>> };

/** Returns a checked manifest with more angles; everything else in it stays, also the form of its list of photos. */
function addAngles(manifest: Manifest, angles: ReadonlyMap<string, Angle>): unknown {
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
