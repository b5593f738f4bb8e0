/** Position of the first scan of a JPEG. */
export function findScan(file: Buffer): number {
  let at = 2;
  while (file[at + 1] !== 0xda) at += 2 + file.readUInt16BE(at + 2);
  return at;
}

/** End marker of a JPEG. */
export const END = Buffer.from([0xff, 0xd9]);
/** Changes a file between two positions, those of its picture data. */
export type Fault = (file: Buffer, from: number, to: number) => Buffer;
/** Position at a share of a range. */
export const startOf = (from: number, to: number, share: number) => from + Math.floor((to - from) * share);
/** Overwrites bytes with zeros. */
export const zero =
  (share: number, length: number): Fault =>
  (file, from, to) => {
    const start = startOf(from, to, share);
    return Buffer.concat([file.subarray(0, start), Buffer.alloc(length), file.subarray(start + length)]);
  };
/** Removes bytes. */
export const lose =
  (share: number, length: number): Fault =>
  (file, from, to) => {
    const start = startOf(from, to, share);
    return Buffer.concat([file.subarray(0, start), file.subarray(start + length)]);
  };
/** Ends the data early, with an end marker. */
export const endAt =
  (share: number): Fault =>
  (file, from, to) =>
    Buffer.concat([file.subarray(0, startOf(from, to, share)), END]);
