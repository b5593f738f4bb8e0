const START_OF_SCAN = 0xda;
/** Frames whose scans hold all coefficients: baseline and extended sequential (ITU-T T.81, B.1.1.3). */
const SEQUENTIAL_FRAMES = new Set([0xc0, 0xc1]);

/**
 * Returns a JPEG with a header that libjpeg reads without a warning: without bytes between its segments, and with the
 * spectral selection that a sequential scan must state (ITU-T T.81, B.2.3). Cameras and editors write both, and neither
 * touches the picture. Undefined if there is nothing to correct.
 */
export function correctJpegHeader(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Buffer[] = [file.subarray(0, 2)];
  let isSequential = false;
  let isCorrected = false;
  for (let at = 2; at + 4 <= file.length; ) {
    const start = findMarker(file, at);
    if (start === undefined) return undefined;
    isCorrected ||= start !== at;
    const marker = file[start + 1] as number;
    const end = start + 2 + file.readUInt16BE(start + 2);
    isSequential ||= SEQUENTIAL_FRAMES.has(marker);
    if (marker === START_OF_SCAN) {
      const scan = Buffer.from(file.subarray(start, end));
      if (isSequential && !scan.subarray(-3).equals(WHOLE_SPECTRUM)) {
        WHOLE_SPECTRUM.copy(scan, scan.length - 3);
        isCorrected = true;
      }
      return isCorrected ? Buffer.concat([...kept, scan, file.subarray(end)]) : undefined;
    }
    kept.push(file.subarray(start, end));
    at = end;
  }
  return undefined;
}

/** All 64 coefficients, without successive approximation. */
const WHOLE_SPECTRUM = Buffer.from([0, 63, 0]);

/** Returns the position of the next segment's marker. */
function findMarker(file: Buffer, from: number): number | undefined {
  for (
    let at = file.indexOf(0xff, from);
    at !== -1 && at + 4 <= file.length;
    at = file.indexOf(0xff, at + 1)
  ) {
    const marker = file[at + 1] as number;
    if (marker >= 0xc0 && marker !== 0xff) return at;
  }
  return undefined;
}

/** Length of a run of zeros in coded data that no picture explains, bytes. */
const ZEROS = Buffer.alloc(512);
const HUFFMAN_TABLES = 0xc4;
/** Symbol for a block whose remaining coefficients are zero. */
const END_OF_BLOCK = 0;

/**
 * Returns true if the scan of a sequential JPEG holds blocks of zeros, as a broken medium or transfer leaves them:
 * libjpeg decodes them as coefficients, often without a warning. False where the tables give even blocks a code of zeros.
 */
export function hasZeroedScan(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let isSequential = false;
  for (let at = findMarker(file, 2); at !== undefined; ) {
    const marker = file[at + 1] as number;
    const end = at + 2 + file.readUInt16BE(at + 2);
    isSequential ||= SEQUENTIAL_FRAMES.has(marker);
    if (marker === HUFFMAN_TABLES && codesEvenBlocksByZeros(file.subarray(at + 4, end))) return false;
    if (marker === START_OF_SCAN) {
      const zeros = file.indexOf(ZEROS, end);
      return isSequential && zeros !== -1 && zeros < file.lastIndexOf(END_OF_IMAGE);
    }
    at = findMarker(file, end);
  }
  return false;
}

const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** The first symbol of a table has the code of zeros only (ITU-T T.81, C.2); a segment may hold several tables. */
function codesEvenBlocksByZeros(tables: Buffer): boolean {
  for (let at = 0; at + 18 <= tables.length; ) {
    const isAlternating = (tables[at] as number) >> 4 === 1;
    const symbols = tables.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
    if (isAlternating && tables[at + 17] === END_OF_BLOCK) return true;
    at += 17 + symbols;
  }
  return false;
}
