import { MAX_IMAGE_BYTES, MIN_IMAGE_LONG_SIDE, MIN_IMAGE_SHORT_SIDE } from '../../domain/photo-limits.ts';
import rulesFile from '../data/photo-rules.json' with { type: 'json' };

/**
 * Returns the limits of an analysable photo: those of the contract and those of `data/photo-rules.json`, which states
 * their sources. Sides and pixels are those of the upright photo that the header states.
 */
export function loadPhotoRules() {
  const { max_pixels, max_side, max_scans, max_tiles, max_items, decode_timeout } = rulesFile.rules;
  return {
    maxBytes: MAX_IMAGE_BYTES,
    minLongSide: MIN_IMAGE_LONG_SIDE,
    minShortSide: MIN_IMAGE_SHORT_SIDE,
    maxPixels: max_pixels.value,
    maxSide: max_side.value,
    /** Maximum scans of a JPEG; the decoder processes all pixels in each. */
    maxScans: max_scans.value,
    /** Limits for a HEIC photo; items are pictures, tiles and metadata. */
    maxTiles: max_tiles.value,
    maxItems: max_items.value,
    decodeTimeoutSeconds: decode_timeout.value,
  };
}

export type PhotoRules = Readonly<ReturnType<typeof loadPhotoRules>>;
