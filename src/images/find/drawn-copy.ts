const TEXT = 'vehi drew boxes into this copy of a photo';
/** Comment segment at the start of every JPEG into which vehi draws boxes; its length field counts itself and the text. */
const COMMENT = Buffer.concat([Buffer.from([0xff, 0xfe, 0, TEXT.length + 2]), Buffer.from(TEXT, 'latin1')]);
/** Name of such a copy in messages that refuse it. */
export const DRAWN_COPY = 'a copy with boxes that vehi drew';
/** Length of the start-of-image marker. */
const START_BYTES = 2;

/** Marks a JPEG as a copy with boxes drawn into it, so that it is never taken for a photo of the vehicle. */
export const markDrawnCopy = (jpeg: Uint8Array): Uint8Array =>
  Buffer.concat([jpeg.subarray(0, START_BYTES), COMMENT, jpeg.subarray(START_BYTES)]);

/** Returns true if a file begins as `markDrawnCopy` made it; `head` has at least `SNIFF_BYTES` of a longer file. */
export const isDrawnCopy = (head: Uint8Array): boolean =>
  COMMENT.equals(head.subarray(START_BYTES, START_BYTES + COMMENT.length));
