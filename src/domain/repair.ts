/** Operation codes of an estimate. */
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

/** Repair kinds of the contract's `repair_type`. */
export const CONTRACT_REPAIR_TYPES = ['cosmetic', 'pdr', 'replacement', 'structural'] as const;
export type ContractRepairType = (typeof CONTRACT_REPAIR_TYPES)[number];

/** Repair kinds: the rows of the contract's table of repair types. */
export const REPAIR_TYPES = ['cosmetic', 'pdr', 'panel_repair', 'replacement', 'structural'] as const;
export type RepairType = (typeof REPAIR_TYPES)[number];

/** Departments billed by the hour. */
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

/** Returns the department that usually does an operation. */
export function chooseDepartment(operation: Operation): Department {
  if (['Refn', 'Clear', '3-stg', 'Blnd'].includes(operation)) return 'refinish';
  if (operation === 'Setup' || operation === 'Pull') return 'structural';
  if (operation === 'PDR') return 'pdr';
  return operation === 'Subl' ? 'mechanical' : 'body';
}

/** Groups of estimate lines; `part` is a panel's own line, `refinish` paint over all panels, `added` a person's line. */
export const LINE_GROUPS = ['part', 'refinish', 'materials', 'fee', 'expected', 'added', 'rounding'] as const;

/** Tax classes of a line's price; its hours are always labor. */
export const TAX_CLASSES = ['labor', 'parts', 'materials', 'sublet', 'fee'] as const;

/** Returns the usual tax class of the price of an operation. */
export function chooseTaxClass(operation: Operation): 'parts' | 'sublet' {
  return operation === 'Subl' ? 'sublet' : 'parts';
}

/** Totals that include a line: the estimate, the first bill weighted by its share of jobs (`range`), or none. */
export const COUNTED_IN = ['total', 'range', 'none'] as const;

/** Kinds of associated operations: parts behind panels with their access, scans and calibrations, small parts. */
const EXPECTED_KINDS = ['access', 'calibration', 'small_parts'] as const;
export type ExpectedKind = (typeof EXPECTED_KINDS)[number];

/** Row kinds of a repair: a part, materials and fees, shared work, associated operations. */
export const REPAIR_LINE_KINDS = ['part', 'materials', 'shared', ...EXPECTED_KINDS] as const;
export type RepairLineKind = (typeof REPAIR_LINE_KINDS)[number];

/** How associated operations count: not at all, in the first bill weighted by their share of jobs, or all in the total. */
export const ASSOCIATED_MODES = ['off', 'likely', 'all'] as const;
export type AssociatedMode = (typeof ASSOCIATED_MODES)[number];

/** Line items whose code does not read as words. */
const LINE_ITEM_WORDS: ReadonlyMap<string, string> = new Map([
  ['handle_mirror_and_moldings', 'handle, mirror and moldings'],
  ['emblems_lamps_and_trim', 'emblems, lamps and trim'],
  ['air_conditioning_service', 'A/C evacuate and recharge'],
]);

/** Returns the name of a line item within a sentence: `handle, mirror and moldings`. */
export const nameLineItem = (code: string): string => LINE_ITEM_WORDS.get(code) ?? code.replaceAll('_', ' ');
