import { MAX_IMAGE_BYTES, MIN_IMAGE_LONG_SIDE, MIN_IMAGE_SHORT_SIDE } from '../../domain/photo-limits.ts';
import rulesFile from '../data/photo-rules.json' with { type: 'json' };

/**
 * Returns the limits of an analysable photo: those of the contract and those of `data/photo-rules.json`, which states
 * their sources. Sides and pixels are those of the upright photo that the header states.
 */
export function loadPhotoRules() {
  const { rules } = rulesFile;
  return {
    maxBytes: MAX_IMAGE_BYTES,
    minLongSide: MIN_IMAGE_LONG_SIDE,
    minShortSide: MIN_IMAGE_SHORT_SIDE,
    maxPixels: rules.max_pixels.value,
    maxSide: rules.max_side.value,
    /** Maximum scans of a JPEG; the decoder processes all pixels in each. */
    maxScans: rules.max_scans.value,
    /** Limits for a HEIC photo; items are pictures, tiles and metadata. */
    maxTiles: rules.max_tiles.value,
    maxItems: rules.max_items.value,
    decodeTimeoutSeconds: rules.decode_timeout.value,
  };
}

export type PhotoRules = Readonly<ReturnType<typeof loadPhotoRules>>;
