import { basename, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { StatedVehicle } from '../../contract/vehi-json.ts';
import { PHOTO_FORMAT_WORDS } from '../../domain/photo.ts';
import type { ClaimFacts } from '../../domain/vehicle/claim-file.ts';
import { MAX_VEHICLE_ID_LENGTH } from '../../domain/vehicle/vehicle.ts';
import type { PhotoInput, PhotoSource } from '../../engine/request.ts';
import { VehiError } from '../../lib/errors.ts';
import { summarizeNames } from '../../lib/format-count.ts';
import { compact } from '../../lib/lists.ts';
import { escapeName, formatSuggestion } from '../../lib/names.ts';
import { defined } from '../../lib/objects.ts';
import { readAngleFromName } from './angle-from-name.ts';
import { type DiscoverOptions, type Discovery, discoverPhotos, type FoundPhoto } from './discover-photos.ts';
import { DRAWN_COPY } from './drawn-copy.ts';
import { readVehiJson, type VehiJson } from './vehi-json-file.ts';

/** Name of the file that describes the photos of a folder. */
const FILE_NAME = 'vehi.json';

/** A file to inspect, with the facts from `vehi.json` or its name. */
interface GatheredPhoto extends PhotoInput {
  readonly source: Extract<PhotoSource, { kind: 'file' }>;
}

export interface GatheredPhotos extends Pick<Discovery, 'problems'> {
  readonly photos: readonly GatheredPhoto[];
  /** From `vehi.json`, else the first folder's name; absent if there is neither. */
  readonly vehicleId?: { readonly value: string; readonly source: 'manifest' | 'folder' };
  readonly vehicle?: StatedVehicle;
  readonly claim?: ClaimFacts;
  /** Paths of the `vehi.json` files read, in the form of the arguments. */
  readonly vehiJsonPaths: readonly string[];
  /** Skipped images in other formats, and entries of `vehi.json` without a photo. */
  readonly warnings: readonly string[];
}

/**
 * Finds the photos for the arguments (see `discoverPhotos`) and their facts: from `vehi.json` in the given folder (or
 * the photo's own), else from the file name.
 * @throws VehiError as `discoverPhotos` and `readVehiJson`, or input CONFLICTING_MANIFESTS
 */
export async function gatherPhotos(
  args: readonly string[],
  options: DiscoverOptions,
): Promise<GatheredPhotos> {
  const { photos, problems, skipped } = await discoverPhotos(args, options);
  const fileOf = new Map<string, VehiJson>();
  for (const [root, { path, url }] of new Map(photos.map((photo) => [photo.root, photo]))) {
    const file = await readVehiJson(join(root, FILE_NAME), join(url, relative(path, root), FILE_NAME));
    if (file !== undefined) fileOf.set(root, file);
  }
  const files = [...fileOf.values()];
  refuseConflicts(files);
  return {
    photos: photos.map((photo) => describePhoto(photo, fileOf.get(photo.root))),
    problems,
    ...defined({
      vehicleId: chooseVehicleId(files, photos),
      vehicle: mergeBlocks(files.map(({ vehicle }) => vehicle)),
      claim: mergeBlocks(files.map(({ claim }) => claim)),
    }),
    vehiJsonPaths: files.map(({ path }) => path),
    warnings: [
      ...describeSkipped(skipped),
      ...[...fileOf].flatMap(([root, file]) => listUnmatchedEntries(root, file, photos)),
    ],
  };
}

function describePhoto(photo: FoundPhoto, file: VehiJson | undefined): GatheredPhoto {
  const entry = file?.photos.get(photo.name.normalize('NFC'));
  const named = entry?.angle ? undefined : readAngleFromName(photo.name);
  return {
    source: { kind: 'file', path: photo.path, name: photo.url },
    url: photo.url,
    ...(entry?.angle && { angle: entry.angle, angleSource: 'manifest' }),
    ...(named && { angle: named, angleSource: 'file_name' }),
    ...defined({ type: entry?.type }),
  };
}

/**
 * Refuses `vehi.json` files that contradict each other in a fact that applies to all photos.
 * @throws VehiError input CONFLICTING_MANIFESTS, naming the first field with two values, and both files
 */
function refuseConflicts(files: readonly VehiJson[]): void {
  const stated = new Map<string, { readonly path: string; readonly value: unknown }>();
  for (const { path, vehicleId, vehicle = {}, claim = {} } of files) {
    const { market_value: amount, currency, ...others } = vehicle;
    // An amount means nothing without its own currency, so they are one fact.
    const market_value = (amount ?? currency) === undefined ? undefined : defined({ amount, currency });
    const facts = Object.entries({ vehicle: { ...others, market_value }, claim }).flatMap(([block, fields]) =>
      Object.entries(fields).map(([name, value]) => [`${block}.${name}`, value] as const),
    );
    for (const [field, value] of [['vehicle_id', vehicleId] as const, ...facts]) {
      if (value === undefined) continue;
      const other = stated.get(field) ?? { path, value };
      if (!isDeepStrictEqual(other.value, value)) {
        const message = `${other.path} says ${field} ${JSON.stringify(other.value)}, ${path} says ${JSON.stringify(value)}.`;
        const hint = 'Inspect one vehicle at a time, with `vehi.json` files that agree.';
        throw new VehiError('input', 'CONFLICTING_MANIFESTS', escapeName(message), { hint, field });
      }
      stated.set(field, other);
    }
  }
}

/** Merges the blocks of facts that the files state; undefined if none does. */
function mergeBlocks<B>(blocks: readonly (B | undefined)[]): B | undefined {
  const stated = blocks.filter((block) => block !== undefined);
  return stated.length === 0 ? undefined : Object.assign({}, ...stated);
}

function chooseVehicleId(
  files: readonly VehiJson[],
  photos: readonly FoundPhoto[],
): GatheredPhotos['vehicleId'] {
  const stated = files.find(({ vehicleId }) => vehicleId !== undefined)?.vehicleId;
  if (stated !== undefined) return { value: stated, source: 'manifest' };
  const folder = escapeName(basename(photos[0]?.root ?? ''))
    .slice(0, MAX_VEHICLE_ID_LENGTH)
    .trim();
  return folder === '' ? undefined : { value: folder, source: 'folder' };
}

/** Maximum number of pictures named in a warning. */
const MAX_NAMED = 5;

/** Warns about skipped images in other formats, and about copies with boxes; empty if there are none. */
function describeSkipped(skipped: Discovery['skipped']): readonly string[] {
  const drawn = skipped.filter(({ found }) => found === DRAWN_COPY).map(({ url }) => escapeName(url));
  const others = skipped
    .filter(({ found }) => found !== DRAWN_COPY)
    .map(({ url, found }) => `${escapeName(url)} (${found})`);
  return compact([
    others.length > 0 &&
      `skipped: ${summarizeNames(others, MAX_NAMED)}; photos must be ${PHOTO_FORMAT_WORDS}`,
    drawn.length > 0 &&
      `skipped, because vehi drew boxes into ${drawn.length === 1 ? 'it' : 'them'}: ${summarizeNames(drawn, MAX_NAMED)}`,
  ]);
}

/** Lists entries of `vehi.json` that match no photo of the folder; only if the whole folder was scanned. */
function listUnmatchedEntries(
  root: string,
  file: VehiJson,
  photos: readonly FoundPhoto[],
): readonly string[] {
  const folderPhotos = photos.filter((photo) => photo.root === root);
  const names = folderPhotos.map((photo) => photo.name.normalize('NFC'));
  if (!folderPhotos.some((photo) => photo.scanned)) return [];
  // A photo with its own entry is not suggested for another.
  const unnamed = names.filter((name) => !file.photos.has(name));
  return [...file.photos.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => {
      const named = `"${escapeName(name)}"${formatSuggestion(name, unnamed)}`;
      return `${escapeName(file.path)}: photos names ${named}, which is not among the photos`;
    });
}
