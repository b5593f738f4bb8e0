/** Chunks of text, which libpng inflates one by one when a PNG is opened (PNG 3rd edition, 11.3.3). */
const TEXT_CHUNKS = new Set(['tEXt', 'zTXt', 'iTXt']);
const SIGNATURE_LENGTH = 8;
/** Length, type and checksum around the data of a chunk, bytes. */
const FRAME_LENGTH = 12;

/** Iterates over the chunks (PNG 3rd edition, 5.3); the last one may end beyond the file. */
function* listChunks(file: Buffer): Generator<{ type: string; start: number; end: number }> {
  for (let at = SIGNATURE_LENGTH; at + FRAME_LENGTH <= file.length; ) {
    const end = at + FRAME_LENGTH + file.readUInt32BE(at);
    yield { type: file.toString('latin1', at + 4, at + 8), start: at, end };
    at = end;
  }
}

/** Returns true if the final chunk, which ends every PNG, is missing. */
export function isPngTruncated(file: Buffer): boolean {
  for (const { type } of listChunks(file)) if (type === 'IEND') return false;
  return true;
}

/**
 * Returns a PNG without its text chunks: a file of 1 MB can inflate to gigabytes of text, and no picture depends on it.
 * Returns the file itself if it has none; a malformed structure is left to the decoder.
 */
export function dropPngTexts(file: Buffer): Buffer {
  const kept: Buffer[] = [];
  let keptFrom = 0;
  for (const { type, start, end } of listChunks(file)) {
    if (!TEXT_CHUNKS.has(type)) continue;
    kept.push(file.subarray(keptFrom, start));
    keptFrom = Math.min(end, file.length);
  }
  return kept.length === 0 ? file : Buffer.concat([...kept, file.subarray(keptFrom)]);
}
