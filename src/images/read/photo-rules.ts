import rulesFile from '../data/photo-rules.json' with { type: 'json' };

/** The limits a photo must keep to be analysed. Values and where each comes from: `data/photo-rules.json`. */
export interface PhotoRules {
  /** 10 MB of the service contract, read as 10 MiB (10 * 1024 * 1024). */
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

interface RulesFile {
  readonly rules: Readonly<Record<string, { readonly value: number }>>;
}

/** Reads the shipped rules. */
export function loadPhotoRules(): PhotoRules {
  const file: RulesFile = rulesFile;
  const value = (name: string): number => {
    const row = file.rules[name];
    if (row === undefined) throw new Error(`data/photo-rules.json has no row "${name}"`);
    return row.value;
  };
  return {
    maxBytes: value('max_bytes'),
    minLongSide: value('min_long_side'),
    minShortSide: value('min_short_side'),
    maxPixels: value('max_pixels'),
    maxSide: value('max_side'),
    maxScans: value('max_scans'),
    maxTiles: value('max_tiles'),
    decodeTimeoutSeconds: value('decode_timeout'),
  };
}
