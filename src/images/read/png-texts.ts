/** Chunks of text, which libpng inflates one by one when a PNG is opened (PNG 3rd edition, 11.3.3). */
const TEXT_CHUNKS = new Set(['tEXt', 'zTXt', 'iTXt']);
const SIGNATURE_LENGTH = 8;
/** Length, type and check sum around the data of a chunk, bytes. */
const FRAME_LENGTH = 12;

/**
 * Returns a PNG without its texts: a file of 1 MB can hold texts of gigabytes, and no picture depends on them. The file
 * itself if it has none; a malformed structure is left to the decoder.
 */
export function dropPngTexts(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Buffer[] = [];
  let keptFrom = 0;
  for (let at = SIGNATURE_LENGTH; at + FRAME_LENGTH <= file.length; ) {
    const end = at + FRAME_LENGTH + file.readUInt32BE(at);
    if (TEXT_CHUNKS.has(file.toString('latin1', at + 4, at + 8))) {
      kept.push(file.subarray(keptFrom, at));
      keptFrom = Math.min(end, file.length);
    }
    at = end;
  }
  return kept.length === 0 ? bytes : Buffer.concat([...kept, file.subarray(keptFrom)]);
}
