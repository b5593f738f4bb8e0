/** Closed lists that rows of the tables choose from; apart from the schemas, so that pricing starts without those. */
export const PART_KINDS = [
  'painted',
  'module',
  'laminated_glass',
  'tempered_glass',
  'lamp',
  'mechanical',
] as const;

/** What an estimate's range is measured for: parts by kind, and parts hit together. */
export const SPREAD_KINDS = ['panel', 'glass', 'lamp', 'mechanical', 'collision'] as const;
export type SpreadKind = (typeof SPREAD_KINDS)[number];

/** Dents by the coin that covers them, smallest first. */
export const PDR_SIZES = ['dime', 'nickel', 'quarter', 'half_dollar'] as const;
