import type { DamageType, Severity } from '../../domain/damage.ts';
import type { PartName } from '../../domain/parts.ts';

/** A damage as pricing sees it. */
export interface PricingDamage {
  readonly type: DamageType;
  readonly subtype?: string | undefined;
  readonly part: PartName;
  readonly severity: Severity;
  /** 0 to 10, inside the tier of `severity`. */
  readonly severityScore: number;
  /** Largest dimension in centimetres, where it is known. */
  readonly sizeCm?: number | undefined;
  /** Number of similar dents (hail); 1 where absent. */
  readonly count?: number | undefined;
}

/** Returns whether the damage is to paint alone, however deep: it never makes a metal panel new. */
export const isSurface = (damage: PricingDamage) =>
  damage.type === 'scratch' || damage.type === 'paint_damage';

/** Returns whether a part is moved, not bent: it is aligned. */
export const isMisaligned = (damage: PricingDamage) => damage.subtype === 'misaligned_part';
