import { distance } from 'fastest-levenshtein';
import { meanBy, sumBy } from '../../lib/lists.ts';
import type { RgbImage } from '../photo.ts';
import type { PartMap } from './detection.ts';
import { computeHueDistance, computeShadeDistance, measurePaintColor, type PaintColor } from './paint.ts';
import { measureRimContrast } from './rim.ts';

/** Features of a photo that identify its vehicle. */
export interface Appearance {
  /** Null if too little paint is visible. */
  readonly paint: PaintColor | null;
  /** Unit vector that is similar for photos of one vehicle; absent if the parts model outputs none. */
  readonly embedding?: readonly number[] | undefined;
  /** Lightness of a rim over its tire (CIE L*); absent if no wheel is large and seen whole. */
  readonly rimContrast?: number | undefined;
  /** ISO 8601 with or without a zone; absent if unknown. */
  readonly takenAt?: string | undefined;
  /** Characters of the number plate, if it was read. */
  readonly plate?: string | undefined;
}

/** Measures the features that identify the vehicle of a photo. */
export function measureAppearance(raster: RgbImage, parts: PartMap): Appearance {
  return {
    paint: measurePaintColor(raster, parts),
    embedding: parts.embedding,
    rimContrast: measureRimContrast(raster, parts),
  };
}

/**
 * Maximum number of characters in which readings may differ without being of two plates: one of them may be misread, but
 * plates of one fleet differ as little.
 */
const MAX_UNDECIDED_CHARACTERS = 2;
/** Characters that readings of one plate confuse (models/text.md; Z, G and B assumed), each with its look-alike. */
const LOOK_ALIKES = new Map(Object.entries({ S: '5', D: '0', M: 'H', Z: '2', G: '6', B: '8' }));

/**
 * Distances assumed if either photo lacks the value: for embeddings, between those of one vehicle and of two; for paint, the
 * mean of all pairs.
 */
const USUAL_DISTANCE = { embedding: 0.6, hue: 4, shade: 14 } as const;
/**
 * Weights of hue and shade distances (CIE L*a*b*) relative to embeddings, whose distance is 0 to 2. These and the limits are
 * chosen on training photos (models/training/README.md).
 */
const HUE_WEIGHT = 0.035;
const SHADE_WEIGHT = 0.011;
/** Mean distance up to which two large groups show one vehicle. */
const MAX_DISTANCE = 0.75;
/** Allowance for two single photos, because a mean of few pairs varies more; it shrinks with larger groups. */
const SINGLE_PHOTO_ALLOWANCE = 0.75;
/** Share of that limit that applies to groups of which no two photos are neighbors, or whose rims differ. */
const RETURN_SHARE = 0.75;
/**
 * Difference in rim contrast from which rims differ, as those of black and of silver ones do; two photos of one training
 * vehicle differ by at most 26.
 */
const MIN_RIM_DIFFERENCE = 30;
/** Pause after which the photographer may have gone to another vehicle, minutes. Assumed: a series takes a few. */
const MAX_PAUSE = 15;
/** Photos whose embeddings differ less repeat each other in part, so their group counts as a smaller one. */
const MAX_REPEATED_EMBEDDING = 0.2;
/** Standard errors of the mean distance by which photos near each other must be more alike for the order to count. */
const MIN_ORDER_EFFECT = 0.3;

/**
 * Groups photos by vehicle, those with the most similar paint and embedding first. A vehicle is usually photographed in
 * one series, so unless the order appears random, neighbors with like rims and without a pause are joined before the
 * series of a vehicle to which the photographer returned. Plates outweigh everything: equal ones are one vehicle, clearly
 * different ones are different vehicles. A photo without an appearance joins the photo before it.
 * @param photos in the order in which they were taken, unless each has its time
 * @returns indices of `photos`, largest group first; a photo that fits no other is a group of its own
 */
export function groupByVehicle(photos: readonly (Appearance | null)[]): readonly (readonly number[])[] {
  const listed = photos.flatMap((photo, index) => (photo === null ? [] : [{ photo, index }]));
  const isTimed = listed.every(({ photo }) => photo.takenAt !== undefined);
  const seen = isTimed ? listed.sort((a, b) => readClock(a.photo) - readClock(b.photo)) : listed;
  let groups = seen.map(({ index }) => [index]);
  let table: PairTable = seen.map(({ photo }, at) =>
    seen.map((other, to) => comparePhotos(photo, other.photo, to - at)),
  );
  const joinNearest = (returnLimit: number): boolean => {
    const [one, other] = findNearest(table, returnLimit);
    if (one === undefined || other === undefined) return false;
    groups = merge(groups, one, other, (a, b) => [...a, ...b]);
    table = merge(table, one, other, (a, b) => a.map((pairs, at) => addPairs(pairs, b[at] as Pairs)));
    table = table.map((row) => merge(row, one, other, addPairs));
    return true;
  };
  if (isSeries(table)) while (joinNearest(0));
  while (joinNearest(RETURN_SHARE));
  photos.forEach((photo, index) => {
    if (photo !== null) return;
    const before = groups.find((group) => group.includes(index - 1)) ?? groups[0];
    if (before === undefined) groups.push([index]);
    else before.push(index);
  });
  return groups
    .map((group) => group.sort((a, b) => a - b))
    .sort((one, other) => other.length - one.length || Math.min(...one) - Math.min(...other));
}

/** The pairs of photos that two groups make, summed. */
interface Pairs {
  readonly count: number;
  /** By paint and embedding. */
  readonly distance: number;
  /** Share of a photo that another repeats: 1 if they are the same picture. */
  readonly repetition: number;
  /** Characters in which the most similar plates differ, look-alikes aside; infinite if either group's was not read. */
  readonly charactersApart: number;
  /** True if a photo of one follows on one of the other, without a pause. */
  readonly areNeighbors: boolean;
  /** Pairs of which both show a rim. */
  readonly rims: number;
  /** Rim contrast of the first group's photos minus that of the second's, over those pairs. */
  readonly rimDifference: number;
}

/** The pairs of each group with each, by their positions in the list. */
type PairTable = readonly (readonly Pairs[])[];

function comparePhotos(a: Appearance, b: Appearance, positionsApart: number): Pairs {
  const embedding = computeEmbeddingDistance(a.embedding, b.embedding) ?? USUAL_DISTANCE.embedding;
  const hue = computeHueDistance(a.paint, b.paint) ?? USUAL_DISTANCE.hue;
  const shade = computeShadeDistance(a.paint, b.paint) ?? USUAL_DISTANCE.shade;
  const [rim, otherRim] = [a.rimContrast, b.rimContrast];
  const haveRims = rim !== undefined && otherRim !== undefined;
  return {
    count: 1,
    distance: embedding + HUE_WEIGHT * hue + SHADE_WEIGHT * shade,
    repetition: positionsApart === 0 ? 1 : Math.max(0, 1 - embedding / MAX_REPEATED_EMBEDDING),
    charactersApart:
      a.plate === undefined || b.plate === undefined
        ? Number.POSITIVE_INFINITY
        : distance(foldLookAlikes(a.plate), foldLookAlikes(b.plate)),
    areNeighbors: Math.abs(positionsApart) === 1 && countMinutesBetween(a, b) <= MAX_PAUSE,
    rims: Number(haveRims),
    rimDifference: haveRims ? rim - otherRim : 0,
  };
}

/** Returns the time in milliseconds by the camera's clock, NaN if unknown; zones rarely differ within a folder. */
const readClock = ({ takenAt = '' }: Appearance) => Date.parse(`${takenAt.slice(0, 19)}Z`);

/** Returns 0 if either time is unknown. */
const countMinutesBetween = (a: Appearance, b: Appearance) =>
  Math.abs(readClock(a) - readClock(b)) / 60_000 || 0;

const foldLookAlikes = (plate: string) => Array.from(plate, (one) => LOOK_ALIKES.get(one) ?? one).join('');

function addPairs(some: Pairs, others: Pairs): Pairs {
  return {
    count: some.count + others.count,
    distance: some.distance + others.distance,
    repetition: some.repetition + others.repetition,
    charactersApart: Math.min(some.charactersApart, others.charactersApart),
    areNeighbors: some.areNeighbors || others.areNeighbors,
    rims: some.rims + others.rims,
    rimDifference: some.rimDifference + others.rimDifference,
  };
}

/** Returns the positions of the two groups that are nearest for their limit; none if no two may be one vehicle. */
function findNearest(table: PairTable, returnLimit: number): readonly number[] {
  // One divided by the number of photos, if none repeats another.
  const variations = table.map((row, at) => (row[at] ? row[at].repetition / row[at].count : 1));
  let nearest: readonly number[] = [];
  let least = 1;
  table.forEach((row, one) => {
    row.slice(0, one).forEach((pairs, other) => {
      // NaN where no pair shows two rims.
      const rimsApart = Math.abs(pairs.rimDifference / pairs.rims);
      const limit = pairs.areNeighbors && !(rimsApart >= MIN_RIM_DIFFERENCE) ? 1 : returnLimit;
      if (limit === 0) return;
      const variation = ((variations[one] ?? 1) + (variations[other] ?? 1)) / 2;
      const apart = compareGroups(pairs, variation) / limit;
      if (apart <= least) [nearest, least] = [[other, one], apart];
    });
  });
  return nearest;
}

/** Returns the mean distance of two groups relative to their limit as neighbors; above 1 they are two vehicles. */
function compareGroups({ count, distance, charactersApart }: Pairs, variation: number): number {
  if (charactersApart === 0) return 0;
  if (Number.isFinite(charactersApart) && charactersApart > MAX_UNDECIDED_CHARACTERS)
    return Number.POSITIVE_INFINITY;
  return distance / count / (MAX_DISTANCE + SINGLE_PHOTO_ALLOWANCE * variation);
}

/** Tells whether photos are more alike the fewer lie between them, which they are not in random order. */
function isSeries(table: PairTable): boolean {
  const pairs = table.flatMap((row, at) =>
    row.slice(at + 1).map(({ distance }, between) => ({ distance, nearness: 1 / (between + 1) })),
  );
  const mean = meanBy(pairs, (pair) => pair.distance);
  const spread = Math.sqrt(meanBy(pairs, (pair) => (pair.distance - mean) ** 2));
  const nearby =
    sumBy(pairs, (pair) => pair.nearness * pair.distance) / sumBy(pairs, (pair) => pair.nearness);
  return mean - nearby > (MIN_ORDER_EFFECT * spread) / Math.sqrt(table.length);
}

/** Returns the list with the second of two elements removed and added to the first. */
function merge<T>(list: readonly T[], first: number, second: number, add: (a: T, b: T) => T): T[] {
  return list.flatMap((each, at) =>
    at === second ? [] : [at === first ? add(each, list[second] as T) : each],
  );
}

function computeEmbeddingDistance(
  a: readonly number[] | undefined,
  b: readonly number[] | undefined,
): number | undefined {
  return a && b && 1 - a.reduce((sum, one, at) => sum + one * (b[at] ?? 0), 0);
}
