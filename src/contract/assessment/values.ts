/** Impact grades; `cosmetic` stops at `severe`. */
export const IMPACT_VALUES = ['none', 'minor', 'moderate', 'severe', 'critical'] as const;
export const COSMETIC_IMPACT_VALUES = ['none', 'minor', 'moderate', 'severe'] as const;
/** Where a part is bought. */
export const PART_SOURCE_VALUES = ['oem', 'aftermarket', 'recycled', 'consumable', 'sublet'] as const;
/** What a price is for the tax. */
export const TAX_CLASS_VALUES = ['labour', 'parts', 'materials', 'sublet', 'fee'] as const;
/** What a settlement is made of. */
export const SETTLEMENT_CODES = [
  'repair',
  'towing',
  'storage',
  'rental',
  'betterment',
  'prior_damage',
  'deductible',
] as const;
