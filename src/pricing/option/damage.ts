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
  /** Number of like dents (hail); 1 where absent. */
  readonly count?: number | undefined;
}
