import type { RuleTrace } from '../../domain/damage.ts';
import type { ContractRepairType, Department, Operation, RepairType } from '../../domain/repair.ts';

/** Time of one operation, in whole tenths of an hour. */
export interface Line {
  readonly operation: Operation;
  readonly part: string;
  /** How many, where it is not one. */
  readonly quantity?: number | undefined;
  readonly department: Department;
  readonly hoursTenths: number;
  /** Refinish time that the hours leave out, as panels painted in one job share it. */
  readonly overlapTenths?: number | undefined;
  /** A price that holds whatever the hours: as charged, and as listed before any minimum charge. Minor units. */
  readonly fixed?: { readonly minor: number; readonly listMinor: number } | undefined;
  /** Where the time comes from: a table, judgement time, a formula over other times, an adjuster. */
  readonly basis: 'table' | 'judgement' | 'formula' | 'override';
  readonly note: string;
  /** Where a figure comes from that is not of the part's row. */
  readonly source?: string;
}

/** A part or a consumable to buy; prices in minor units of the response currency, spread by the table. */
export interface PlanPart {
  readonly part: string;
  readonly type: 'body_part' | 'glass' | 'lamp' | 'mechanical_part' | 'consumable' | 'sublet';
  readonly source: 'oem' | 'aftermarket' | 'recycled' | 'consumable' | 'sublet';
  readonly priceMinor: number;
  readonly oemMinor?: number | undefined;
  readonly aftermarketMinor?: number | undefined;
  readonly recycledMinor?: number | undefined;
}

/** Returns whether something to buy is a part, neither a consumable nor the work of others. */
export const isBought = ({ type }: Pick<PlanPart, 'type'>) => type !== 'consumable' && type !== 'sublet';

/** Operations that fit a part which is bought. */
export const FITTING: readonly Operation[] = ['R&R', 'Sect'];
/** Paint over all panels. */
export const OF_ALL_PANELS: readonly Operation[] = ['Clear', '3-stg'];
const PAINT: readonly Operation[] = ['Refn', ...OF_ALL_PANELS, 'Blnd'];
/** Returns whether a line is paint, which is priced over all panels as one procedure. */
export const isPaint = ({ operation }: Pick<Line, 'operation'>) => PAINT.includes(operation);

/** A panel to be painted: its base refinish time before overlap, clear coat and stages. */
export interface RefinishEntry {
  readonly part: string;
  readonly baseTenths: number;
}

/** Why a way of repair is not the recommended one. */
export type Reason =
  | 'through_clear_coat'
  | 'visible_after_touch_up'
  | 'too_large'
  | 'paint_likely_broken'
  | 'critical_damage'
  | 'crack_in_plastic'
  | 'crack_in_mechanical_part'
  | 'broken_glass'
  | 'broken_lamp'
  | 'safety_part'
  | 'not_repaired'
  | 'part_missing'
  | 'structure_affected'
  | 'beyond_section'
  | 'surface_only'
  | 'cheaper_way_exists'
  | 'repair_near_replacement_cost'
  | 'oem_part_preferred'
  | 'section_suffices'
  | 'overridden_by_adjuster';

/** One way to repair one target, not yet priced. */
export interface Plan {
  readonly option: string;
  readonly repairType: RepairType;
  /** As the contract names it. */
  readonly contractType: ContractRepairType;
  readonly role: 'repair' | 'replacement' | 'alternative_part';
  /** Time other than refinish, which depends on the other panels painted with it. */
  readonly lines: readonly Line[];
  readonly refinish: readonly RefinishEntry[];
  /** Neighbours to be blended. */
  readonly blends: readonly string[];
  readonly parts: readonly PlanPart[];
  /** Why it does not restore the part; undefined where it does. */
  readonly inadequate: Reason | undefined;
  readonly trace: readonly RuleTrace[];
}
