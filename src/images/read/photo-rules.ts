import { IMAGE_BYTES_MAX, IMAGE_LONG_SIDE_MIN, IMAGE_SHORT_SIDE_MIN } from '../../domain/choices.ts';
import rulesFile from '../data/photo-rules.json' with { type: 'json' };

/**
 * The limits a photo must keep to be analysed: the contract's, and those of `data/photo-rules.json`, which says where each
 * comes from.
 */
export interface PhotoRules {
  readonly maxBytes: number;
  /** Pixels of the longer side of the upright photo. */
  readonly minLongSide: number;
  /** Pixels of the shorter side of the upright photo. */
  readonly minShortSide: number;
  /** Width times height that a header may claim. */
  readonly maxPixels: number;
  /** Pixels of one side that a header may claim. */
  readonly maxSide: number;
  /** Scans of a JPEG, each of which a decoder takes over all pixels. */
  readonly maxScans: number;
  /** Tiles that a HEIC photo may be made of. */
  readonly maxTiles: number;
  readonly decodeTimeoutSeconds: number;
}

/** Returns the rules that hold for photos of an inspection. */
export function loadPhotoRules(): PhotoRules {
  const { max_pixels, max_side, max_scans, max_tiles, decode_timeout } = rulesFile.rules;
  return {
    maxBytes: IMAGE_BYTES_MAX,
    minLongSide: IMAGE_LONG_SIDE_MIN,
    minShortSide: IMAGE_SHORT_SIDE_MIN,
    maxPixels: max_pixels.value,
    maxSide: max_side.value,
    maxScans: max_scans.value,
    maxTiles: max_tiles.value,
    decodeTimeoutSeconds: decode_timeout.value,
  };
}
