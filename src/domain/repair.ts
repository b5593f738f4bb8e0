/**
 * Operation codes as on an estimate: replace, remove and install, repair, section, refinish, clear coat, three-stage, blend,
 * paintless dent removal, overhaul, aim or align, polish, touch-up, frame set-up and pull, sublet, additional, and the
 * difference an adjuster's override makes.
 */
export const OPERATIONS = [
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
export type Operation = (typeof OPERATIONS)[number];

/** Kinds of repair that the contract names in `repair_type`. */
export const CONTRACT_REPAIR_TYPES = ['cosmetic', 'pdr', 'replacement', 'structural'] as const;
export type ContractRepairType = (typeof CONTRACT_REPAIR_TYPES)[number];

/** Kinds of repair: the rows of the contract's table of repair types. */
export const REPAIR_TYPES = ['cosmetic', 'pdr', 'panel_repair', 'replacement', 'structural'] as const;
export type RepairType = (typeof REPAIR_TYPES)[number];

/** Returns the kind of a repair in its wire form: the contract's word, and the finer one where there is one. */
export function presentRepairType({
  repairType,
  contractType,
}: {
  readonly repairType: RepairType;
  readonly contractType: ContractRepairType;
}): { repair_type: ContractRepairType; repair_category?: RepairType } {
  return {
    repair_type: contractType,
    ...(repairType === contractType ? {} : { repair_category: repairType }),
  };
}

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

/** Rows of a repair as people read it: a part, paint of neighbours, paint materials with fees, what usually comes with it. */
export const REPAIR_LINE_KINDS = ['part', 'blend', 'materials', 'expected'] as const;
export type RepairLineKind = (typeof REPAIR_LINE_KINDS)[number];
