import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { RgbaPixels } from '../sharp.ts';
import { type HeicRequest, type HeicResponse, NO_PICTURE } from './heic-decoder.ts';

/** Functions of libheif's C API in libheif-js (libheif/heif.h); an address is a number. */
type HeifFunction =
  | 'context_alloc'
  | 'context_free'
  | 'context_get_security_limits'
  | 'context_read_from_memory_without_copy'
  | 'context_get_primary_image_handle'
  | 'context_get_number_of_items'
  | 'context_get_list_of_item_IDs'
  | 'item_get_item_type'
  | 'item_get_item_data'
  | 'release_item_data'
  | 'image_handle_get_width'
  | 'image_handle_get_height'
  | 'image_handle_get_raw_color_profile_size'
  | 'image_handle_get_raw_color_profile'
  | 'image_handle_release'
  | 'decode_image'
  | 'image_get_width'
  | 'image_get_height'
  | 'image_get_plane_readonly'
  | 'image_release';

type LibHeif = Readonly<Record<`_heif_${HeifFunction}`, (...args: readonly number[]) => number>> & {
  readonly ready?: Promise<unknown>;
  readonly HEAPU8: Uint8Array;
  readonly HEAPU32: Uint32Array;
  _malloc(bytes: number): number;
  _free(address: number): void;
};

// Values of enumerations in heif.h.
const COLORSPACE_RGB = 1;
const CHROMA_INTERLEAVED_RGBA = 11;
const CHANNEL_INTERLEAVED = 10;
const ITEM_TYPE_HEVC = 0x68766331;
/** Bytes of a `heif_error`: code, subcode, address of the message. */
const ERROR_BYTES = 12;
/** Positions of fields of `heif_security_limits`, bytes. */
const MAX_ITEMS_AT = 28;
const MAX_CHILDREN_PER_BOX_AT = 60;
/** Maximum number of properties and references in a box besides its items. */
const MAX_OTHER_BOXES = 100;

// libheif logs errors to the console. stdout is reserved for results, and a worker that writes to it keeps
// the whole process alive. Relevant errors are returned in the response.
const ignore = (): void => undefined;
Object.assign(console, { log: ignore, info: ignore, warn: ignore, error: ignore, debug: ignore });

const heif = createRequire(import.meta.url)('libheif-js/wasm-bundle') as LibHeif;

/** A rejection by libheif or by a rule, worded for the photo's rejection. */
class RefusedError extends Error {}

/** Allocates bytes that are freed after the photo. */
type Allocate = (length: number) => number;

async function decode({ bytes, maxPixels, maxItems }: HeicRequest): Promise<HeicResponse> {
  await heif.ready;
  const released: (() => void)[] = [];
  const allocate: Allocate = (length) => {
    const address = heif._malloc(length);
    released.push(() => heif._free(address));
    return address;
  };
  try {
    const failed = allocate(ERROR_BYTES);
    const check = (refusal: string): void => {
      if (readNumber(failed) !== 0) throw new RefusedError(refusal);
    };
    const found = allocate(8);
    const file = allocate(bytes.length);
    heif.HEAPU8.set(bytes, file);
    const context = heif._heif_context_alloc();
    released.push(() => heif._heif_context_free(context));
    const limits = heif._heif_context_get_security_limits(context);
    writeNumber(limits + MAX_ITEMS_AT, maxItems);
    writeNumber(limits + MAX_CHILDREN_PER_BOX_AT, maxItems + MAX_OTHER_BOXES);
    heif._heif_context_read_from_memory_without_copy(failed, context, file, bytes.length, 0);
    check(NO_PICTURE);
    heif._heif_context_get_primary_image_handle(failed, context, found);
    check(NO_PICTURE);
    const handle = readNumber(found);
    released.push(() => heif._heif_image_handle_release(handle));
    const claimed = {
      width: heif._heif_image_handle_get_width(handle),
      height: heif._heif_image_handle_get_height(handle),
    };
    if (!(claimed.width > 0 && claimed.height > 0) || claimed.width * claimed.height > maxPixels)
      throw new RefusedError(`a picture of ${claimed.width}x${claimed.height} pixels`);
    if (hasZeroedData(context, allocate, failed, found))
      throw new RefusedError('zeros where picture data should be');
    clearFreeMemory(claimed.width * claimed.height * 4);
    heif._heif_decode_image(failed, handle, found, COLORSPACE_RGB, CHROMA_INTERLEAVED_RGBA, 0);
    check('picture data that libheif cannot decode');
    const image = readNumber(found);
    released.push(() => heif._heif_image_release(image));
    const pixels = copyPixels(image, found);
    const profile = copyProfile(handle, allocate, failed);
    return { ok: true, ...pixels, ...(profile && { profile }), missingShare: measureMissing(pixels) };
  } catch (error) {
    if (error instanceof RefusedError) return { ok: false, reason: error.message };
    throw error;
  } finally {
    for (const release of released.reverse()) release();
  }
}

const readNumber = (address: number): number => heif.HEAPU32[address >> 2] as number;

function writeNumber(address: number, value: number): void {
  heif.HEAPU32[address >> 2] = value;
}

/** Coded HEVC data has at most two zero bytes in a row (ITU-T H.265, 7.4.2); a few more may pad its end. */
const ZEROS = Buffer.alloc(16);

/** Returns true if coded pictures contain runs of zeros, left by a broken medium or transfer. */
function hasZeroedData(context: number, allocate: Allocate, failed: number, found: number): boolean {
  const count = heif._heif_context_get_number_of_items(context);
  const ids = allocate(4 * count);
  heif._heif_context_get_list_of_item_IDs(context, ids, count);
  for (let i = 0; i < count; i++) {
    const id = readNumber(ids + 4 * i);
    if (heif._heif_item_get_item_type(context, id) >>> 0 !== ITEM_TYPE_HEVC) continue;
    heif._heif_item_get_item_data(failed, context, id, 0, found, found + 4);
    if (readNumber(failed) !== 0) continue;
    const [start, length] = [readNumber(found), readNumber(found + 4)];
    const zeros = Buffer.from(heif.HEAPU8.buffer, start, length).indexOf(ZEROS);
    heif._heif_release_item_data(context, found);
    if (zeros !== -1 && zeros + ZEROS.length < length) return true;
  }
  return false;
}

/**
 * Fills free memory with zeros. The decoder leaves pixels without data uninitialized, which would show an earlier
 * photo; zeroed pixels are green, which `measureMissing` detects.
 */
function clearFreeMemory(bytes: number): void {
  const address = heif._malloc(bytes);
  heif.HEAPU8.fill(0, address, address + bytes);
  heif._free(address);
}

function copyPixels(image: number, scratch: number): RgbaPixels {
  const width = heif._heif_image_get_width(image, CHANNEL_INTERLEAVED);
  const height = heif._heif_image_get_height(image, CHANNEL_INTERLEAVED);
  const plane = heif._heif_image_get_plane_readonly(image, CHANNEL_INTERLEAVED, scratch);
  const stride = readNumber(scratch);
  const rgba = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const start = plane + row * stride;
    rgba.set(heif.HEAPU8.subarray(start, start + width * 4), row * width * 4);
  }
  return { rgba, width, height };
}

function copyProfile(handle: number, allocate: Allocate, failed: number): Uint8Array | undefined {
  const length = heif._heif_image_handle_get_raw_color_profile_size(handle);
  if (length === 0) return undefined;
  const address = allocate(length);
  heif._heif_image_handle_get_raw_color_profile(failed, handle, address);
  return readNumber(failed) === 0 ? heif.HEAPU8.slice(address, address + length) : undefined;
}

/** Distance between sampled pixels: half the smallest side of a coding unit. */
const STEP = 8;

/** Zero luma and chroma convert to no red or blue and a green of 135 (BT.601, full range); rounding shifts them a little. */
const MAX_RED_OR_BLUE = 4;
const MIN_GREEN = 100;

/** Returns the share of pixels, 0 to 1, with zero luma and chroma, which no photo has. */
function measureMissing({ rgba, width, height }: RgbaPixels): number {
  let missing = 0;
  let total = 0;
  for (let y = STEP >> 1; y < height; y += STEP) {
    for (let x = STEP >> 1; x < width; x += STEP, total++) {
      const at = 4 * (y * width + x);
      const [red, green, blue] = [rgba[at] as number, rgba[at + 1] as number, rgba[at + 2] as number];
      if (Math.max(red, blue) <= MAX_RED_OR_BLUE && green >= MIN_GREEN) missing++;
    }
  }
  return missing / total;
}

parentPort?.on('message', async (request: HeicRequest) => {
  const response = await decode(request).catch((error: unknown): HeicResponse => {
    return { ok: false, reason: `data that libheif refuses (${String(error)})` };
  });
  parentPort?.postMessage(response, response.ok ? [response.rgba.buffer as ArrayBuffer] : []);
});
