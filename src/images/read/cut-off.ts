import type { PhotoFormat } from '../../domain/photo.ts';

/**
 * Returns whether the end of a photo is missing, by the structure of its file: a JPEG without the marker of its end
 * (ITU-T T.81, B.1.1.3), a PNG whose last chunk is not there whole (PNG 3rd edition, 5.3), a HEIC photo whose media
 * data box is longer than the file (ISO/IEC 14496-12, 4.2). No pixel is decoded; what follows the end is not looked at.
 */
export function isCutOff(bytes: Uint8Array, format: PhotoFormat): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format === 'jpeg') return isJpegCut(file);
  return format === 'png' ? isPngCut(file) : isHeicCut(file);
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Previews inside the segments before the first scan have ends of their own. */
function isJpegCut(file: Buffer): boolean {
  let at = 2;
  while (at + 4 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1];
    if (marker === START_OF_SCAN) return !file.includes(END_OF_IMAGE, at);
    // A marker may be preceded by fill bytes.
    at += marker === 0xff ? 1 : 2 + file.readUInt16BE(at + 2);
  }
  // What is no row of segments is for the decoder to judge.
  return at >= file.length;
}

function isPngCut(file: Buffer): boolean {
  for (let at = 8; ; ) {
    if (at + 12 > file.length) return true;
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return false;
    at += 12 + file.readUInt32BE(at);
  }
}

function isHeicCut(file: Buffer): boolean {
  for (let at = 0; at + 8 <= file.length; ) {
    const short = file.readUInt32BE(at);
    // 1: the length is in the 8 bytes that follow; 0: the box goes to the end.
    if (short === 0 || (short === 1 && at + 16 > file.length)) return short === 1;
    const length = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short;
    if (length < 8) return false;
    if (file.toString('latin1', at + 4, at + 8) === 'mdat') return at + length > file.length;
    at += length;
  }
  return false;
}
