/** Kinds of purchases for a repair. */
export const PART_TYPES = ['consumable', 'body_part', 'glass', 'lamp', 'mechanical_part', 'sublet'] as const;
export type PartType = (typeof PART_TYPES)[number];

export const PART_SOURCES = ['oem', 'aftermarket', 'recycled', 'consumable', 'sublet'] as const;
export type PartSource = (typeof PART_SOURCES)[number];
