import type { PhotoFormat } from '../../domain/photo.ts';
import type { PhotoRules } from './photo-rules.ts';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** Property of a photo that makes decoding disproportionately slow, and the requirement. */
interface Excess {
  readonly found: string;
  readonly needed: string;
}

/**
 * Detects photos that would occupy a decoder out of proportion to their size: a JPEG with many scans, each over all
 * pixels (ITU-T T.81, G.1.1), or a HEIC photo of more tiles than its pixels need or of overlaid pictures (ISO/IEC
 * 23008-12, 6.6.2). Decodes no pixels.
 */
export function findExcess(bytes: Uint8Array, format: PhotoFormat, rules: PhotoRules): Excess | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format === 'jpeg') {
    const scans = countScans(file);
    if (scans <= rules.maxScans) return undefined;
    return { found: `a JPEG file with ${scans} scans`, needed: `at most ${rules.maxScans} scans` };
  }
  if (format !== 'heic') return undefined;
  const items = countItems(file);
  if (items > rules.maxItems)
    return { found: `a HEIC photo of ${items} parts`, needed: `at most ${rules.maxItems} parts` };
  const { overlays, references } = readDerived(file);
  if (overlays) return { found: 'a HEIC photo of pictures laid over each other', needed: 'a single picture' };
  if (references <= rules.maxTiles) return undefined;
  return { found: `a HEIC photo of ${references} tiles`, needed: `at most ${rules.maxTiles} tiles` };
}

function countScans(file: Buffer): number {
  let scans = 0;
  for (let at = file.indexOf(0xff, 2); at !== -1 && at + 1 < file.length; at = file.indexOf(0xff, at)) {
    const marker = file[at + 1] as number;
    if (marker === END_OF_IMAGE) break;
    // Fill bytes, or stuffed bytes and restart markers in scan data.
    const isStandalone = marker === 0xff || marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (marker === START_OF_SCAN) scans++;
    if (isStandalone) at += marker === 0xff ? 1 : 2;
    else at += at + 4 > file.length ? 2 : 2 + file.readUInt16BE(at + 2);
  }
  return scans;
}

/** Iterates over the boxes in a byte range of a file, with their contents (ISO/IEC 14496-12, 4.2). */
function* listBoxes(
  file: Buffer,
  from: number,
  to: number,
): Generator<{ type: string; start: number; end: number }> {
  for (let at = from; at + 8 <= to; ) {
    const short = file.readUInt32BE(at);
    const long = short === 1 && at + 16 <= to;
    const length = long ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short;
    if (length < 8) return;
    const end = Math.min(to, at + length);
    yield { type: file.toString('latin1', at + 4, at + 8), start: at + (long ? 16 : 8), end };
    at += length;
  }
}

/** Codecs of HEIF items (ISO/IEC 23008-12, annexes; MIAF) that libheif-js does not decode here. */
const FOREIGN_CODECS: Readonly<Record<string, string>> = {
  av01: 'AV1 content (an AVIF image)',
  avc1: 'H.264 content',
  jpeg: 'JPEG content',
  j2k1: 'JPEG 2000 content',
  vvc1: 'H.266 content',
  evc1: 'EVC content',
  unci: 'uncompressed content',
};

/** Names the codec of a HEIF file without any HEVC picture; undefined if it has one, or no known item. */
export function findForeignCodec(bytes: Uint8Array): string | undefined {
  const types = new Set(listItemTypes(bytes));
  if (types.has('hvc1')) return undefined;
  return Object.entries(FOREIGN_CODECS).find(([type]) => types.has(type))?.[1];
}

/** Returns the number of items (pictures, tiles, metadata) that a HEIF file states. */
export function countItems(bytes: Uint8Array): number {
  const { file, start } = findItemInfo(bytes);
  if (start === undefined) return 0;
  return file[start] === 0 ? file.readUInt16BE(start + 4) : file.readUInt32BE(start + 4);
}

function listItemTypes(bytes: Uint8Array): readonly string[] {
  const { file, start, end } = findItemInfo(bytes);
  if (start === undefined) return [];
  const entries = [...listBoxes(file, start + (file[start] === 0 ? 6 : 8), end)];
  // Version 2 has 16-bit item ids, version 3 has 32-bit ones; the type follows the protection index.
  return entries.map((entry) => {
    const at = entry.start + (file[entry.start] === 3 ? 10 : 8);
    return file.toString('latin1', at, at + 4);
  });
}

/** Returns the content of the item information box (ISO/IEC 14496-12, 8.11.6); without `start` if there is none. */
function findItemInfo(bytes: Uint8Array): { file: Buffer; start?: number; end: number } {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const meta = [...listBoxes(file, 0, file.length)].find(({ type }) => type === 'meta');
  const boxes = meta ? [...listBoxes(file, meta.start + 4, meta.end)] : [];
  const info = boxes.find(({ type, start, end }) => type === 'iinf' && start + 8 <= end);
  return { file, ...info, end: info?.end ?? 0 };
}

/** Reads the highest number of source pictures, direct or indirect, of a derived picture, and if any are overlays. */
function readDerived(file: Buffer): { overlays: boolean; references: number } {
  const meta = [...listBoxes(file, 0, file.length)].find(({ type }) => type === 'meta');
  const parts = new Map<number, number[]>();
  let overlays = false;
  for (const box of meta ? listBoxes(file, meta.start + 4, meta.end) : []) {
    if (box.type === 'iinf') overlays = file.subarray(box.start, box.end).includes('iovl');
    if (box.type !== 'iref') continue;
    const isWide = file[box.start] !== 0;
    const readId = (at: number) =>
      at + 4 > file.length ? 0 : isWide ? file.readUInt32BE(at) : file.readUInt16BE(at);
    const size = isWide ? 4 : 2;
    for (const { type, start, end } of listBoxes(file, box.start + 4, box.end)) {
      if (type !== 'dimg') continue;
      const ids: number[] = [];
      for (let at = start + size + 2; at + size <= end; at += size) ids.push(readId(at));
      parts.set(readId(start), ids);
    }
  }
  const totals = new Map<number, number>();
  const count = (id: number): number => {
    const found = totals.get(id);
    if (found !== undefined) return found;
    // Breaks cycles; the decoder rejects a picture derived from itself.
    totals.set(id, 0);
    const total = parts.get(id)?.reduce((sum, part) => sum + count(part), 0) ?? 1;
    totals.set(id, total);
    return total;
  };
  return { overlays, references: Math.max(0, ...[...parts.keys()].map(count)) };
}
