import { SEVERITIES } from '../../domain/damage.ts';

/** Impact grades; `cosmetic` stops at `severe`. */
export const IMPACT_VALUES = ['none', ...SEVERITIES] as const;
export const COSMETIC_IMPACT_VALUES = ['none', 'minor', 'moderate', 'severe'] as const;
/** Tax class of a price. */
export const TAX_CLASS_VALUES = ['labor', 'parts', 'materials', 'sublet', 'fee'] as const;
/** Total that a line counts in: the estimate, the first bill by its share of jobs (`range`), or none. */
export const COUNTED_IN_VALUES = ['total', 'range', 'none'] as const;
