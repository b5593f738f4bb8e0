import type { Detection } from './detection.ts';
import type { LocatedDamage } from './locate.ts';

/** One damage in one photo, located, sized and graded. */
export interface Observation extends Detection, Omit<LocatedDamage, 'segment'> {
  /** Index among the usable photos. */
  readonly photo: number;
  /** True if confident enough to be listed as damage by itself. */
  readonly isCertain: boolean;
  /** 0 to 10, one decimal. */
  readonly severityScore: number;
  /** Box center as fractions of the part's visible extent; null if the part is truncated or not on the map. */
  readonly position: { readonly x: number; readonly y: number } | null;
  /** Null if the photo has no scale. */
  readonly longSideCm: number | null;
}
