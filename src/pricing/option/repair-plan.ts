import type { RuleTrace } from '../../domain/damage.ts';
import type { PartSource, PartType } from '../../domain/purchased-part.ts';
import type { ContractRepairType, Department, Operation, RepairType } from '../../domain/repair.ts';
import words from '../data/repair-words.json' with { type: 'json' };

/** Labor of one operation. */
export interface Line {
  readonly operation: Operation;
  readonly part: string;
  /** Number of units; absent for one. */
  readonly quantity?: number | undefined;
  readonly department: Department;
  readonly hoursTenths: number;
  /** Refinish time deducted because panels painted in one job share it. */
  readonly overlapTenths?: number | undefined;
  /** Price independent of the hours, in minor units: as charged, and as listed before any minimum charge. */
  readonly fixed?: { readonly minor: number; readonly listMinor: number } | undefined;
  /** Origin of the time: a table, judgment, a formula over other times, or an adjuster. */
  readonly basis: 'table' | 'judgement' | 'formula' | 'override';
  readonly note: string;
  /** Source of a figure that does not come from the part's row. */
  readonly source?: string;
}

/** A part, consumable or sublet to buy; prices in minor units of the response currency. */
export interface PlanPart {
  readonly part: string;
  readonly type: PartType;
  readonly source: PartSource;
  readonly priceMinor: number;
  readonly oemMinor?: number | undefined;
  readonly aftermarketMinor?: number | undefined;
  readonly recycledMinor?: number | undefined;
}

/** Returns true for a part, as opposed to a consumable or sublet. */
export const isBought = ({ type }: Pick<PlanPart, 'type'>) => type !== 'consumable' && type !== 'sublet';

/** Operations that fit a purchased part. */
export const FITTING: readonly Operation[] = ['R&R', 'Sect'];
/** Paint operations shared by all panels. */
export const OF_ALL_PANELS: readonly Operation[] = ['Clear', '3-stg'];

/** A panel to be painted or blended, with its base refinish time before overlap, clear coat and stages. */
export interface RefinishEntry {
  readonly part: string;
  readonly baseTenths: number;
}

/** Why a repair option is not recommended, each in a sentence. */
export const REASONS = words.reasons;
export type Reason = keyof typeof REASONS | 'repair_near_replacement_cost';

/** Ways to repair a target, as the wire format and overrides name them, each in a sentence. */
export const REPAIR_METHODS = words.methods;
export type RepairMethod = keyof typeof REPAIR_METHODS;

/** What an option does: one method, or the light repairs of several damages; a new part is OEM unless stated. */
export interface Approach {
  readonly methods: readonly RepairMethod[];
  readonly source?: Extract<PartSource, 'aftermarket' | 'recycled'>;
}

/** Returns the name of an option: `pdr`, `polish_and_paint_touch_up`, `panel_replacement_aftermarket`. */
export const nameOption = ({ methods, source }: Approach) =>
  [methods.join('_and_'), ...(source === undefined ? [] : [source])].join('_');

/** An unpriced way to repair one target. */
export interface Plan extends Approach {
  /** Name by `nameOption`; unique among the plans of a target. */
  readonly option: string;
  readonly repairType: RepairType;
  /** Repair type in the contract's terms. */
  readonly contractType: ContractRepairType;
  readonly role: 'repair' | 'replacement' | 'alternative_part';
  /** Labor other than refinish, which depends on the other panels painted with it. */
  readonly lines: readonly Line[];
  readonly refinish: readonly RefinishEntry[];
  readonly blends: readonly RefinishEntry[];
  readonly parts: readonly PlanPart[];
  /** Why the plan does not restore the part; undefined if it does. */
  readonly inadequate: Reason | undefined;
  readonly trace: readonly RuleTrace[];
}
