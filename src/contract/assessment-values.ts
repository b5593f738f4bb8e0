/** Impact grades; `cosmetic` stops at `severe`. */
export const IMPACT_VALUES = ['none', 'minor', 'moderate', 'severe', 'critical'] as const;
export const COSMETIC_IMPACT_VALUES = ['none', 'minor', 'moderate', 'severe'] as const;
/** Where a part is bought. */
export const PART_SOURCE_VALUES = ['oem', 'aftermarket', 'recycled', 'consumable', 'sublet'] as const;
