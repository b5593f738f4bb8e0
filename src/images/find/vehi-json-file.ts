import { posix } from 'node:path';
import { type StatedPhoto, type StatedVehicle, VehiJsonSchema } from '../../contract/vehi-json.ts';
import type { ClaimFacts } from '../../domain/vehicle/claim-file.ts';
import { normalizeClaim, normalizeVehicle, VEHICLE_VALIDATORS } from '../../domain/vehicle/stated-facts.ts';
import { checkText, makeDocumentError } from '../../lib/check.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { VehiError } from '../../lib/errors.ts';
import { describeValue, type FieldFault } from '../../lib/fields.ts';
import { defined } from '../../lib/objects.ts';
import { describeFsError } from '../read/fs-error.ts';
import { withFile } from '../read/with-file.ts';

/** A validated `vehi.json`. Photos are keyed by path relative to its folder, with forward slashes, in Unicode NFC. */
export interface VehiJson {
  /** Its path as messages show it. */
  readonly path: string;
  readonly vehicleId?: string;
  readonly vehicle?: StatedVehicle;
  readonly claim?: ClaimFacts;
  readonly photos: ReadonlyMap<string, StatedPhoto>;
}

const MAX_BYTES = 1024 * 1024;
const HINT = 'Correct vehi.json or remove it; photos are inspected without one as well.';

/**
 * Reads a `vehi.json`; undefined if there is none at this path.
 * @param name its path as messages show it
 * @throws VehiError input INVALID_MANIFEST or NOT_UTF8, naming file, field, what was found and what is expected
 */
export async function readVehiJson(path: string, name: string): Promise<VehiJson | undefined> {
  const text = await readText(path, name);
  return text === undefined ? undefined : parseVehiJson(text, name);
}

async function readText(path: string, name: string): Promise<string | undefined> {
  try {
    return await withFile(path, async (file) => {
      const facts = await file.stat();
      if (!facts.isFile()) throw makeInvalidError(name, 'found something other than a file', 'a JSON file');
      if (facts.size > MAX_BYTES) throw makeInvalidError(name, `found ${facts.size} bytes`, 'at most 1 MB');
      return decodeText(await file.readFile(), name);
    });
  } catch (error) {
    if (error instanceof VehiError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw makeInvalidError(name, `found ${describeFsError(error)}`, 'a file that can be read');
  }
}

const makeInvalidError = (name: string, found: string, expected: string) =>
  new VehiError('input', 'INVALID_MANIFEST', `${name}: ${found}; expected ${expected}`, { hint: HINT });

/**
 * Validates the text of a `vehi.json` (`VehiJsonSchema`).
 * @throws VehiError input INVALID_MANIFEST, as `readVehiJson`
 */
export function parseVehiJson(text: string, name: string): VehiJson {
  const source = { document: name, kind: 'input', code: 'INVALID_MANIFEST', hint: HINT } as const;
  const stated = checkText(VehiJsonSchema, text, { ...source, validators: VEHICLE_VALIDATORS });
  const { vehicle_id, vehicle, claim, photos = {} } = stated;
  const entries = Array.isArray(photos)
    ? photos.map(({ file, ...photo }, index) => ({ key: `[${index}].file`, file, photo }))
    : Object.entries(photos).map(([file, photo]) => ({ key: `[${JSON.stringify(file)}]`, file, photo }));
  const byPath = new Map<string, StatedPhoto>();
  const faults: FieldFault[] = [];
  for (const { key, file, photo } of entries) {
    const field = `photos${key}`;
    const addFault = (problem: string) =>
      faults.push({ code: source.code, field, message: `${field} ${problem}` });
    const clean = cleanPath(file);
    if (clean === undefined)
      addFault(`is ${describeValue(file)}; a path relative to vehi.json, inside its folder, is needed.`);
    else if (byPath.has(clean)) addFault(`is "${clean}" a second time; each file is needed once.`);
    else byPath.set(clean, photo);
  }
  if (faults.length > 0) throw makeDocumentError(source, faults);
  return {
    path: name,
    ...defined({
      vehicleId: vehicle_id,
      vehicle: vehicle && normalizeVehicle(vehicle),
      claim: claim && normalizeClaim(claim),
    }),
    photos: byPath,
  };
}

/** Normalizes a path in the folder of the file: forward slashes, no `../`, Unicode NFC; undefined for other paths. */
function cleanPath(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return undefined;
  const clean = posix.normalize(path.replaceAll('\\', '/')).normalize('NFC');
  const isOutside =
    posix.isAbsolute(clean) ||
    /^[a-z]:/i.test(clean) ||
    clean === '.' ||
    clean.endsWith('/') ||
    clean.split('/')[0] === '..';
  return isOutside ? undefined : clean;
}
