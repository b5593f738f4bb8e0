import type { DamageType, Severity } from '../../domain/damage.ts';
import type { PartName } from '../../domain/parts.ts';

export interface PricingDamage {
  readonly type: DamageType;
  readonly subtype?: string | undefined;
  readonly part: PartName;
  readonly severity: Severity;
  /** 0 to 10, within the range of `severity`. */
  readonly severityScore: number;
  /** Largest dimension in centimeters, if known. */
  readonly sizeCm?: number | undefined;
  /** Number of similar dents (hail); absent for one. */
  readonly count?: number | undefined;
}

/** Returns true for damage to paint only, whatever its depth; it never requires a new metal panel. */
export const isSurface = (damage: PricingDamage) =>
  damage.type === 'scratch' || damage.type === 'paint_damage';

/** Returns true for paint that faded over an area, which has no edge to fill or to blend from. */
export const isFaded = (damage: PricingDamage) => damage.subtype === 'oxidation';

/** Returns true for damage that changes the shape of the part or thins its metal. */
export const isShapeDamage = ({ type }: PricingDamage) =>
  type === 'dent' || type === 'panel_damage' || type === 'rust';

/** Returns true for a displaced part that is not bent and can be aligned. */
export const isMisaligned = (damage: PricingDamage) => damage.subtype === 'misaligned_part';
