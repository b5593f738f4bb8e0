import type { Box, Size } from '../domain/geometry.ts';
import type { RgbImage } from '../domain/photo.ts';

/** Crops `box` (whole pixels of `raster`) and stretches it to `size`. */
export type Resize = (raster: RgbImage, box: Box, size: Size) => Promise<RgbImage>;
