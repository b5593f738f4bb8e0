import { sumBy } from '../../lib/lists.ts';

interface Box {
  readonly type: string;
  /** Bytes of the content, within the range. */
  readonly start: number;
  readonly end: number;
  /** True if the box states an end beyond the range. */
  readonly mayContinue: boolean;
}

/** Iterates over the boxes in a byte range of a file, with their contents (ISO/IEC 14496-12, 4.2). */
function* listBoxes(file: Buffer, from = 0, to = file.length): Generator<Box> {
  for (let at = from; at + 8 <= to; ) {
    const short = file.readUInt32BE(at);
    const long = short === 1 && at + 16 <= to;
    const length = long ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short;
    if (length < 8) return;
    const end = Math.min(to, at + length);
    const type = file.toString('latin1', at + 4, at + 8);
    yield { type, start: at + (long ? 16 : 8), end, mayContinue: end < at + length };
    at += length;
  }
}

const findBox = (boxes: Iterable<Box>, type: string) => [...boxes].find((box) => box.type === type);

function findMetaBox(file: Buffer, type: string): Box | undefined {
  const meta = findBox(listBoxes(file), 'meta');
  return meta && findBox(listBoxes(file, meta.start + 4, meta.end), type);
}

/** Returns true if a box of media data exceeds the file. */
export const isHeifTruncated = (file: Buffer): boolean =>
  [...listBoxes(file)].some(({ type, mayContinue }) => type === 'mdat' && mayContinue);

/** Codecs of HEIF items (ISO/IEC 23008-12, annexes; MIAF) that libheif-js cannot decode here. */
const FOREIGN_CODECS: Readonly<Record<string, string>> = {
  av01: 'AV1 content (an AVIF image)',
  avc1: 'H.264 content',
  jpeg: 'JPEG content',
  j2k1: 'JPEG 2000 content',
  vvc1: 'H.266 content',
  evc1: 'EVC content',
  unci: 'uncompressed content',
};

/** Names what a HEIF file without any HEVC picture contains; undefined if it has one, or nothing known. */
export function findForeignContent(file: Buffer): string | undefined {
  const info = findMetaBox(file, 'iinf');
  if (!info) return findBox(listBoxes(file), 'moov') && 'an image sequence only';
  const entries = [...listBoxes(file, info.start + (file[info.start] === 0 ? 6 : 8), info.end)];
  // Version 2 has 16-bit item ids, version 3 has 32-bit ones; the type follows the protection index.
  const types = entries.map(({ start }) => {
    const at = start + (file[start] === 3 ? 10 : 8);
    return file.toString('latin1', at, at + 4);
  });
  if (types.includes('hvc1')) return undefined;
  return Object.entries(FOREIGN_CODECS).find(([type]) => types.includes(type))?.[1];
}

/** Returns the number of items (pictures, tiles, metadata) that a HEIF file states (ISO/IEC 14496-12, 8.11.6). */
export function countItems(file: Buffer): number {
  const { start, end } = findMetaBox(file, 'iinf') ?? { start: 0, end: 0 };
  if (start + 8 > end) return 0;
  return file[start] === 0 ? file.readUInt16BE(start + 4) : file.readUInt32BE(start + 4);
}

/**
 * Names what makes a file more than one picture: an overlay (ISO/IEC 23008-12, 6.6.2), or a second box of metadata, of
 * which a decoder may read another than these functions. Undefined for a single picture.
 */
export function findComposition(file: Buffer): string | undefined {
  if ([...listBoxes(file)].filter(({ type }) => type === 'meta').length > 1) return 'two sets of metadata';
  const info = findMetaBox(file, 'iinf');
  const hasOverlay = info && file.subarray(info.start, info.end).includes('iovl');
  return hasOverlay ? 'pictures laid over each other' : undefined;
}

/** Maximum nesting of derived pictures that is counted; a picture, its gain map and their tiles are two levels. */
const MAX_LEVELS = 16;
/** Number of references above which nesting is not counted. */
const MAX_REFERENCES = 10_000;

/** Returns the maximum number of source pictures, direct or indirect, of a derived picture, such as the tiles of a grid. */
export function countTiles(file: Buffer): number {
  const references = findMetaBox(file, 'iref');
  if (!references) return 0;
  const idBytes = file[references.start] === 0 ? 2 : 4;
  const sourcesOf = new Map<number, number[]>();
  let count = 0;
  for (const { type, start, end } of listBoxes(file, references.start + 4, references.end)) {
    // The id of the derived picture and the number of its sources precede them.
    const first = start + idBytes + 2;
    if (type !== 'dimg' || first + idBytes > end) continue;
    const id = file.readUIntBE(start, idBytes);
    const sources = sourcesOf.get(id) ?? [];
    sourcesOf.set(id, sources);
    for (let at = first; at + idBytes <= end; at += idBytes, count++)
      sources.push(file.readUIntBE(at, idBytes));
  }
  if (count > MAX_REFERENCES) return count;
  let totals = new Map<number, number>();
  for (let level = 0; level < MAX_LEVELS; level++) {
    const known = totals;
    totals = new Map(
      [...sourcesOf].map(([id, sources]) => [id, sumBy(sources, (one) => known.get(one) ?? 1)]),
    );
  }
  return Math.max(0, ...totals.values());
}
