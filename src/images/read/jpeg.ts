const START_OF_SCAN = 0xda;
const HUFFMAN_TABLES = 0xc4;
/** Frame types whose scans contain all coefficients: baseline and extended sequential (ITU-T T.81, B.1.1.3). */
const SEQUENTIAL_FRAMES = new Set([0xc0, 0xc1]);
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Iterates over the segments up to the end of the image, skipping coded data and stray bytes (ITU-T T.81, B.1.1). */
function* listSegments(file: Buffer): Generator<{ marker: number; start: number; end: number }> {
  for (let at = file.indexOf(0xff, 2); at !== -1 && at + 4 <= file.length; at = file.indexOf(0xff, at)) {
    const marker = file[at + 1] as number;
    if (marker === END_OF_IMAGE[1]) return;
    // Fill bytes; stuffed bytes and restart markers of coded data have no content.
    if (marker === 0xff) at += 1;
    else if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else {
      // The length counts its own two bytes.
      const end = at + 2 + Math.max(2, file.readUInt16BE(at + 2));
      yield { marker, start: at, end };
      at = end;
    }
  }
}

/** Returns the number of scans; a decoder processes every pixel in each of them (ITU-T T.81, G.1.1). */
export function countScans(file: Buffer): number {
  let scans = 0;
  for (const { marker } of listSegments(file)) if (marker === START_OF_SCAN) scans++;
  return scans;
}

/** Returns true if no end marker follows the first scan; previews in earlier segments have their own. */
export function isJpegTruncated(file: Buffer): boolean {
  for (const { marker, start } of listSegments(file))
    if (marker === START_OF_SCAN) return !file.includes(END_OF_IMAGE, start);
  return true;
}

/** All 64 coefficients, without successive approximation. */
const WHOLE_SPECTRUM = Buffer.from([0, 63, 0]);

/**
 * Returns a JPEG with a header that libjpeg reads without a warning: no stray bytes between segments, and the spectral
 * selection that a sequential scan must state (ITU-T T.81, B.2.3). Cameras and editors get both wrong without affecting
 * the picture. Undefined if there is nothing to correct.
 */
export function correctJpegHeader(file: Buffer): Buffer | undefined {
  const kept: Buffer[] = [file.subarray(0, 2)];
  let isSequential = false;
  let isCorrected = false;
  let keptTo = 2;
  for (const { marker, start, end } of listSegments(file)) {
    isCorrected ||= start !== keptTo;
    isSequential ||= SEQUENTIAL_FRAMES.has(marker);
    const segment = Buffer.from(file.subarray(start, end));
    kept.push(segment);
    keptTo = end;
    if (marker !== START_OF_SCAN) continue;
    if (isSequential && !segment.subarray(-3).equals(WHOLE_SPECTRUM)) {
      WHOLE_SPECTRUM.copy(segment, segment.length - 3);
      isCorrected = true;
    }
    return isCorrected ? Buffer.concat([...kept, file.subarray(end)]) : undefined;
  }
  return undefined;
}

/** A run of zeros in coded data that is longer than any picture produces. */
const ZEROS = Buffer.alloc(512);
/** Symbol for a block whose remaining coefficients are zero. */
const END_OF_BLOCK = 0;

/**
 * Returns the share, 0 to 1, of a sequential JPEG's scan that is one run of zeros, left by a broken medium or transfer:
 * libjpeg decodes it as coefficients, often without a warning. 0 without an end marker, behind which anything may
 * follow, or if a table assigns the all-zero code to even blocks.
 */
export function measureZeroedScan(file: Buffer): number {
  let isSequential = false;
  for (const { marker, start, end } of listSegments(file)) {
    isSequential ||= SEQUENTIAL_FRAMES.has(marker);
    if (marker === HUFFMAN_TABLES && codesEvenBlocksByZeros(file.subarray(start + 4, end))) return 0;
    if (marker !== START_OF_SCAN) continue;
    const zeros = file.indexOf(ZEROS, end);
    const scanEnd = file.indexOf(END_OF_IMAGE, end);
    if (!isSequential || zeros === -1 || zeros >= scanEnd) return 0;
    let zerosEnd = zeros + ZEROS.length;
    while (file[zerosEnd] === 0) zerosEnd++;
    return (zerosEnd - zeros) / (scanEnd - end);
  }
  return 0;
}

/** Returns true if an AC table codes an even block by zeros only, the code of its first symbol (ITU-T T.81, C.2). */
function codesEvenBlocksByZeros(tables: Buffer): boolean {
  for (let at = 0; at + 18 <= tables.length; ) {
    const isAcTable = (tables[at] as number) >> 4 === 1;
    const symbols = tables.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
    if (isAcTable && tables[at + 17] === END_OF_BLOCK) return true;
    at += 17 + symbols;
  }
  return false;
}
