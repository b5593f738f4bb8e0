import type { DamageSubtype, DamageType } from '../damage.ts';
import type { PartName } from '../parts.ts';

/** Rule of a standard for one kind of damage; the first matching row applies. */
interface StandardRow {
  readonly what: string;
  readonly types: readonly DamageType[];
  /** Subtypes the row applies to; absent: every damage whose subtype has no row of its own. */
  readonly subtypes?: readonly DamageSubtype[];
  /** Parts the row applies to; absent: all. */
  readonly parts?: readonly PartName[];
  /** Parts on which such damage is never fair wear. */
  readonly not_on?: readonly PartName[];
  /** Maximum length or diameter that is fair wear; 0: none. */
  readonly largest_mm: number;
  /** Maximum number per panel that is fair wear. */
  readonly most_per_panel?: number;
  /** Maximum number if all lie along the panel's edge, which photos do not show. */
  readonly most_along_edge?: number;
  readonly paint_unbroken?: boolean;
  /** Condition to check on the vehicle because photos do not show it, worded to follow "unless". */
  readonly unless?: string;
  readonly source: string;
  readonly date: string;
}

/** Limits of fair wear, as data. */
export interface Standard {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly rows: readonly StandardRow[];
}

/** Fields of a damage that a standard judges. */
export interface DamageToJudge {
  readonly id: string;
  readonly type: DamageType;
  readonly subtype?: string | undefined;
  /** Further types at the same location. */
  readonly also: readonly DamageType[];
  readonly part: PartName;
  /** Longest extent and the half-width of its interval; null if no photo gave it. */
  readonly size: { readonly cm: number; readonly errorCm: number } | null;
  /** Scale of the best photo; null if it shows no object of known size. */
  readonly cmPerPixel: number | null;
}

export type Verdict = 'chargeable' | 'fair_wear' | 'cannot_tell';

/** Reason of a verdict. */
export type VerdictReason =
  | 'never_fair'
  | 'not_on_part'
  | 'paint_broken'
  | 'too_large'
  | 'too_many'
  | 'within'
  | 'size_unknown'
  | 'interval_over_limit'
  | 'too_few_pixels'
  | 'count_open'
  | 'edge_open'
  | 'no_row';

/** Verdict on one damage, with the row applied. */
export interface DamageVerdict {
  readonly verdict: Verdict;
  readonly reason: VerdictReason;
  readonly row: StandardRow | null;
  /** Interval of the longest extent. */
  readonly sizeMm: { readonly least: number; readonly most: number } | null;
  /** Length of the limit in the photo, pixels. */
  readonly limitPixels: number | null;
}

/** Verdicts on the damages of one inspection, keyed by damage id. */
export interface StandardVerdicts {
  readonly standard: Standard;
  readonly of: ReadonlyMap<string, DamageVerdict>;
}

/** Minimum measurable length, pixels: boxes are off by two or three. Assumed. */
const MIN_PIXELS = 15;
const PAINT_BREAKING: readonly DamageType[] = ['scratch', 'paint_damage', 'rust', 'crack', 'panel_damage'];

/** Judges the damages of a vehicle by a standard: individually, then by the number per panel. */
export function judgeByStandard(
  damages: readonly DamageToJudge[],
  { rows }: Standard,
): ReadonlyMap<string, DamageVerdict> {
  const results = damages.map((damage) => ({ damage, judged: judgeIndividually(damage, rows) }));
  return new Map(
    results.map(({ damage, judged }) => {
      const most = judged.row?.most_per_panel;
      if (judged.verdict !== 'fair_wear' || most === undefined) return [damage.id, judged];
      const onPanel = results.filter((r) => r.damage.part === damage.part && r.judged.row === judged.row);
      const count = (verdict: Verdict) => onPanel.filter((one) => one.judged.verdict === verdict).length;
      const fairCount = count('fair_wear');
      if (fairCount > (judged.row?.most_along_edge ?? most))
        return [damage.id, { ...judged, verdict: 'chargeable', reason: 'too_many' }];
      if (fairCount > most) return [damage.id, { ...judged, verdict: 'cannot_tell', reason: 'edge_open' }];
      // Damages of unknown size may be within the limit, and would then exceed the number.
      if (fairCount + count('cannot_tell') > most)
        return [damage.id, { ...judged, verdict: 'cannot_tell', reason: 'count_open' }];
      return [damage.id, judged];
    }),
  );
}

function judgeIndividually(damage: DamageToJudge, rows: readonly StandardRow[]): DamageVerdict {
  const { type, subtype, part, also, size, cmPerPixel } = damage;
  const row =
    rows.find(
      ({ types, subtypes, parts }) =>
        types.includes(type) &&
        (subtypes?.some((one) => one === subtype) ?? !hasOwnRow(subtype, rows)) &&
        (parts?.includes(part) ?? true),
    ) ?? null;
  const sizeMm = size && {
    least: Math.max(0, 10 * (size.cm - size.errorCm)),
    most: 10 * (size.cm + size.errorCm),
  };
  const limit = row?.largest_mm ?? 0;
  const limitPixels = limit > 0 && cmPerPixel ? limit / (10 * cmPerPixel) : null;
  const decide = (verdict: Verdict, reason: VerdictReason) => ({ verdict, reason, row, sizeMm, limitPixels });
  if (row === null) return decide('cannot_tell', 'no_row');
  if (limit === 0) return decide('chargeable', 'never_fair');
  if (row.not_on?.includes(part)) return decide('chargeable', 'not_on_part');
  if (row.paint_unbroken && also.some((one) => PAINT_BREAKING.includes(one)))
    return decide('chargeable', 'paint_broken');
  if (sizeMm === null) return decide('cannot_tell', 'size_unknown');
  if (sizeMm.least > limit) return decide('chargeable', 'too_large');
  if (limitPixels !== null && limitPixels < MIN_PIXELS) return decide('cannot_tell', 'too_few_pixels');
  return sizeMm.most <= limit ? decide('fair_wear', 'within') : decide('cannot_tell', 'interval_over_limit');
}

/** Returns whether a subtype is judged only by its own row: a scuffed wheel is not a scratched panel. */
function hasOwnRow(subtype: string | undefined, rows: readonly StandardRow[]): boolean {
  return subtype !== undefined && rows.some(({ subtypes }) => subtypes?.some((one) => one === subtype));
}
