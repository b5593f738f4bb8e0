/** Operation codes as on an estimate. */
export const OPERATIONS = [
  'R&R', // remove and replace
  'R&I', // remove and install
  'Rpr', // repair
  'Sect', // section
  'Refn', // refinish
  'Clear', // clear coat
  '3-stg', // three-stage paint
  'Blnd', // blend
  'PDR', // paintless dent removal
  'O/H', // overhaul
  'Algn', // aim or align
  'Pol', // polish
  'Tch', // touch up
  'Setup', // set up on the frame bench
  'Pull', // pull on the frame bench
  'Subl', // sublet
  'Add', // additional
  'Adj', // what an adjuster's override changes
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Kinds of repair that the contract names in `repair_type`. */
export const CONTRACT_REPAIR_TYPES = ['cosmetic', 'pdr', 'replacement', 'structural'] as const;
export type ContractRepairType = (typeof CONTRACT_REPAIR_TYPES)[number];

/** Kinds of repair: the rows of the contract's table of repair types. */
export const REPAIR_TYPES = ['cosmetic', 'pdr', 'panel_repair', 'replacement', 'structural'] as const;
export type RepairType = (typeof REPAIR_TYPES)[number];

/** Departments whose time is billed by the hour. */
export const DEPARTMENTS = [
  'body',
  'refinish',
  'mechanical',
  'structural',
  'aluminium',
  'glass',
  'pdr',
] as const;
export type Department = (typeof DEPARTMENTS)[number];

/** What usually comes with a repair: parts behind the panels and access to them, scans and calibrations, small parts. */
const EXPECTED_KINDS = ['access', 'calibration', 'small_parts'] as const;
export type ExpectedKind = (typeof EXPECTED_KINDS)[number];

/** Rows of a repair as people read it: a part, paint of neighbours, paint materials with fees, what usually comes with it. */
export const REPAIR_LINE_KINDS = [
  'part',
  'blend',
  'materials',
  ...EXPECTED_KINDS,
  // The three above as one row, in earlier results.
  'expected',
] as const;
export type RepairLineKind = (typeof REPAIR_LINE_KINDS)[number];
