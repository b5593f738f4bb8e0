/** Photos per inspection according to the contract. The command line accepts fewer with a warning. */
export const IMAGES_MIN = 4;
export const IMAGES_MAX = 50;
/** Maximum photo size ("Image requirements"); a megabyte is 1024 * 1024 bytes, the more lenient reading. */
export const IMAGE_MB_MAX = 10;
export const IMAGE_BYTES_MAX = IMAGE_MB_MAX * 1024 * 1024;
/** Maximum upload size with all photos, megabytes: a limit of ours. */
export const UPLOAD_MB_MAX = 256;
/** Minimum long and short side of an upright photo, pixels ("Image requirements"), and their wording in messages. */
export const IMAGE_LONG_SIDE_MIN = 1280;
export const IMAGE_SHORT_SIDE_MIN = 720;
export const IMAGE_SMALLEST = `${IMAGE_LONG_SIDE_MIN}x${IMAGE_SHORT_SIDE_MIN}`;
