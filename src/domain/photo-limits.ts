/** Photos per inspection according to the contract. The command line accepts fewer with a warning. */
export const MIN_IMAGES = 4;
export const MAX_IMAGES = 50;
/** Maximum photo size ("Image requirements"); a megabyte is 1024 * 1024 bytes, the more lenient reading. */
export const MAX_IMAGE_MB = 10;
export const MAX_IMAGE_BYTES = MAX_IMAGE_MB * 1024 * 1024;
/** Maximum upload size with all photos, megabytes; not in the contract. */
export const MAX_UPLOAD_MB = 256;
/** Minimum long and short side of an upright photo, pixels ("Image requirements"). */
export const MIN_IMAGE_LONG_SIDE = 1280;
export const MIN_IMAGE_SHORT_SIDE = 720;
/** Minimum photo size for messages: `1280x720`. */
export const MIN_IMAGE_SIZE = `${MIN_IMAGE_LONG_SIDE}x${MIN_IMAGE_SHORT_SIDE}`;
