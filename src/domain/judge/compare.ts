import type { Angle, DamageType, Severity } from '../damage.ts';
import { type Box, iou } from '../geometry.ts';
import type { PartName } from '../parts.ts';
import { rankSeverity } from './severity.ts';

/** The change of a damage between two inspections of one vehicle. */
export const CHANGES = ['new', 'worse', 'unchanged', 'repaired', 'not_comparable'] as const;
export type Change = (typeof CHANGES)[number];

/** What the comparison needs to know of one damage. */
export interface ComparedDamage {
  readonly id: string;
  readonly part: PartName;
  readonly type: DamageType;
  readonly severity: Severity;
  /** 0 to 10. */
  readonly score: number;
  /** Largest dimension, cm; undefined where not measured. */
  readonly sizeCm?: number | undefined;
  /** Half-width of the 80 % interval of `sizeCm`, cm. */
  readonly uncertaintyCm?: number | undefined;
  /**
   * Where it was seen: view angle of the photo (null: unknown), the box as shares of the photo's sides, and what
   * identifies the photo.
   */
  readonly places: readonly { readonly angle: Angle | null; readonly box: Box; readonly photo: string }[];
}

export interface ComparedPair<D extends ComparedDamage> {
  readonly change: Change;
  readonly before: D | null;
  readonly after: D | null;
  /** Why it counts as worse, or cannot be compared. */
  readonly reasons: readonly (
    | 'severity'
    | 'size'
    | 'type'
    | 'part_not_seen'
    | 'part_not_seen_before'
    | Difference
    | Doubt
  )[];
}

/** What of two inspections differs, or does not, so that a change need not be one of the vehicle. */
const DIFFERENCES = ['same_photos', 'other_models', 'other_settings'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** What makes one change doubtful: all its photos are in the other inspection, too, or that one listed it to check. */
type Doubt = 'photos_in_both' | 'to_check_before' | 'to_check_after';

/** What else is known of one of the two inspections. */
export interface InspectionFacts<D extends ComparedDamage> {
  /** What identifies its photos. */
  readonly photos: ReadonlySet<string>;
  readonly toCheck: readonly D[];
}

/**
 * Returns the pairs that say something about the vehicle. Not comparable are: what differs between inspections of the
 * same photos, damage that only one of two models or settings lists, and what the other inspection lists to be checked.
 */
export function dropFalseChanges<D extends ComparedDamage>(
  pairs: readonly ComparedPair<D>[],
  differences: readonly Difference[],
  facts: { readonly before: InspectionFacts<D>; readonly after: InspectionFacts<D> },
): readonly ComparedPair<D>[] {
  const doubtful: readonly Change[] = differences.includes('same_photos')
    ? ['new', 'worse', 'repaired']
    : differences.length > 0
      ? ['new', 'repaired']
      : [];
  return pairs
    .map((pair) => {
      const reasons = [...(doubtful.includes(pair.change) ? differences : []), ...listDoubts(pair, facts)];
      return reasons.length > 0 ? { ...pair, change: 'not_comparable' as const, reasons } : pair;
    })
    .sort(byChange);
}

function listDoubts<D extends ComparedDamage>(
  { change, before, after }: ComparedPair<D>,
  facts: { readonly before: InspectionFacts<D>; readonly after: InspectionFacts<D> },
): readonly Doubt[] {
  const repeated = (damage: D | null, { photos }: InspectionFacts<D>) =>
    damage !== null && damage.places.length > 0 && damage.places.every(({ photo }) => photos.has(photo));
  const listed = (damage: D | null, { toCheck }: InspectionFacts<D>) =>
    damage !== null && toCheck.some((place) => computeLikeness(damage, place) >= LEAST_LIKENESS);
  if (change === 'repaired') {
    if (listed(before, facts.after)) return ['to_check_after'];
    return repeated(before, facts.after) ? ['photos_in_both'] : [];
  }
  if (change !== 'new' && change !== 'worse') return [];
  if (change === 'new' && listed(after, facts.before)) return ['to_check_before'];
  return repeated(after, facts.before) ? ['photos_in_both'] : [];
}

interface Visibility<D extends ComparedDamage> {
  /** True where the later inspection could have seen this earlier damage, had it still been there. */
  readonly seenAfter: (earlier: D) => boolean;
  /** True where the earlier inspection could have seen this later damage, had it been there already. */
  readonly seenBefore: (later: D) => boolean;
}

/**
 * Pairs below this are two damages, not one. Part and kind alone reach 0.5, so one scratch on a door before and one
 * after is the same scratch unless its place in the same view speaks clearly against it.
 */
const LEAST_LIKENESS = 0.4;

/** Severity scores are taken as equal within this; the detector's confidence moves the score by about as much. */
const SCORE_SLACK = 0.75;

/** Types that one damage may be called by in two sets of photos: light decides which shows. */
const KIN: readonly (readonly DamageType[])[] = [
  ['scratch', 'paint_damage', 'rust'],
  ['dent', 'panel_damage', 'crack'],
];

/**
 * Matches the damages of two inspections: same part, same or kindred type, then place and size; best pairs first,
 * each damage once. Unmatched before = repaired, unmatched after = new; not comparable, where the other inspection did
 * not see the place. The order of the damages does not matter.
 */
export function compareDamages<D extends ComparedDamage>(
  before: readonly D[],
  after: readonly D[],
  visibility: Visibility<D>,
): readonly ComparedPair<D>[] {
  const candidates = before
    .flatMap((one) => after.map((other) => ({ one, other, likeness: computeLikeness(one, other) })))
    .filter((pair) => pair.likeness >= LEAST_LIKENESS)
    .sort(
      (a, b) =>
        b.likeness - a.likeness || a.one.id.localeCompare(b.one.id) || a.other.id.localeCompare(b.other.id),
    );
  const taken = new Set<D>();
  const pairs: ComparedPair<D>[] = [];
  for (const { one, other } of candidates) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    const reasons = listWorsened(one, other);
    pairs.push({ change: reasons.length > 0 ? 'worse' : 'unchanged', before: one, after: other, reasons });
  }
  const gone = before
    .filter((one) => !taken.has(one))
    .map(
      (one): ComparedPair<D> =>
        visibility.seenAfter(one)
          ? { change: 'repaired', before: one, after: null, reasons: [] }
          : { change: 'not_comparable', before: one, after: null, reasons: ['part_not_seen'] },
    );
  const fresh = after
    .filter((other) => !taken.has(other))
    .map(
      (other): ComparedPair<D> =>
        visibility.seenBefore(other)
          ? { change: 'new', before: null, after: other, reasons: [] }
          : { change: 'not_comparable', before: null, after: other, reasons: ['part_not_seen_before'] },
    );
  return [...fresh, ...pairs, ...gone].sort(byChange);
}

/** Returns how alike two damages are, from 0 (two damages) to 1 (surely the same). */
function computeLikeness(a: ComparedDamage, b: ComparedDamage): number {
  if (a.part !== b.part) return 0;
  const kind =
    a.type === b.type ? 0.5 : KIN.some((group) => group.includes(a.type) && group.includes(b.type)) ? 0.3 : 0;
  if (kind === 0) return 0;
  return kind + placeLikeness(a, b) + computeSizeLikeness(a, b);
}

/**
 * Returns the overlap in the best common view, up to 0.35; far apart in the same view counts against; 0.1 without a
 * common view.
 */
function placeLikeness(a: ComparedDamage, b: ComparedDamage): number {
  const common = a.places.flatMap((one) =>
    b.places
      .filter((other) => one.angle !== null && one.angle === other.angle)
      .map((other) => computeNearness(one.box, other.box)),
  );
  return common.length === 0 ? 0.1 : Math.max(...common) * 0.5 - 0.15;
}

/**
 * Returns 1 for the same box, 0 for boxes more than half a photo apart; walk-arounds are not taken from the same spot.
 */
function computeNearness(a: Box, b: Box): number {
  const apart = Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);
  return Math.max(iou(a, b), Math.max(0, 1 - apart / 0.5));
}

function computeSizeLikeness(a: ComparedDamage, b: ComparedDamage): number {
  if (!a.sizeCm || !b.sizeCm) return 0.05;
  return 0.15 * (Math.min(a.sizeCm, b.sizeCm) / Math.max(a.sizeCm, b.sizeCm));
}

/**
 * Returns why a damage is worse: a higher tier by more than the score's slack, or larger by more than both
 * uncertainties together.
 */
function listWorsened(before: ComparedDamage, after: ComparedDamage): ('severity' | 'size')[] {
  const isMoreSevere =
    rankSeverity(after.severity) > rankSeverity(before.severity) && after.score - before.score > SCORE_SLACK;
  const slack = Math.hypot(before.uncertaintyCm ?? 0, after.uncertaintyCm ?? 0);
  const larger =
    before.sizeCm !== undefined &&
    after.sizeCm !== undefined &&
    after.sizeCm - before.sizeCm > Math.max(slack, before.sizeCm * 0.2);
  return [...(isMoreSevere ? (['severity'] as const) : []), ...(larger ? (['size'] as const) : [])];
}

function byChange(a: ComparedPair<ComparedDamage>, b: ComparedPair<ComparedDamage>): number {
  const score = (pair: ComparedPair<ComparedDamage>) => pair.after?.score ?? pair.before?.score ?? 0;
  const id = (pair: ComparedPair<ComparedDamage>) => pair.after?.id ?? pair.before?.id ?? '';
  return (
    CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change) || score(b) - score(a) || id(a).localeCompare(id(b))
  );
}
