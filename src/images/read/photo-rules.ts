import { MAX_IMAGE_BYTES, MIN_IMAGE_LONG_SIDE, MIN_IMAGE_SHORT_SIDE } from '../../domain/photo-limits.ts';
import rulesFile from '../data/photo-rules.json' with { type: 'json' };

/**
 * Limits of an analysable photo: those of the contract and those of `data/photo-rules.json`, which states their
 * sources.
 */
export interface PhotoRules {
  readonly maxBytes: number;
  /** Long side of the upright photo in pixels. */
  readonly minLongSide: number;
  /** Short side of the upright photo in pixels. */
  readonly minShortSide: number;
  /** Width times height stated in the header. */
  readonly maxPixels: number;
  /** Side in pixels stated in the header. */
  readonly maxSide: number;
  /** Scans of a JPEG; the decoder processes all pixels in each. */
  readonly maxScans: number;
  /** Tiles of a HEIC photo. */
  readonly maxTiles: number;
  /** Items of a HEIC photo: pictures, tiles and metadata. */
  readonly maxItems: number;
  readonly decodeTimeoutSeconds: number;
}

/** Loads the rules for photos of an inspection. */
export function loadPhotoRules(): PhotoRules {
  const { max_pixels, max_side, max_scans, max_tiles, max_items, decode_timeout } = rulesFile.rules;
  return {
    maxBytes: MAX_IMAGE_BYTES,
    minLongSide: MIN_IMAGE_LONG_SIDE,
    minShortSide: MIN_IMAGE_SHORT_SIDE,
    maxPixels: max_pixels.value,
    maxSide: max_side.value,
    maxScans: max_scans.value,
    maxTiles: max_tiles.value,
    maxItems: max_items.value,
    decodeTimeoutSeconds: decode_timeout.value,
  };
}
