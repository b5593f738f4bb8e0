/** Values of `repair_type`: the rows of the contract's table of repair types. */
export const REPAIR_TYPE_VALUES = ['cosmetic', 'pdr', 'panel_repair', 'replacement', 'structural'] as const;
/** Impact grades; `cosmetic` stops at `severe`. */
export const IMPACT_VALUES = ['none', 'minor', 'moderate', 'severe', 'critical'] as const;
export const COSMETIC_IMPACT_VALUES = ['none', 'minor', 'moderate', 'severe'] as const;
/** Where a part is bought. */
export const PART_SOURCE_VALUES = ['oem', 'aftermarket', 'recycled', 'consumable'] as const;
/** Departments of an estimate, each with its own labour rate; `materials` is billed per refinish hour. */
export const DEPARTMENT_VALUES = [
  'body',
  'refinish',
  'mechanical',
  'structural',
  'aluminium',
  'glass',
  'pdr',
] as const;
/**
 * Operation codes as on an estimate: replace, remove and install, repair, refinish, blend, clear coat, three-stage,
 * paintless dent removal, overhaul, aim or align, polish, touch-up, frame set-up and pull, and the difference an
 * adjuster's override makes.
 */
export const OPERATION_VALUES = [
  'R&R',
  'R&I',
  'Rpr',
  'Sect',
  'Refn',
  'Clear',
  '3-stg',
  'Blnd',
  'PDR',
  'O/H',
  'Algn',
  'Pol',
  'Tch',
  'Setup',
  'Pull',
  'Subl',
  'Add',
  'Adj',
] as const;
