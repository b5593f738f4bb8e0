import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { MAX_VEHICLE_ID_LENGTH } from '../../domain/vehicle/vehicle.ts';
import { classifyFile } from '../../images/find/classify-file.ts';
import { refuseEmptyPaths } from '../../images/find/discover-photos.ts';
import { DRAWN_COPY } from '../../images/find/drawn-copy.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import { takeFreeName } from '../../lib/files.ts';
import { hashBytes } from '../../lib/ids.ts';
import { comparePaths, escapeName } from '../../lib/names.ts';
import type { CliContext } from '../terminal/context.ts';
import { makeListError, readCsv } from '../terminal/read-csv.ts';
import { readText } from '../terminal/read-json.ts';

export interface FleetVehicle {
  /** Vehicle id from a list; null if it comes from vehi.json or the folder name. */
  readonly vehicleId: string | null;
  /** Photo folder as given and as absolute path. */
  readonly folder: string;
  readonly path: string;
  /** Vehicle id from a list, otherwise the folder name. */
  readonly label: string;
  /** Base name of the result file, unique in the fleet ignoring case. */
  readonly name: string;
}

/**
 * Lists the subfolders of a folder as vehicles, and the photos next to them, both in natural order; without hidden
 * folders, `node_modules`, and folders that hold no photos but outputs or drawn copies.
 * @throws VehiError input FOLDER_UNREADABLE or NO_VEHICLES_FOUND; usage for an empty path
 */
export async function listSubfolders(given: string, cwd: string, excluded: readonly string[]) {
  refuseEmptyPaths([given]);
  const root = resolve(cwd, given);
  const entries = await readdir(root, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    const message = `${escapeName(given)}: the folder cannot be read (${toReason(cause)}).`;
    throw new VehiError('input', 'FOLDER_UNREADABLE', message, { cause });
  });
  const names: string[] = [];
  const strays: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (name.startsWith('.') || name === 'node_modules') continue;
    const path = join(root, name);
    if ((await followLink(entry, path))?.isDirectory()) {
      if (await isVehicle(path, excluded.includes(path))) names.push(name);
    } else if (await isPhoto(entry, path)) strays.push(name);
  }
  if (names.length === 0) {
    const message = `${escapeName(given)} has no subfolders; --many takes each of them as a vehicle.`;
    const hint = 'Name the folder above the vehicles, or leave --many out.';
    throw new VehiError('input', 'NO_VEHICLES_FOUND', message, { hint });
  }
  const folder = given.replace(/\/+$/, '');
  const vehicles = names.sort(comparePaths).map((name) => ({
    vehicleId: null,
    folder: folder === '.' ? name : `${folder}/${name}`,
    path: join(root, name),
    label: name,
  }));
  return { vehicles: addNames(vehicles), strays: strays.sort(comparePaths) };
}

/** Returns the facts of a file or folder, those of the target for a link; undefined for a link to nothing. */
const followLink = async (entry: Dirent, path: string): Promise<Dirent | Stats | undefined> =>
  entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry;

const isPhoto = async (entry: Dirent, path: string) =>
  (await followLink(entry, path))?.isFile() && (await classifyFile(path))?.photo;

/** Returns true for a folder with photos, or one that is neither excluded nor holds drawn copies alone. */
async function isVehicle(folder: string, isExcluded: boolean): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let copies = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (await isPhoto(entry, path)) return true;
    const file = await classifyFile(path);
    if (file?.photo === false && file.found === DRAWN_COPY) copies++;
  }
  return !isExcluded && (copies === 0 || copies < entries.length);
}

/**
 * Reads a CSV with columns `vehicle_id` and `folder` in file order; folders are relative to the file.
 * @throws VehiError input FILE_UNREADABLE, NOT_UTF8 or INVALID_VEHICLE_LIST, with all its faults
 */
export async function readVehicleList(given: string, ctx: CliContext): Promise<FleetVehicle[]> {
  const base = dirname(given);
  const faults: string[] = [];
  const lineOf = new Map<string, number>();
  const fail = (found: readonly string[]) => makeListError('INVALID_VEHICLE_LIST', given, found, FORM);
  const rows = readCsv(await readText(given, ctx), ['vehicle_id', 'folder'], (fault) => fail([fault]));
  const vehicles = rows.map(({ cells: { vehicle_id: vehicleId = '', folder = '' }, line }) => {
    if (vehicleId === '' || vehicleId.length > MAX_VEHICLE_ID_LENGTH)
      faults.push(
        `line ${line}: vehicle_id has ${vehicleId.length} characters; needed: 1 to ${MAX_VEHICLE_ID_LENGTH}`,
      );
    else if (folder === '' || folder === '-')
      faults.push(`line ${line}: folder is ${folder || 'empty'}; needed: the folder of the photos`);
    else if (lineOf.has(vehicleId))
      faults.push(`line ${line}: vehicle_id "${vehicleId}" is in line ${lineOf.get(vehicleId)} already`);
    lineOf.set(vehicleId, line);
    return {
      vehicleId,
      folder: base === '.' || isAbsolute(folder) ? folder : join(base, folder),
      path: resolve(ctx.cwd, base, folder),
      label: vehicleId,
    };
  });
  if (vehicles.length === 0) faults.push('no vehicles below the header line');
  if (faults.length > 0) throw fail(faults);
  return addNames(vehicles);
}

const FORM = 'The list needs a header line "vehicle_id,folder" and one line per vehicle.';

function addNames(vehicles: readonly Omit<FleetVehicle, 'name'>[]): FleetVehicle[] {
  const takenNames = new Set<string>();
  return vehicles.map((vehicle) => {
    const { label } = vehicle;
    const stem = label
      .replace(/[^\p{L}\p{N}._-]+/gu, '_')
      .replace(/^\.+/, '_')
      // With hash and ending at most 255 bytes, the longest name of a file: a letter may have three.
      .slice(0, 75);
    // vehi.json describes photos.
    const isFree = !takenNames.has(stem.toLowerCase()) && !/^(summary|vehi|vehi\.config)$/i.test(stem);
    const wanted = stem === label && isFree ? stem : `${stem}-${hashBytes(label).slice(0, 8)}`;
    return { ...vehicle, name: takeFreeName(wanted, takenNames) };
  });
}
