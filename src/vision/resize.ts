import type { Box, Size } from '../domain/geometry.ts';
import type { RgbImage } from '../domain/photo.ts';

/** Cuts `box` (whole pixels of `raster`) out and plainly resizes it to `size`. */
export type Resize = (raster: RgbImage, box: Box, size: Size) => Promise<RgbImage>;
